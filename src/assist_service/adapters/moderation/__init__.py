"""Moderators that judge here: nothing of a text leaves the service."""
