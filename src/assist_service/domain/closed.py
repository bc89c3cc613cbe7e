"""The configuration of a shape that holds what it names and nothing else, and does not change."""

from pydantic import ConfigDict

CLOSED = ConfigDict(extra="forbid", frozen=True)
