"""What lookups found, in words people read: sentences and tables from catalogues, figures by locale."""

from assist_service.adapters.wording.answers import BabelWording

__all__ = ["BabelWording"]
