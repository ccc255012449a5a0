"""A running `perennial serve`, and the calls of its API."""

import contextlib
import os
import queue
import signal
import socket
import subprocess
import threading
from pathlib import Path

import requests

from local_store import CALL_SECONDS_MAX, START_SECONDS_MAX, STOP_SECONDS_MAX, binary
from loopback_ports import reserved_port

SECRET_KEY = "sk_conformance0123456789abcdef"


def database_option(database):
    """The value of `--database`. A path is the file of an SQLite database."""
    return database if str(database).startswith("postgres") else f"sqlite:{database}"


class SubscriptionServer:
    """One server process that follows a store. It can be killed and started again with the same port and database."""

    def __init__(self, log_path, store_url, database, *, user=None, environment=None):
        self._log_path = log_path
        self._store_url = store_url
        self._database = database_option(database)
        self._user = user
        self._environment = environment or {}
        self.port = reserved_port()
        self.start()

    def start(self):
        self._log = open(self._log_path, "ab")
        self._process = subprocess.Popen(
            [
                str(binary()), "serve", "--port", str(self.port), "--store", self._store_url,
                "--database", self._database,
            ],
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            user=self._user,
            env=os.environ | {"PERENNIAL_DEV_SECRET_KEY": SECRET_KEY} | self._environment,
        )
        lines = queue.Queue()
        threading.Thread(target=lambda: lines.put(self._process.stdout.readline()), daemon=True).start()
        try:
            line = lines.get(timeout=START_SECONDS_MAX)
        except queue.Empty:
            line = ""
        if not line.startswith("listening on "):
            self.stop()
            raise AssertionError(f"the server did not start: {line!r}\n{Path(self._log_path).read_text()}")
        self.url = line.removeprefix("listening on ").strip()
        self.port = int(self.url.rsplit(":", 1)[1])

    def kill(self):
        """Kills the process with SIGKILL."""
        self._process.send_signal(signal.SIGKILL)
        self._end()

    @contextlib.contextmanager
    def frozen(self):
        """Suspends the process: it answers nothing and closes no connection."""
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def stop(self):
        """Stops the process with SIGTERM, or with SIGKILL after a timeout. Returns its exit status."""
        self._process.terminate()
        return self._end()

    def is_stopping(self):
        """Whether the process has logged that it stops, and accepts no connection any more."""
        if '"message":"Stopping: ' not in Path(self._log_path).read_text():
            return False
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=CALL_SECONDS_MAX).close()
        except ConnectionRefusedError:
            return True
        return False

    def _end(self):
        try:
            return self._process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait(STOP_SECONDS_MAX)
        finally:
            self._process.stdout.close()
            self._log.close()

    def call(self, method, path, body=None, *, key=SECRET_KEY, **parameters):
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return requests.request(
            method, self.url + path, json=body, headers=headers, params=parameters, timeout=CALL_SECONDS_MAX
        )

    def get(self, path, **parameters):
        response = self.call("GET", path, **parameters)
        assert response.ok, f"GET {path}: {response.status_code} {response.text}"
        return response.json()

    def submit(self, customer, signed_transaction):
        body = {"app_user_id": customer, "signed_transaction": signed_transaction}
        response = self.call("POST", "/v1/transactions", body)
        assert response.ok, f"POST /v1/transactions: {response.status_code} {response.text}"
        return response.json()

    def notifications(self):
        """All notifications of the server, from all pages."""
        notifications, cursor = [], None
        while True:
            page = self.get("/v1/apple/notifications", limit=1000, **({"after": cursor} if cursor else {}))
            notifications += page["data"]
            cursor = page["next_cursor"]
            if not page["has_more"]:
                return notifications
