"""A PostgreSQL server for the tests. It uses a free loopback port and runs as an unprivileged user."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from loopback_ports import reserved_port

USER = "nobody"
# On a machine with a busy disk, a standby can take minutes to start.
START_SECONDS_MAX = 180


def programs():
    """The folder with the programs of the newest installed version. The tests fail if there is none."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
    assert folders, "These tests need a PostgreSQL server. Install it: apt-get install postgresql"
    return folders[-1]


def allow_other_users(folder):
    """Lets the unprivileged user of the PostgreSQL server enter the folder and its parent folders."""
    folder.chmod(0o755)
    for parent in folder.parents:
        # Each process of parallel tests has a folder popen-gwN.
        if ("pytest" in parent.name or parent.name.startswith("popen-")) and parent.stat().st_uid == os.geteuid():
            parent.chmod(0o755)
    return folder


class PostgreSQLServer:
    """One server with its own data folder. It can be killed and started again."""

    def __init__(self, folder, primary=None):
        self._folder = Path(folder)
        self._data = self._folder / "data"
        self.port = reserved_port()
        self.url = f"postgres://perennial@127.0.0.1:{self.port}/perennial"
        self._process = None
        if os.geteuid() == 0:
            shutil.chown(self._folder, USER)
        if primary is not None:
            self._start_as_standby(primary)
            return
        self._run("initdb", "-D", self._data, "-U", "perennial", "-A", "trust", "-E", "UTF8", "--no-sync")
        self.start()
        self._run("createdb", "-h", "127.0.0.1", "-p", self.port, "-U", "perennial", "perennial")

    def _start_as_standby(self, primary):
        """Starts a synchronous standby. The primary confirms a commit only after the standby has received it."""
        self._run("pg_basebackup", "-h", "127.0.0.1", "-p", primary.port, "-U", "perennial", "-D", self._data,
                  "-R", "-c", "fast", "--no-sync")
        self.start()
        primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.query("SELECT pg_reload_conf()")
        deadline = time.monotonic() + START_SECONDS_MAX
        while primary.query("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'").strip() != "1":
            assert time.monotonic() < deadline, "the standby does not follow"
            time.sleep(0.1)

    def create_database(self, name):
        """Creates an empty database beside `perennial`, and returns its address."""
        self._run("createdb", "-h", "127.0.0.1", "-p", self.port, "-U", "perennial", name)
        return f"{self.url.removesuffix('/perennial')}/{name}"

    def promote(self):
        """Promotes the standby. It then accepts writes."""
        self.query("SELECT pg_promote()")

    def start(self):
        log = open(self._folder.parent / f"postgres-{self.port}.log", "ab")
        self._process = subprocess.Popen(
            [
                programs() / "postgres", "-D", self._data, "-p", str(self.port), "-k", "", "-h", "127.0.0.1",
                "-c", "max_wal_size=32MB", "-c", "min_wal_size=32MB",
            ],
            stdout=log, stderr=log, user=USER if os.geteuid() == 0 else None, cwd="/",
        )
        log.close()
        self._wait()

    def restart_if_ended(self):
        """Starts the server again if it ended by itself, for example because its disk was full."""
        deadline = time.monotonic() + START_SECONDS_MAX
        while not self._is_ready():
            assert time.monotonic() < deadline, "PostgreSQL does not start"
            # It may end only now.
            if self._process.poll() is not None:
                self.start()
            time.sleep(0.1)

    def _wait(self):
        deadline = time.monotonic() + START_SECONDS_MAX
        while not self._is_ready():
            assert time.monotonic() < deadline, "PostgreSQL does not start"
            time.sleep(0.1)

    def _is_ready(self):
        return self._run("pg_isready", "-h", "127.0.0.1", "-p", self.port, check=False).returncode == 0

    def query(self, statement, database="perennial"):
        """Runs the statement with psql and returns the output."""
        arguments = [
            "-h", "127.0.0.1", "-p", self.port, "-U", "perennial", "-At", "-v", "ON_ERROR_STOP=1", "-c", statement,
        ]
        return self._run("psql", *arguments, database).stdout

    def kill(self):
        """Stops the server as in a crash, without a checkpoint."""
        self._end()

    @contextlib.contextmanager
    def frozen(self):
        """Suspends the server: it sends no response and closes no connection, like a machine that hangs."""
        # The suspended parent starts no further processes.
        self._process.send_signal(signal.SIGSTOP)
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        processes = [*map(int, children), self._process.pid]
        self._send_to_all(processes, signal.SIGSTOP)
        try:
            yield
        finally:
            self._send_to_all(processes, signal.SIGCONT)

    @staticmethod
    def _send_to_all(processes, number):
        for process in processes:
            with contextlib.suppress(ProcessLookupError):  # It ended just now.
                os.kill(process, number)

    def stop(self):
        if self._process is not None and self._process.poll() is None:
            self._end()

    def _end(self):
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(START_SECONDS_MAX)

    def _run(self, name, *arguments, check=True):
        return subprocess.run(
            [programs() / name, *map(str, arguments)], check=check, capture_output=True, text=True, cwd="/",
            user=USER if os.geteuid() == 0 else None,
        )
