"""Evaluations of a whole answer: what was expected of each question, what came, and how two runs differ, as values."""
