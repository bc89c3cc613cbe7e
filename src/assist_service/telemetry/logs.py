"""One JSON object a line on standard error, for everything this service says of its work."""

import logging
import sys
from typing import Any

import structlog

log: Any = structlog.get_logger("assist_service")


def configure_logging(level: str) -> None:
    """One JSON object a line on standard error; libraries' own logs are kept to warnings."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level)),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),  # the one there is when something is logged
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")
