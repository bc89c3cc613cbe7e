"""The demo starts what it needs, asks, and leaves nothing behind, however it ends."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from devtools.first_question import WALK
from tests.unit.watched import PATIENCE_SECONDS, ROOT, eventually, listens, python, untaken_port


def server_of(demo: int, port: int) -> int:
    """The process id of the server that a demo has started for a port."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().split(b"\0")
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has ended meanwhile
            continue
        if parent == demo and str(port).encode() in command:
            return int(folder.name)
    raise AssertionError(f"no server for port {port}")


class TestDemo:
    """The whole of it, with stand-ins for the three programs."""

    STARTED = """if True:
        import os, sys
        from devtools import demo
        python, servers = sys.executable, "tests/unit/stand_ins.py"
        lms, service, *options = sys.argv[1:]
        os.environ.update(ASSIST_PORT=service, ASSIST_LMS_PORT=lms, ASSIST_DATABASE_URL="postgresql://unused")
        commands = demo.Commands(
            migrate=(python, "-c", os.environ.get("MIGRATE", "pass")),
            lms=(python, servers, lms),
            serve=(python, servers, service),
        )
        sys.exit(demo.main(options, commands))
    """

    @pytest.fixture(autouse=True)
    def own_temporary_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """What a killed demo leaves there goes with the test's folder."""
        monkeypatch.setenv("TMPDIR", str(tmp_path))

    def start(self, *options: str) -> tuple[subprocess.Popen[str], tuple[int, int]]:
        ports = (untaken_port(), untaken_port())
        return python(self.STARTED, *map(str, ports), *options), ports

    def test_once_prints_the_answer_its_citation_and_receipt_a_card_that_is_confirmed_and_live_data(self) -> None:
        process, ports = self.start("--once")
        with process:
            said, complaint = process.communicate(timeout=PATIENCE_SECONDS)
        assert (process.returncode, complaint) == (0, "")
        assert "How do I create a pool? asked with Bearer token-of-t1 about p1 [1]" in said
        assert "[1] Pools, teacher/pools: /assist/manual/abc/pools" in said
        assert "0.001234 USD" in said
        assert "Show me the pool Hers asked with Bearer token-of-t1 about p1 [1]" in said
        assert "open_screen: /pools/p1" in said
        assert "title: Revision" in said
        assert "Made in c1: /pools/p1?category=k1" in said
        assert "Which courses do I have? asked with Bearer token-of-t1 about p1 [1]" in said
        assert not any(map(listens, ports))

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_serves_until_asked_to_stop(self, number: signal.Signals) -> None:
        process, ports = self.start()
        with process:
            assert process.stdout is not None
            lines = iter(process.stdout.readline, "")
            walk = next((line for line in lines if line.startswith("Open ")), "")
            shown = next((line for line in lines if line.strip().startswith("What the servers print")), "")
            logs = Path(shown.split()[-1])
            assert logs.is_dir()
            process.send_signal(number)
            process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == 0
        assert walk == f"Open http://127.0.0.1:{ports[0]}, sign in as a teacher, and take {WALK} along.\n"
        assert (ROOT / WALK).is_file()
        assert not logs.exists()
        assert not any(map(listens, ports))

    def test_the_servers_go_with_a_demo_that_was_killed(self) -> None:
        process, ports = self.start()
        with process:
            assert process.stdout is not None
            assert any("Ctrl-C" in line for line in iter(process.stdout.readline, ""))
            process.kill()
        eventually(lambda: not any(map(listens, ports)), "both ports are free")

    @pytest.mark.parametrize(("at", "name"), [(0, "The reference LMS"), (1, "assist-service serve")])
    def test_a_server_that_is_killed_is_named_below_what_it_said_last(self, at: int, name: str) -> None:
        process, ports = self.start()
        with process:
            assert process.stdout is not None
            assert any("Ctrl-C" in line for line in iter(process.stdout.readline, ""))
            os.kill(server_of(process.pid, ports[at]), signal.SIGKILL)
            _, complaint = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == 1
        first, *said, empty, last = complaint.strip().splitlines()
        assert first == f"{name} was ended by SIGKILL"
        assert said
        assert all(line.startswith("    ") for line in said)
        assert empty == ""
        told = "stopped, and nobody had asked it to. What it said last is above."
        assert last == f"The demo has ended: {name} {told}"
        assert not any(map(listens, ports))

    def test_a_program_that_fails_shows_what_it_said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MIGRATE", "raise SystemExit('no such table')")
        process, ports = self.start("--once")
        with process:
            _, complaint = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == 1
        assert complaint == "assist-service migrate ended with code 1\n    no such table\n"
        assert not any(map(listens, ports))
