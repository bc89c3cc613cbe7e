"""Lookups whose results no model reads: what may be asked for, how it is found, and what came of it, as values."""
