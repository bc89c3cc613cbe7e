"""The search in the manual: an index in memory, made anew for each publication."""

from assist_service.adapters.search.glossary import read_glossary
from assist_service.adapters.search.index import TantivyIndex, build_index

__all__ = ["TantivyIndex", "build_index", "read_glossary"]
