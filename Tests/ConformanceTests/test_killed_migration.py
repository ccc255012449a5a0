"""Kills a migration (SIGKILL) at its system calls for the disk, and before each of its messages to PostgreSQL."""

import itertools
import signal
import socket
import sqlite3
import subprocess
import threading

from local_store import binary
from postgresql_server import PostgreSQLServer, allow_other_users

LIMIT_SECONDS = 300
# Calls that make data durable or shorten files. Of the writes between them, the test uses one in WRITE_STEP.
DURABLE_CALLS = ["fdatasync", "fsync", "ftruncate", "unlink"]
WRITE_STEP = 8


def command(address):
    return [binary(), "migrate", "--config", "/dev/null", "--database", address]


def migrate(address):
    """Runs a migration to its end. It must succeed."""
    done = subprocess.run(command(address), capture_output=True, text=True, timeout=LIMIT_SECONDS)
    assert done.returncode == 0, done.stderr


def sqlite_tables(path):
    connection = sqlite3.connect(path)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        tables = connection.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall()
        return tables + connection.execute("SELECT identifier FROM grdb_migrations").fetchall()
    finally:
        connection.close()


def is_killed_at(call, number, path):
    """Runs a migration that is killed at the given call. Returns whether it reached that call."""
    trace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}"]
    killing = ["-e", f"inject={call}:signal=SIGKILL:when={number}"]
    run = subprocess.run([*trace, *killing, *command(f"sqlite:{path}")], capture_output=True, timeout=LIMIT_SECONDS)
    assert run.returncode in (0, -signal.SIGKILL), run.stderr
    return run.returncode != 0


def test_a_killed_migration_on_sqlite_is_completed_later(tmp_path):
    complete = tmp_path / "whole.db"
    migrate(f"sqlite:{complete}")
    expected = sqlite_tables(complete)
    points = 0
    for call, step in [(call, 1) for call in DURABLE_CALLS] + [("pwrite64", WRITE_STEP)]:
        for number in itertools.count(1, step):
            path = tmp_path / f"{call}-{number}.db"
            if not is_killed_at(call, number, path):
                break
            points += 1
            migrate(f"sqlite:{path}")
            assert sqlite_tables(path) == expected, f"killed at {call} {number}"
    # At least the commits of each migration step and of the table of steps.
    assert points >= 20


class KillingProxy:
    """Forwards data between a client and PostgreSQL. It kills the client before it forwards message `kill_at`."""

    def __init__(self, port, kill_at):
        self._port, self._kill_at = port, kill_at
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"postgres://perennial@127.0.0.1:{self._listener.getsockname()[1]}/perennial"
        self._message_count = 0
        self._client = None
        threading.Thread(target=self._accept, daemon=True).start()

    def is_killed(self, arguments):
        """Runs the client to its end. Returns whether it was killed."""
        with self._lock:
            self._client = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        _, errors = self._client.communicate(timeout=LIMIT_SECONDS)
        self._listener.close()
        assert self._client.returncode in (0, -signal.SIGKILL), errors
        return self._client.returncode != 0

    def _accept(self):
        while True:
            try:
                incoming, _ = self._listener.accept()
            except OSError:
                return
            outgoing = socket.create_connection(("127.0.0.1", self._port))
            threading.Thread(target=self._forward, args=(incoming, outgoing, self._count), daemon=True).start()
            threading.Thread(target=self._forward, args=(outgoing, incoming, lambda: True), daemon=True).start()

    def _count(self):
        with self._lock:
            self._message_count += 1
            if self._message_count != self._kill_at:
                return True
            self._client.kill()
            return False

    def _forward(self, source, target, may_forward):
        try:
            while data := source.recv(1 << 20):
                if not may_forward():
                    break
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def postgresql_tables(server):
    queries = [
        "SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns"
        " WHERE table_schema = 'public' ORDER BY 1, 2",
        "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
        "SELECT step FROM perennial_schema ORDER BY 1",
    ]
    return [server.query(query) for query in queries]


def test_a_killed_migration_on_postgresql_is_completed_later(tmp_path_factory):
    server = PostgreSQLServer(allow_other_users(tmp_path_factory.mktemp("postgresql")))
    try:
        migrate(server.url)
        expected = postgresql_tables(server)
        points = 0
        for number in itertools.count(1):
            server.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
            proxy = KillingProxy(server.port, number)
            if not proxy.is_killed(command(proxy.address)):
                break
            points += 1
            migrate(server.url)
            assert postgresql_tables(server) == expected, f"killed at message {number}"
        assert points >= 20
    finally:
        server.stop()
