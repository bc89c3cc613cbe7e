"""What lookups found, in words people read: sentences and tables from Babel catalogues, written by locale."""

from assist_service.adapters.wording.answers import BabelWording

__all__ = ["BabelWording"]
