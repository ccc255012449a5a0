"""Webhooks: a real server and receivers that are slow, talkative, broken or down, or that it must not call."""

import os
import re
import socket
import subprocess
import threading
import time

import pytest
import requests

from local_store import CALL_SECONDS_MAX, binary
from loopback_ports import reserved_port
from perennial_command import perennial
from test_server_process import start_server  # noqa: F401
from webhook_calls import add, both, eventually  # noqa: F401


class RawReceiver:
    """Accepts connections, and does with each what a function says."""

    def __init__(self, handle):
        port = reserved_port()
        self._socket = socket.create_server(("127.0.0.1", port))
        self.url = f"http://127.0.0.1:{port}/"
        self.count = 0
        self._handle = handle
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.count += 1
            threading.Thread(target=self._run, args=(connection,), daemon=True).start()

    def _run(self, connection):
        with connection:
            try:
                read_request(connection)
                self._handle(connection)
            except OSError:
                pass

    def stop(self):
        self._socket.close()


def read_request(connection):
    """Reads a whole request: a connection that is closed with unread bytes is reset, and its answer can be lost."""
    request = b""
    length = None
    while length is None or len(request) < length:
        received = connection.recv(65536)
        if not received:
            raise ConnectionError("the request ended early")
        request += received
        head, end, _ = request.partition(b"\r\n\r\n")
        if end and length is None:
            field = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
            if field is None:
                raise ConnectionError("the request has no Content-Length")
            length = len(head + end) + int(field.group(1))


def never_answer(connection):
    # Until the client ends the connection.
    connection.recv(1)


def one_byte_a_second(connection):
    for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n":
        connection.sendall(bytes([byte]))
        time.sleep(1)


def slow_body(connection):
    # The first byte arrives with the head: the server reads a body for two seconds only.
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx")
    for _ in range(99):
        time.sleep(1)
        connection.sendall(b"x")


def large_body(connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n" + b"y" * 100_000)
    for _ in range(999):
        connection.sendall(b"y" * 100_000)


def close_early(connection):
    connection.sendall(b"HTTP/1.1 200")


def redirect(connection):
    connection.sendall(
        b"HTTP/1.1 307 Temporary Redirect\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n"
    )


def garbage(connection):
    connection.sendall(b"\x00\xff\x16\x03\x01 no http at all\r\n\r\n")


@pytest.mark.parametrize(
    ("handle", "delivered", "expected"),
    [
        (never_answer, False, "timed_out"),
        (one_byte_a_second, False, "timed_out"),
        (slow_body, True, "x"),
        (large_body, True, "y" * 4096),
        (close_early, False, "connection_lost"),
        (redirect, False, 307),
        (garbage, False, "connection_lost"),
    ],
)
def test_a_hostile_receiver_gets_one_attempt_that_ends_in_time(
    handle, delivered, expected, start_store, start_server, tmp_path  # noqa: F811
):
    store = start_store(environment="production")
    server = start_server(
        store, database=tmp_path / "perennial.db", environment={"PERENNIAL_WEBHOOKS_TIMEOUT_MS": "5000"}
    )
    receiver = RawReceiver(handle)
    try:
        endpoint = add(server, receiver.url)["id"]
        begun = time.monotonic()
        result = server.call("POST", f"/v1/webhook_endpoints/{endpoint}/test").json()
        # The receivers that end at all would need 38 seconds or more.
        assert time.monotonic() - begun < 35
        assert result["delivered"] is delivered, result
        attempt = result["attempt"]
        assert expected in (attempt.get("error"), attempt["status"]) or attempt.get("answer", "").startswith(expected)
        assert len(attempt.get("answer", "")) <= 4096
        assert receiver.count == 1
    finally:
        receiver.stop()


def slow_and_long(connection):
    time.sleep(0.3)
    body = "ä".encode() + b"z" * 10_000
    connection.sendall(b"HTTP/1.1 500 Error\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))


def test_the_log_has_the_duration_and_the_first_four_kibibytes_of_an_answer(both):  # noqa: F811
    store, server = both
    receiver = RawReceiver(slow_and_long)
    try:
        endpoint = add(server, receiver.url + "?token=T0KEN")["id"]
        server.submit("u_1", store.buy(store.new_account("USA"), "coins.100")["signedTransactionInfo"])

        def stored():
            found = server.get("/v1/webhook_deliveries", endpoint_id=endpoint, state="waiting")["data"]
            return found and server.get(f"/v1/webhook_deliveries/{found[0]['id']}")

        eventually(stored)
        delivery = stored()
        attempt = delivery["attempts"][0]
        assert attempt["status"] == 500
        assert attempt["answer"] == "ä" + "z" * 4094
        assert 300 <= attempt["duration_ms"] < 15_000
        assert attempt["origin"] == receiver.url.rstrip("/")
        assert abs(attempt["webhook_timestamp"] - time.time()) < 60
        assert "T0KEN" not in str(delivery)
    finally:
        receiver.stop()


def test_a_receiver_that_is_down_is_not_taken_for_one_that_ended_the_connection(both):  # noqa: F811
    _, server = both
    endpoint = add(server, f"http://127.0.0.1:{reserved_port()}/")["id"]
    result = server.call("POST", f"/v1/webhook_endpoints/{endpoint}/test").json()
    assert result["attempt"]["error"] == "connection_failed", result


@pytest.mark.parametrize(
    "url",
    [
        "not a url", "example.com", "ftp://example.com/", "https://", "https://user:password@example.com/",
        "https://example.com/#fragment", "http://127.0.0.1/", "https://127.0.0.1/", "https://localhost/",
        "https://169.254.169.254/latest/meta-data", "https://[::1]/", "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:169.254.169.254]/", "https://[64:ff9b::7f00:1]/", "https://[fd00::1]/", "https://[fe80::1]/",
        "https://2130706433/", "https://0x7f.1/", "https://017700000001/", "https://0/", "https://10.1.2.3/",
        "https://172.20.0.1/", "https://192.168.1.1/", "https://100.64.0.1/", "https://224.0.0.1/", "http://8.8.8.8/",
        "https://8.8.8.8%00.localhost/", "https://%38.8.8.8/", "https://127.0.0.1%00.example.com/",
        "https://name.invalid/", "https://example.com:0/", "https://exa mple.com/", "https://example.com/" + "x" * 2100,
    ],
)
def test_a_server_for_real_apps_calls_public_addresses_only(url, real_server):
    response = real_server("POST", "/v1/webhook_endpoints", {"url": url})
    assert response.status_code == 400, response.text
    assert response.json()["error"]["code"] in ("webhook_url_refused", "parameter_invalid")
    assert "url" == response.json()["error"]["param"]


@pytest.fixture(scope="module")
def real_server(tmp_path_factory):
    """Calls of a server that follows no store."""
    folder = tmp_path_factory.mktemp("real")
    database = f"sqlite:{folder / 'perennial.db'}"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PERENNIAL_")}
    common = ["--database", database]
    process = subprocess.Popen(
        [str(binary()), "serve", "--port", "0", "--app", "com.example.app", *common],
        stdout=subprocess.PIPE, text=True, cwd=folder, env=environment,
    )
    try:
        url = process.stdout.readline().removeprefix("listening on ").strip()
        made = perennial("keys", "create", "--bundle-id", "com.example.app", *common)
        key = next(word for word in made.stdout.split() if word.startswith("sk_"))

        def call(method, path, body=None):
            headers = {"Authorization": f"Bearer {key}"}
            return requests.request(method, url + path, json=body, headers=headers, timeout=CALL_SECONDS_MAX)

        yield call
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
