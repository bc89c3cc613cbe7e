"""The machinery of `make demo` and `make test`, in real processes: one-line errors, nothing left behind."""

import re
import shutil
import sys
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from devtools import environment
from devtools.children import ChildError, Program, run_to_end
from devtools.demo_settings import DemoError, Ports, free_ports, lms_environment, service_environment
from devtools.postgres import running_postgres
from tests.unit.watched import PATIENCE_SECONDS, ROOT, eventually, folder_of, is_open, python, taken_port, untaken_port


class TestPostgres:
    async def test_both_drivers_take_the_dsn_whatever_libpq_variables_say(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name, value in {"PGPORT": "1", "PGDATABASE": "nowhere", "LC_ALL": "no_SUCH"}.items():
            monkeypatch.setenv(name, value)
        with running_postgres(durable=False) as dsn:
            connection = await asyncpg.connect(dsn)
            settings = {name: await connection.fetchval(f"SHOW {name}") for name in ("fsync", "max_connections")}
            await connection.close()
            engine = create_async_engine(dsn.replace("postgresql://", "postgresql+asyncpg://"))
            async with engine.connect() as through_engine:
                assert await through_engine.scalar(text("SELECT current_user")) == "postgres"
            await engine.dispose()
            folder = folder_of(dsn)
        assert settings == {"fsync": "off", "max_connections": "200"}
        assert not folder.exists()

    def test_the_server_goes_with_the_process_that_was_killed(self) -> None:
        code = """if True:
            import time
            from devtools.postgres import running_postgres
            with running_postgres(durable=True) as dsn:
                print(dsn, flush=True)
                time.sleep(600)
        """
        with python(code) as owner:
            assert owner.stdout is not None
            folder = folder_of(owner.stdout.readline())
            assert is_open(folder)
            owner.kill()
        eventually(lambda: not is_open(folder), "the server has gone")
        # Its folder goes at the next start, once the server has given up its lock on it.
        eventually(lambda: not (folder / "data" / "postmaster.pid").exists(), "the server has shut down")
        with running_postgres(durable=False):
            assert not folder.exists()

    def test_no_postgres_is_one_line(self, tmp_path: Path) -> None:
        # Without site-packages there is no wheel, and without PATH no pg_config.
        code = """if True:
            import os, sys
            os.environ["PATH"] = ""
            sys.path = [path for path in sys.path if "site-packages" not in path]
            sys.path.insert(0, sys.argv[1])
            from devtools.postgres import PostgresError, running_postgres
            try:
                with running_postgres(durable=False):
                    pass
            except PostgresError as failure:
                sys.exit(str(failure))
        """
        with python(code, str(ROOT), path=tmp_path) as process:
            _, complaint = process.communicate()
        assert process.returncode == 1
        assert re.fullmatch(r"No Postgres to be had: .*ASSIST_DATABASE_URL.*\n", complaint)


class TestEnvironment:
    @pytest.fixture
    def checkout(self, tmp_path: Path) -> Path:
        """A project whose `.venv` counts as finished."""
        (tmp_path / "devtools").mkdir()
        shutil.copy(environment.__file__, tmp_path / "devtools")
        for name in environment.LOCKS:
            (tmp_path / name).write_text(f"{name}\n")
        python = tmp_path / ".venv" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.symlink_to(sys.executable)
        (tmp_path / ".venv" / environment.STAMP).write_text(environment.wanted_stamp(tmp_path))
        return tmp_path

    def run_without_ensurepip(self, checkout: Path) -> tuple[int, str]:
        """The exit code and all output, on a machine where making an environment is not possible."""
        code = """if True:
            import runpy, sys
            sys.modules["ensurepip"] = None
            runpy.run_path("devtools/environment.py", run_name="__main__")
        """
        with python(code, path=checkout) as process:
            said, complaint = process.communicate()
        return process.returncode, said + complaint

    def test_a_finished_environment_is_left_as_it_is_in_silence(self, checkout: Path) -> None:
        assert self.run_without_ensurepip(checkout) == (0, "")

    @pytest.mark.parametrize("what", ["no stamp", "no python", "moved"])
    def test_anything_half_made_is_made_again_and_a_missing_venv_package_is_one_line(
        self, checkout: Path, what: str
    ) -> None:
        match what:
            case "no stamp":
                (checkout / ".venv" / environment.STAMP).unlink()
            case "no python":
                (checkout / ".venv" / "bin" / "python").unlink()
            case "moved":
                checkout = checkout.rename(checkout.with_name("elsewhere"))
        code, said = self.run_without_ensurepip(checkout)
        assert code == 1
        assert re.fullmatch(r"[^\n]*apt-get install python3-venv\n", said)

    @pytest.mark.parametrize("name", environment.LOCKS)
    def test_every_lock_file_counts(self, checkout: Path, name: str) -> None:
        (checkout / name).write_text("changed\n")
        assert environment.found_stamp(checkout / ".venv") != environment.wanted_stamp(checkout)


class TestPorts:
    @pytest.mark.parametrize("variable", ["ASSIST_PORT", "ASSIST_LMS_PORT"])
    def test_a_port_in_use_ends_the_demo_with_one_line_before_anything_starts(
        self, variable: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with taken_port() as taken:
            variables = {"ASSIST_PORT": str(untaken_port()), "ASSIST_LMS_PORT": str(untaken_port())}
            variables[variable] = str(taken)
            for name, value in variables.items():
                monkeypatch.setenv(name, value)
            with python("import sys; from devtools import demo; sys.exit(demo.main(['--once']))") as process:
                said, complaint = process.communicate()
        assert (process.returncode, said) == (1, "")
        assert complaint == f"Port {taken} is in use: set {variable} to another one\n"

    @pytest.mark.parametrize("said", ["0", "65536", "http", "-1", "８０８０"])
    def test_a_port_that_is_none(self, said: str) -> None:
        with pytest.raises(DemoError, match="ASSIST_PORT is no port"):
            free_ports({"ASSIST_PORT": said})

    def test_one_port_for_two_servers(self) -> None:
        port = str(untaken_port())
        with pytest.raises(DemoError, match="both"):
            free_ports({"ASSIST_PORT": port, "ASSIST_LMS_PORT": port})


def test_the_pages_of_the_demo_find_the_panel_at_its_service() -> None:
    made = lms_environment({"PATH": "/bin"}, ports=Ports(service=8090, lms=8091))
    assert made["REFERENCE_LMS_ASSIST_URL"] == "http://127.0.0.1:8090"
    assert (made["REFERENCE_LMS_URL"], made["PATH"]) == ("http://127.0.0.1:8091", "/bin")


class TestServiceEnvironment:
    ports = Ports(service=8080, lms=8081)

    def environment(self, environ: dict[str, str], policy: str | None = None) -> dict[str, str]:
        return service_environment(environ, ports=self.ports, database_url="postgresql://throw-away", policy=policy)

    def test_every_setting_of_the_user_wins(self) -> None:
        for name in self.environment({}):
            assert self.environment({name: "mine"})[name] == "mine"

    def test_the_service_takes_the_completions_of_the_demos_lms(self) -> None:
        assert (
            self.environment({})["ASSIST_LMS_CLIENT_JWKS_URL"] == "http://127.0.0.1:8081/.well-known/client-jwks.json"
        )

    def test_providers_keys_pass_through_and_empty_settings_count_as_unset(self) -> None:
        made = self.environment({"ANTHROPIC_API_KEY": "k", "ASSIST_MODEL": ""})
        assert (made["ANTHROPIC_API_KEY"], made["ASSIST_MODEL"]) == ("k", "stub")

    def test_the_policy_of_the_command_line_comes_first(self) -> None:
        assert self.environment({"ASSIST_POLICY": "default"}, policy="other")["ASSIST_POLICY"] == "other"

    def test_each_run_has_a_key_of_its_own(self) -> None:
        assert self.environment({})["ASSIST_SECRET_KEYS"] != self.environment({})["ASSIST_SECRET_KEYS"]


class TestChildren:
    def program(self, code: str, tmp_path: Path) -> Program:
        command = (sys.executable, "-c", code)
        return Program(name="It", command=command, environment={}, folder=tmp_path, log=tmp_path / "log")

    def test_a_failure_shows_the_last_lines(self, tmp_path: Path) -> None:
        program = self.program("print('\\n'.join(map(str, range(100)))); raise SystemExit(3)", tmp_path)
        with pytest.raises(ChildError, match=r"^It ended with code 3\n    80\n(    \d\d\n)+    99$"):
            run_to_end(program, timeout_seconds=PATIENCE_SECONDS)

    def test_one_that_takes_too_long_is_stopped(self, tmp_path: Path) -> None:
        with pytest.raises(ChildError, match="It was not done after 0 s"):
            run_to_end(self.program("import time; time.sleep(600)", tmp_path), timeout_seconds=0.01)
