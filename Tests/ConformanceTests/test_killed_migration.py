"""A migration that is killed (SIGKILL) at each point where it tells the disk, or PostgreSQL, something."""

import itertools
import signal
import socket
import sqlite3
import subprocess
import threading

from local_store import binary
from postgresql_server import PostgreSQLServer
from test_postgresql_process import open_to_others

LIMIT_SECONDS = 60
# What makes bytes durable or files shorter; and of the writes in between every so many.
DURABLE_CALLS = ["fdatasync", "fsync", "ftruncate", "unlink"]
WRITES_BETWEEN = 8


def command(address):
    return [binary(), "migrate", "--config", "/dev/null", "--database", address]


def finished(address):
    """Migrates to the end, and says what the tables are then."""
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
    """Whether a migration got as far as this call, and was killed as soon as it was made."""
    trace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}"]
    killing = ["-e", f"inject={call}:signal=SIGKILL:when={number}"]
    run = subprocess.run([*trace, *killing, *command(f"sqlite:{path}")], capture_output=True, timeout=LIMIT_SECONDS)
    assert run.returncode in (0, -signal.SIGKILL), run.stderr
    return run.returncode != 0


def test_on_sqlite_it_makes_the_rest_when_it_is_started_again(tmp_path):
    whole = tmp_path / "whole.db"
    finished(f"sqlite:{whole}")
    expected = sqlite_tables(whole)
    points = 0
    for call, step in [(call, 1) for call in DURABLE_CALLS] + [("pwrite64", WRITES_BETWEEN)]:
        for number in itertools.count(1, step):
            path = tmp_path / f"{call}-{number}.db"
            if not is_killed_at(call, number, path):
                break
            points += 1
            finished(f"sqlite:{path}")
            assert sqlite_tables(path) == expected, f"killed at {call} {number}"
    # The commits of each of the steps, and of the table that counts them.
    assert points >= 20


class KillingProxy:
    """Passes on what a client and PostgreSQL tell each other; the client is killed before a message of its own goes on."""

    def __init__(self, port, kill_at):
        self._port, self._kill_at = port, kill_at
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"postgres://perennial@127.0.0.1:{self._listener.getsockname()[1]}/perennial"
        self._told = 0
        self._client = None
        threading.Thread(target=self._accept, daemon=True).start()

    def is_killed(self, arguments):
        """Runs the client to its end."""
        with self._lock:
            self._client = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        _, errors = self._client.communicate(timeout=LIMIT_SECONDS)
        self._listener.close()
        assert self._client.returncode in (0, -signal.SIGKILL), errors
        return self._client.returncode != 0

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._port))
            threading.Thread(target=self._pass_on, args=(near, far, self._count), daemon=True).start()
            threading.Thread(target=self._pass_on, args=(far, near, lambda: True), daemon=True).start()

    def _count(self):
        with self._lock:
            self._told += 1
            if self._told != self._kill_at:
                return True
            self._client.kill()
            return False

    def _pass_on(self, source, target, may_pass):
        try:
            while told := source.recv(1 << 20):
                if not may_pass():
                    break
                target.sendall(told)
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


def test_on_postgresql_it_makes_the_rest_when_it_is_started_again(tmp_path_factory):
    server = PostgreSQLServer(open_to_others(tmp_path_factory.mktemp("postgresql")))
    try:
        finished(server.url)
        expected = postgresql_tables(server)
        points = 0
        for number in itertools.count(1):
            server.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
            proxy = KillingProxy(server.port, number)
            if not proxy.is_killed(command(proxy.address)):
                break
            points += 1
            finished(server.url)
            assert postgresql_tables(server) == expected, f"killed at message {number}"
        assert points >= 20
    finally:
        server.stop()
