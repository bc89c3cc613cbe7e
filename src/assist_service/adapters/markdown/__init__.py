"""Markdown of models and pages, made safe to show: parsed, brought down to what is allowed, written out."""
