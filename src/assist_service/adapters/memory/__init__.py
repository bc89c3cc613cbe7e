"""Ports kept in memory, for a run that has no database and no LMS beside it: an evaluation."""
