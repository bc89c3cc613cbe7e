"""Runs a command with this environment's settings; what is wrong is one line, never a traceback."""

import sys
from collections.abc import Callable
from typing import NoReturn

import typer

from assist_service import telemetry
from assist_service.domain.errors import ConfigurationError
from assist_service.settings import Kind, load_settings, unknown_variables


def refuse(error: ConfigurationError) -> NoReturn:
    sys.stderr.write(f"assist-service: {error}\n")
    raise typer.Exit(2)


def with_settings(kind: type[Kind], act: Callable[[Kind], None]) -> None:
    """Runs a command with this environment's settings; what is wrong with them is one line and exit code 2."""
    try:
        settings = load_settings(kind)
        telemetry.configure_logging(settings.log_level)
        if unknown := unknown_variables():
            telemetry.log.warning("unknown_settings", names=unknown)
        act(settings)
    except ConfigurationError as error:
        refuse(error)
