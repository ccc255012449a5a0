"""The messages of the program at its start, at its end and after wrong usage."""

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest
import requests

from local_store import CALL_SECONDS_MAX, STOP_SECONDS_MAX, binary
from perennial_command import perennial
from postgresql_server import PostgreSQLServer, allow_other_users

# Texts of the operating system and of libraries, which do not help a user.
SYSTEM_TEXT = re.compile(r"errno|descriptor:|NIO|HTTPClientError|DecodingError|IOError|Swift\.|Optional\(")


class RunningServer:
    """A running server. `stop` ends it and returns its log."""

    def __init__(self, *arguments, folder):
        self.process = subprocess.Popen(
            [binary(), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder
        )
        self.first_line = self.process.stdout.readline()
        self.url = self.first_line.removeprefix("listening on ").strip()

    def stop(self):
        """Stops the server and returns the lines of its log as JSON objects."""
        self.process.send_signal(signal.SIGTERM)
        _, log = self.process.communicate(timeout=STOP_SECONDS_MAX)
        assert self.process.returncode == 0, log
        return [json.loads(line) for line in log.splitlines() if line.startswith("{")]


def test_the_server_reports_its_version_database_and_apps(tmp_path):
    (tmp_path / "perennial.yaml").write_text("apps: [\"com.example.app:1234567890\", \"com.example.other\"]\n")
    server = RunningServer("serve", "--port", "0", "--database", "sqlite:p.db", folder=tmp_path)
    assert server.first_line.startswith("listening on http://127.0.0.1:")
    about = requests.get(server.url + "/", timeout=CALL_SECONDS_MAX).json()
    metrics = requests.get(server.url + "/metrics", timeout=CALL_SECONDS_MAX).text
    lines = server.stop()
    start = lines[0]
    version = perennial("--version").stdout.removeprefix("perennial ").strip()
    assert start["version"] == version == about["version"] and version in start["message"]
    assert f'perennial_build_info{{version="{version}"}} 1' in metrics
    assert start["database"] == f"sqlite:{tmp_path}/p.db"
    assert start["configuration_file"] == "perennial.yaml"
    [apps] = [line for line in lines if "apps" in line]
    assert apps["apps"] == "com.example.app (production and sandbox), com.example.other (sandbox)"
    assert [line["message"].split(":")[0] for line in lines[-2:]] == ["Stopping", "Stopped"]
    assert {line["level"] for line in lines} == {"notice"}


def test_a_server_without_an_app_logs_a_warning(tmp_path):
    server = RunningServer("serve", "--port", "0", folder=tmp_path)
    lines = server.stop()
    assert lines[0]["configuration_file"] == "none"
    [warning] = [line for line in lines if line["level"] == "warning"]
    assert (
        "No app is configured" in warning["message"]
        and "--app" in warning["message"]
        and "--store" in warning["message"]
    )


def test_a_password_in_the_address_is_never_shown(tmp_path):
    ended = perennial("serve", "--port", "0", "--config", "/dev/null", "--database",
                      "postgres://anna:hidden@127.0.0.1:1/perennial?password=hidden&connect_timeout=1")
    assert ended.status == 1 and "storage_unavailable" in ended.stderr
    assert "127.0.0.1:1/perennial" in ended.stderr and "hidden" not in ended.stderr


def test_the_server_logs_that_it_waits_for_the_store(tmp_path):
    ended = perennial("serve", "--port", "0", "--store", "http://127.0.0.1:1", "--database", f"sqlite:{tmp_path}/p.db",
                      "--config", "/dev/null")
    assert ended.status == 1 and "store_unreachable" in ended.stderr
    waiting = [json.loads(line) for line in ended.stderr.splitlines() if "Waiting for the local App Store" in line]
    waited = [line["waited_seconds"] for line in waiting]
    # On a stalled machine the server gives up before the later lines.
    assert waited and waited[:3] == ["1", "4", "7"][:len(waited)]


def test_the_local_store_logs_its_start_and_its_stop(tmp_path):
    store = subprocess.Popen(
        [binary(), "store", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert store.stdout.readline().startswith("listening on ")
    store.terminate()
    _, log = store.communicate(timeout=STOP_SECONDS_MAX)
    assert store.returncode == 0
    words = [" ".join(line.split()[2:4]) for line in log.splitlines()]
    assert words[0] == "The local" and [word.split(":")[0] for word in words[-2:]] == ["Stopping", "Stopped"], log


@pytest.mark.parametrize("typed, meant", [
    (["serv"], "serve"), (["demoo"], "demo"), (["migrat"], "migrate"), (["keys", "creat"], "create"),
    (["config", "chek"], "check"), (["sign", "promotional-ofer"], "promotional-offer"),
])
def test_a_mistyped_command_is_reported_with_a_suggestion(typed, meant):
    ended = perennial(*typed)
    assert ended.status == 64 and ended.stdout == ""
    assert f'has no command "{typed[-1]}". Did you mean "{meant}"?' in ended.stderr


@pytest.mark.parametrize("command", ["serve", "store"])
@pytest.mark.parametrize("host", ["203.0.113.9", "no.such.host.invalid"])
def test_system_errors_are_reported_in_the_programs_own_words(command, host, tmp_path):
    more = ["--database", f"sqlite:{tmp_path}/p.db", "--config", "/dev/null"] if command == "serve" else []
    ended = perennial(command, "--port", "0", "--host", host, *more)
    assert ended.status in (1, 78)
    assert host in ended.stderr and "--host" in ended.stderr
    assert not SYSTEM_TEXT.search(ended.stderr), ended.stderr


@pytest.mark.parametrize("path, remedy", [
    ("missing/store.json", "its folder is not there"), ("folder", "it is a folder"),
])
def test_an_unusable_data_file_is_reported_with_its_remedy(path, remedy, tmp_path):
    (tmp_path / "folder.lock").mkdir()
    ended = perennial("store", "--port", "0", "--data", tmp_path / path)
    assert ended.status != 0
    assert remedy in ended.stderr and not SYSTEM_TEXT.search(ended.stderr), ended.stderr


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path, tmp_path_factory):
    """An empty database of each engine."""
    if request.param == "sqlite":
        yield f"sqlite:{tmp_path}/p.db"
        return
    server = PostgreSQLServer(allow_other_users(tmp_path_factory.mktemp("postgresql")))
    yield server.url
    server.stop()


def test_a_migration_shows_its_steps_in_the_same_way_on_both_engines(database):
    def run(*options):
        ended = perennial("migrate", "--config", "/dev/null", "--database", database, *options)
        return ended.status, [(line[:12].strip(), line[12:]) for line in ended.stdout.splitlines()]

    if database.startswith("sqlite:"):
        # The PostgreSQL database already exists without tables, so the SQLite file must exist too.
        Path(database.removeprefix("sqlite:")).touch()
    status, missing = run("--status")
    assert status == 1 and {state for state, _ in missing} == {"missing"}
    status, applied = run()
    assert status == 0 and {state for state, _ in applied} == {"done now"}
    status, again = run()
    assert status == 0 and {state for state, _ in again} == {"done before"}
    names = [re.sub(r" \(\d+\.\d s\)$", "", name) for _, name in applied]
    assert names != [name for _, name in applied]
    assert names == [name for _, name in missing] == [name for _, name in again]
    assert [name[:5] for name in names] == [f"{number:04} " for number in range(1, len(names) + 1)]
