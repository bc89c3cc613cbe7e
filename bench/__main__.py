"""`make bench`: every target of speed and size, measured in one run; prints a table, writes the figures."""

import asyncio
import json
import platform
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path

from bench import data_call, manual, near_cap, panel, question, reservations, scrolling, sealed, start
from devtools.demo_settings import DemoError

OUT = Path(__file__).parent / "out" / "latest.json"

SUITES: Mapping[str, Callable[[], Mapping[str, float]]] = {
    "bench.start": start.measure,
    "bench.question": lambda: asyncio.run(question.measure()),
    "bench.data_call": data_call.measure,
    "bench.sealed": sealed.measure,
    "bench.reservations": reservations.measure,
    "bench.near_cap": near_cap.measure,
    "bench.manual": manual.measure_all,
    "bench.scrolling": scrolling.measure,
    "bench.panel": panel.measure,
}

AT_MOST: Mapping[str, float] = {
    "cold_start_s": 2.0,
    "cpu_ratio_to_bare_sdk": 2.0,
    "inflight_kb_each": 100,
    "inflight_failed": 0,
    "near_cap_refused_percent": 5,
    "panel_scroll_frame_ms": 50,
    "publish_10000_sections_s": 20,
    "search_p50_ms": 2.0,
    "search_p99_ms": 10.0,
    "panel_kb_gzipped": 40,
    "panel_first_paint_ms": 100,
}
AT_LEAST: Mapping[str, float] = {"reservations_per_s": 1_000}

PACKAGES = ("anthropic", "openai", "asyncpg", "fastapi", "httpx2", "tantivy", "uvicorn", "uvloop")


def target(name: str) -> str:
    if name in AT_MOST:
        return f"at most {AT_MOST[name]:g}"
    return f"at least {AT_LEAST[name]:g}" if name in AT_LEAST else ""


def main() -> None:
    """Measures, prints, writes."""
    figures: dict[str, float] = {}
    commands: dict[str, str] = {}
    left_out: dict[str, str] = {}
    for suite, measured in SUITES.items():
        try:
            found = measured()
        except DemoError as error:  # no browser, most often: that is no reason to lose all other figures
            left_out[suite] = str(error)
            print(f"{suite}: not measured: {error}", flush=True)
            continue
        for name, figure in found.items():
            figures[name], commands[name] = figure, f"python -m {suite}"
            print(f"{name:34} {figure:>10}   {target(name)}", flush=True)
    versions = {"python": platform.python_version()} | {package: version(package) for package in PACKAGES}
    told = {**figures, "not_measured": left_out, "commands": commands, "versions": versions}
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(told, indent=2) + "\n")


if __name__ == "__main__":
    main()
