"""Configuration and migration by an operator: `perennial config`, `perennial migrate`, `perennial serve --config`."""

import json
import os
import pathlib
import sqlite3
import subprocess

import pytest
import yaml

from local_store import binary
from perennial_command import migrate_four_times_at_once

FIRST_VERSION = pathlib.Path(__file__).parents[2] / "Fixtures" / "databases" / "first-version-sqlite.sql"


@pytest.fixture
def run(tmp_path):
    """Runs the program in its own folder. The given PERENNIAL_ variables replace those of the environment."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PERENNIAL_")}

    def run(*arguments, prefix=(), **environment):
        return subprocess.run(
            [*prefix, binary(), *map(str, arguments)], capture_output=True, text=True, timeout=60, cwd=tmp_path,
            env=clean | environment,
        )

    return run


def test_the_printed_file_of_defaults_changes_no_setting(run, tmp_path):
    plain = json.loads(run("config", "check", "--json").stdout)
    (tmp_path / "perennial.yaml").write_text(run("config", "defaults").stdout)
    written = json.loads(run("config", "check", "--json").stdout)
    assert plain["valid"] and written["valid"]
    assert [(s["key"], s["value"]) for s in written["settings"]] == [(s["key"], s["value"]) for s in plain["settings"]]
    assert {s["origin"] for s in plain["settings"]} == {"default"}
    assert all(s["origin"].startswith("perennial.yaml:") for s in written["settings"])
    assert yaml.safe_load(run("config", "defaults").stdout)["server"] == {"host": "127.0.0.1", "port": 8080}


def test_each_source_overrides_the_next_and_secrets_are_masked(run, tmp_path):
    (tmp_path / "perennial.yaml").write_text("server: {port: 1, host: 127.0.0.2}\napps: [com.example.file]\n")
    ended = run(
        "config", "check", "--json", "--port", "3",
        PERENNIAL_SERVER_PORT="2", PERENNIAL_SERVER_HOST="127.0.0.3",
        PERENNIAL_DATABASE_URL="postgres://perennial:hunter2@db.example.com/perennial",
    )
    settings = {s["key"]: (s["value"], s["origin"]) for s in json.loads(ended.stdout)["settings"]}
    assert ended.returncode == 0 and "hunter2" not in ended.stdout + ended.stderr
    assert settings["server.port"] == (3, "--port")
    assert settings["server.host"] == ("127.0.0.3", "PERENNIAL_SERVER_HOST")
    assert settings["apps"] == (["com.example.file"], "perennial.yaml:2")
    assert settings["database.url"][0] == "postgres://perennial:***@db.example.com/perennial"
    assert settings["database.migrate"] == (True, "default")


@pytest.mark.parametrize("command", [["serve"], ["config", "check"], ["migrate"]])
def test_all_problems_are_reported_together_and_nothing_is_started(run, tmp_path, command):
    file = tmp_path / "prod.yaml"
    file.write_text("server:\n  prot: 80\n  port: eighty\ndatabase:\n  postgresql:\n    writers: 1000\n")
    ended = run(*command, "--config", file)
    assert ended.returncode == 78
    for text in (f"server.prot ({file}:2)", "Did you mean server.port?"):
        assert text in ended.stderr
    file.write_text("server:\n  port: eighty\ndatabase:\n  postgresql:\n    writers: 1000\n")
    ended = run(*command, "--config", file)
    assert ended.returncode == 78
    for text in (f"server.port ({file}:2)", "from 0 to 65535", f"database.postgresql.writers ({file}:5)", "1 to 256"):
        assert text in ended.stderr
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("arguments, expected", [
    (["--database", "postgres://u@h:99999/db"], "from 1 to 65535"),
    (["--database", "postgres://u@h/db?sslmode=foo"], "verify-full"),
    (["--database", "sqlite::memory:"], "database_not_supported"),
    (["--database", "sqlite:file:x.db?mode=ro"], "database_not_supported"),
    (["--store", "not a url"], "http://HOST:PORT"),
    (["--store", "ftp://127.0.0.1"], "http://HOST:PORT"),
    (["--store", "http://"], "http://HOST:PORT"),
])
@pytest.mark.parametrize("command", [["serve"], ["config", "check"]])
def test_an_invalid_address_is_a_wrong_configuration(run, tmp_path, command, arguments, expected):
    ended = run(*command, *arguments)
    assert ended.returncode == 78, ended
    assert expected in ended.stderr and arguments[0] in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_development_key_that_is_too_short_is_reported_and_not_shown(run):
    ended = run("config", "check", "--store", "http://127.0.0.1:9", PERENNIAL_DEV_SECRET_KEY="sk_hunter2")
    assert ended.returncode == 78 and "16 more characters" in ended.stderr
    assert "hunter2" not in ended.stdout + ended.stderr


def test_a_repeated_setting_is_reported_with_its_line(run, tmp_path):
    file = tmp_path / "prod.yaml"
    file.write_text("log: {level: info}\nserver:\n  port: 9000\n  port: 9001\n")
    ended = run("config", "check", "--config", file)
    assert ended.returncode == 78
    assert f"{file}: line 3: port occurs twice in this section" in ended.stderr


def test_the_status_of_a_missing_database_is_an_error(run, tmp_path):
    ended = run("migrate", "--status", "--database", "sqlite:mistyped.db")
    assert ended.returncode == 78 and ended.stdout == ""
    assert ended.stderr.startswith("error: database_not_found: ") and "mistyped.db" in ended.stderr


def test_an_error_at_startup_is_the_last_line_of_the_log(run, tmp_path):
    (tmp_path / "notes.txt").write_text("shopping list\n" * 1000)
    arguments = ["serve", "--port", "0", "--app", "com.example.app", "--database", "sqlite:notes.txt", "--log-format"]
    ended = run(*arguments, "json")
    last = json.loads(ended.stderr.splitlines()[-1])
    assert (ended.returncode, last["level"], last["code"]) == (1, "error", "storage_not_a_database")
    assert "notes.txt" in last["message"]
    ended = run(*arguments, "text")
    assert ended.returncode == 1 and ended.stderr.splitlines()[-1].startswith("error: storage_not_a_database: ")


def test_a_low_limit_of_open_files_causes_a_warning(run, tmp_path):
    arguments = [
        "serve", "--port", "0", "--app", "com.example.app", "--database", f"sqlite:{tmp_path}", "--log-format", "text",
    ]
    low = ["prlimit", "--nofile=200:200"]
    assert "limits.connections" in run(*arguments, prefix=low).stderr
    # The program raises the soft limit to the hard limit.
    assert "limits.connections" not in run(*arguments, prefix=["prlimit", "--nofile=200:8192"]).stderr


@pytest.mark.parametrize("typed, meant", [
    ("port", "server.port"), ("databse", "database.url"), ("limits.requsts", "limits.requests"),
])
def test_an_unknown_setting_is_reported_with_a_suggestion(run, tmp_path, typed, meant):
    file = tmp_path / "prod.yaml"
    file.write_text(f"{typed}: 80\n")
    ended = run("config", "check", "--config", file)
    assert ended.returncode == 78
    assert f"{typed} ({file}:1): there is no such setting. Did you mean {meant}? " in ended.stderr


def test_a_server_reads_its_configuration_file(run, tmp_path):
    (tmp_path / "perennial.yaml").write_text(
        "server: {port: 0}\ndatabase: {url: 'sqlite:mine.db'}\napps: [com.example.app]\n"
    )
    server = subprocess.Popen([binary(), "serve"], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    with server.stdout:
        assert server.stdout.readline().startswith("listening on http://127.0.0.1:")
    server.terminate()
    assert server.wait(60) == 0
    assert (tmp_path / "mine.db").exists()


def test_migrate_creates_the_tables_and_reports_the_pending_steps(run, tmp_path):
    (tmp_path / "perennial.db").touch()
    before = run("migrate", "--status", "--json")
    assert before.returncode == 1 and json.loads(before.stdout)["pending"] > 0
    assert (tmp_path / "perennial.db").stat().st_size == 0
    migrated = run("migrate", "--json")
    assert migrated.returncode == 0
    assert json.loads(migrated.stdout)["migrated"] == json.loads(before.stdout)["pending"]
    again = run("migrate", "--json")
    assert again.returncode == 0 and json.loads(again.stdout)["migrated"] == 0
    assert run("migrate", "--status").returncode == 0


@pytest.mark.parametrize("is_new", [True, False])
def test_concurrent_migrations_of_one_file_all_succeed(tmp_path, is_new):
    path = tmp_path / "perennial.db"
    if not is_new:
        with sqlite3.connect(path) as database:
            database.executescript(FIRST_VERSION.read_text())
        database.close()
    migrated, steps = migrate_four_times_at_once(f"sqlite:{path}")
    assert migrated == [0, 0, 0, steps if is_new else steps - 1]
    assert not (tmp_path / "perennial.db-migration").exists()


def test_a_server_that_may_not_migrate_refuses_outdated_tables(run):
    refused = run("serve", "--port", "0", "--app", "com.example.app", PERENNIAL_DATABASE_MIGRATE="false")
    assert refused.returncode == 1
    assert "storage_schema_outdated" in refused.stderr and "perennial migrate" in refused.stderr


def test_a_database_of_a_newer_version_is_refused(run, tmp_path):
    assert run("migrate").returncode == 0
    with sqlite3.connect(tmp_path / "perennial.db") as database:
        database.execute("INSERT INTO grdb_migrations VALUES ('9999 from the future')")
    for command in (["migrate"], ["migrate", "--status"], ["serve", "--port", "0"]):
        ended = run(*command)
        assert ended.returncode == 1 and "storage_schema_too_new" in ended.stderr
