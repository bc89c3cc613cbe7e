"""How long a cold start of the service takes: the stub, a database that runs, migrated and published before."""

import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench.world import await_ok, free_port, program, service_environment
from devtools.children import running
from devtools.postgres import running_postgres

STARTS = 5


def measure() -> dict[str, float]:
    """Seconds from starting the process to its first answer, the median of some starts."""
    command = str(Path(sys.executable).with_name("assist-service"))
    with running_postgres(durable=True) as dsn:
        taken = []
        for number in range(STARTS + 1):
            port = free_port()
            address = f"http://127.0.0.1:{port}"
            environment = service_environment(dsn, address, port, ASSIST_MODEL="stub")
            if number == 0:
                subprocess.run([command, "migrate"], env=environment, check=True)  # noqa: S603
            began = time.perf_counter()
            with running(program("start", [command, "serve"], environment)) as child:
                await_ok(f"{address}/healthz", child)
                taken.append(time.perf_counter() - began)
    return {"cold_start_s": round(statistics.median(taken[1:]), 2)}


if __name__ == "__main__":
    print(measure())
