"""Webhooks of a real server: receivers of the guide, a receiver that fails, a killed server, and hostile receivers."""

import base64
import contextlib
import hmac
import itertools
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time

import pytest
import requests

from local_store import CALL_SECONDS_MAX, REPOSITORY, STOP_SECONDS_MAX, binary
from loopback_ports import reserved_port
from perennial_command import perennial
from subscription_server import SECRET_KEY
from test_guides import blocks
from test_server_process import start_server  # noqa: F401
from webhook_receiver import WebhookReceiver

# What takes longer does not happen. A busy machine takes much longer than usual.
WAIT_SECONDS_MAX = 180


def eventually(condition, message="it did not happen"):
    """Waits until a condition holds: the server sends webhooks in the background."""
    deadline = time.monotonic() + WAIT_SECONDS_MAX
    while time.monotonic() < deadline:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError(message() if callable(message) else message)


@pytest.fixture
def receivers():
    """Starts receivers, and stops them at the end."""
    started = []

    def start(**options):
        started.append(WebhookReceiver(**options))
        return started[-1]

    yield start
    for receiver in started:
        receiver.stop()


@pytest.fixture
def both(start_store, start_server, tmp_path):  # noqa: F811
    store = start_store(environment="production")
    return store, start_server(store, database=tmp_path / "perennial.db")


def add(server, url, **members):
    response = server.call("POST", "/v1/webhook_endpoints", {"url": url, **members})
    assert response.status_code == 201, response.text
    return response.json()


def feed(server):
    found, cursor = [], None
    while True:
        page = server.get("/v1/events", limit=1000, **({"after": cursor} if cursor else {}))
        found += page["data"]
        cursor = page["next_cursor"]
        if not page["has_more"]:
            return found


def command(server, *arguments, status=0):
    ended = perennial(
        "webhooks", *arguments, "--server", server.url, environment={"PERENNIAL_API_SECRET_KEY": SECRET_KEY}
    )
    assert ended.status == status, ended
    return ended


# The receivers of the guide


# The places of the blocks of one language on the page.
SHORT, ED25519, PYTHON, LIBRARY = range(4)
LONG = 1
RECEIVERS = {
    "python": ("python", PYTHON, "receiver.py", [sys.executable]),
    "standardwebhooks": ("python", LIBRARY, "receiver.py", [sys.executable]),
    "node": ("js", LONG, "receiver.mjs", ["node"]),
    "go": ("go", LONG, "receiver.go", ["go", "run"]),
    "swift": ("swift", LONG, None, ["ReceiveWebhooks"]),
}
SHORT_RECEIVERS = {
    "python": ("python", SHORT, "receiver.py", [sys.executable]),
    "node": ("js", SHORT, "receiver.mjs", ["node"]),
    "go": ("go", SHORT, "receiver.go", ["go", "run"]),
    "swift": ("swift", SHORT, None, ["ReceiveWebhooksMinimal"]),
}


def swift_without_hidden_parts(snippet):
    """The snippet as the page shows it."""
    source = (REPOSITORY / f"Snippets/{snippet}.swift").read_text()
    shown, is_hidden = [], False
    for line in source.splitlines():
        if line.startswith("// snippet."):
            is_hidden = line == "// snippet.hide"
        elif not is_hidden and not line.startswith("//!"):
            shown.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(shown)).strip()


def start_receiver(receiver, folder, port, secret):
    """Starts a receiver of the page, or skips the test if its language is not installed."""
    language, number, file, program = receiver
    source = blocks("webhooks.md", language)[number]
    if file:
        (folder / file).write_text(source)
        program = [*program, str(folder / file)]
    else:
        [snippet] = program
        assert swift_without_hidden_parts(snippet) == source.strip()
        program = [str(REPOSITORY / ".build/debug" / snippet)]
    if shutil.which(program[0]) is None:
        assert language in ("go", "js"), f"{program[0]} is missing"
        pytest.skip(f"{program[0]} is not installed")
    # `go run` starts the receiver as its child: both end with their group.
    return subprocess.Popen(
        program, stdout=subprocess.PIPE, text=True, start_new_session=True,
        env=os.environ | {"PORT": str(port), "WEBHOOK_SECRET": secret},
    )


def end_receiver(process):
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()


@pytest.mark.parametrize("name", RECEIVERS)
def test_each_receiver_of_the_guide_takes_what_the_server_sends(name, both, tmp_path):
    store, server = both
    port = reserved_port()
    endpoint = add(server, f"http://127.0.0.1:{port}/webhooks")
    process = start_receiver(RECEIVERS[name], tmp_path, port, endpoint["secrets"][0]["secret"])
    try:
        lines = []
        threading.Thread(target=lambda: lines.extend(process.stdout), daemon=True).start()
        eventually(lambda: server.call("POST", f"/v1/webhook_endpoints/{endpoint['id']}/test").json()["delivered"])
        account = store.new_account("USA")
        server.submit("u_42", store.buy(account, "pro.monthly")["signedTransactionInfo"])
        store.advance("P31D")
        # The first attempts may have come before the receiver listened.
        store.advance("PT1H")
        expected = [f"{event['type']} u_42 {event['state_version']}" for event in feed(server) if event["app_user_id"]]
        assert len(expected) >= 3
        eventually(
            lambda: [line.strip() for line in lines if " u_42 " in line] == expected,
            lambda: f"{lines} is not {expected}",
        )
    finally:
        end_receiver(process)


@pytest.mark.parametrize("name", SHORT_RECEIVERS)
def test_each_short_receiver_has_fifteen_lines_and_takes_only_what_the_server_sends(name, both, tmp_path):
    language, number, *_ = SHORT_RECEIVERS[name]
    assert len([line for line in blocks("webhooks.md", language)[number].splitlines() if line.strip()]) <= 15
    store, server = both
    port = reserved_port()
    endpoint = add(server, f"http://127.0.0.1:{port}/webhooks")
    secret = endpoint["secrets"][0]["secret"]
    process = start_receiver(SHORT_RECEIVERS[name], tmp_path, port, secret)
    try:
        lines = []
        threading.Thread(target=lambda: lines.extend(process.stdout), daemon=True).start()
        test_call = f"/v1/webhook_endpoints/{endpoint['id']}/test"
        eventually(lambda: server.call("POST", test_call).json()["delivered"])
        assert server.call("POST", test_call).json()["attempt"]["status"] == 204
        account = store.new_account("USA")
        for product in ("pro.monthly", "coins.100"):
            server.submit("u_42", store.buy(account, product)["signedTransactionInfo"])
        # The log keeps deliveries for three days.
        store.advance("PT1H")
        events = feed(server)
        assert len(events) >= 3

        def delivered():
            page = server.get("/v1/webhook_deliveries", endpoint_id=endpoint["id"], limit=100)
            return {line["event_id"] for line in page["data"] if line["state"] == "delivered"}

        eventually(lambda: delivered() == {event["id"] for event in events}, delivered)
        # The short one in Swift prints nothing.
        if name != "swift":
            customers = len([event for event in events if event["app_user_id"]])
            eventually(lambda: sum('"app_user_id":"u_42"' in line for line in lines) == customers, lambda: str(lines))

        def post(body=b"{}", signed=b"{}", seconds=0, key=secret, extra="", headers=None):
            at = int(time.time()) + seconds
            code = hmac.digest(base64.b64decode(key.removeprefix("whsec_")), f"evt_1.{at}.".encode() + signed, "sha256")
            fields = {
                "webhook-id": "evt_1", "webhook-timestamp": str(at),
                "webhook-signature": f"{extra}v1,{base64.b64encode(code).decode()}",
            }
            fields = fields if headers is None else headers
            return requests.post(f"http://127.0.0.1:{port}/webhooks", body, headers=fields, timeout=60).status_code

        assert post() == 204
        assert post(extra="v1,AAAA v1a,? x ") == 204
        assert post(body=b"{ }") == 400
        assert post(seconds=-400) == 400 and post(seconds=400) == 400
        assert post(key="whsec_" + base64.b64encode(bytes(32)).decode()) == 400
        assert post(headers={}) == 400
        wrong = {"webhook-id": "evt_1", "webhook-timestamp": "soon", "webhook-signature": "v1,\xe9" + "A" * 43}
        assert post(headers=wrong) == 400
        # A wrong request did no harm.
        assert post() == 204
    finally:
        end_receiver(process)


# The feed, whatever happens


def test_a_receiver_that_fails_a_third_of_the_time_gets_the_whole_feed_in_order(
    start_store, start_server, tmp_path, receivers  # noqa: F811
):
    store = start_store(environment="production")
    # The store's clock moves by months, so that every failed event would be overtaken.
    never = {"PERENNIAL_WEBHOOKS_OVERTAKE_AFTER_MS": "0"}
    server = start_server(store, database=tmp_path / "perennial.db", environment=never)
    count = itertools.count()
    receiver = receivers(status=lambda _: 500 if next(count) % 3 == 2 else 200)
    endpoint = add(server, receiver.url)
    receiver.secret = endpoint["secrets"][0]["secret"]
    accounts = [store.new_account("USA") for _ in range(6)]
    for number, account in enumerate(accounts):
        server.submit(f"u_{number}", store.buy(account, "pro.monthly")["signedTransactionInfo"])
    for _ in range(6):
        store.advance("P31D")
    receiver.status = 200
    for _ in range(8):
        store.advance("PT12H")
    events = feed(server)
    assert len(events) > 50
    assert not receiver.problems
    assert len(receiver.refused) > 15
    assert sorted(event["id"] for event in receiver.events) == sorted(event["id"] for event in events)
    by_id = {event["id"]: event for event in events}
    for event in receiver.events:
        assert event == by_id[event["id"]]
    for customer in {event["app_user_id"] for event in events if event["app_user_id"]}:
        received = [event["id"] for event in receiver.events if event["app_user_id"] == customer]
        assert received == [event["id"] for event in events if event["app_user_id"] == customer]
    shown = server.get(f"/v1/webhook_endpoints/{endpoint['id']}")
    assert shown["open_deliveries"] == 0
    assert shown["enabled"] is True


def test_the_guide_verifies_an_ed25519_signature(both, receivers):
    store, server = both
    receiver, arrived = receivers(), []
    receiver.take = lambda headers, body: arrived.append((headers, body)) or 204
    endpoint = add(server, receiver.url, signature="ed25519")
    source = blocks("webhooks.md", "python")[ED25519]
    page = {}
    exec(source.replace("whpk_…", endpoint["secrets"][0]["public_key"]), page)
    assert server.call("POST", f"/v1/webhook_endpoints/{endpoint['id']}/test").json()["delivered"] is True
    headers, body = arrived[0]
    signatures = headers["webhook-signature"]
    signed = (headers["webhook-id"], headers["webhook-timestamp"])
    assert page["is_signed"](*signed, body, "v1,AAAA " + signatures)
    assert not page["is_signed"](*signed, body + b" ", signatures)
    assert not page["is_signed"](*signed, body, "v1a,AAAA v1a,?")


def test_when_an_event_arrives_the_customer_is_at_least_at_its_version(both, receivers):
    store, server = both
    seen = []

    def ask(message):
        event = message["data"]
        if event["app_user_id"]:
            answer = server.call("GET", f"/v1/customers/{event['app_user_id']}")
            seen.append((event["state_version"], answer.json()["state_version"] if answer.ok else None))
        return 204

    receiver = receivers(status=ask)
    add(server, receiver.url)
    accounts = [store.new_account("USA") for _ in range(6)]
    for number, account in enumerate(accounts):
        bought = store.buy(account, "pro.monthly")
        submitted = server.submit(f"u_{number}", bought["signedTransactionInfo"])
        assert submitted["state_version"] >= 1
    for _ in range(3):
        store.advance("P31D")
    store.refund(bought["transactionId"])
    eventually(lambda: len(receiver.events) == len(feed(server)), lambda: f"{len(receiver.events)} events")
    assert len(seen) > 30
    assert all(shown is not None and shown >= sent for sent, shown in seen), seen


def test_a_killed_server_sends_again_what_it_did_not_store(both, receivers):
    store, server = both
    receiver = receivers()
    receiver.secret = add(server, receiver.url)["secrets"][0]["secret"]
    accounts = [store.new_account("USA") for _ in range(10)]
    # It is killed at once, and after some of what it sends.
    for further in (0, 1, 5):
        wanted = len(receiver.taken) + further
        for number, account in enumerate(accounts):
            product = "coins.100" if further else "pro.monthly"
            server.submit(f"u_{number}", store.buy(account, product)["signedTransactionInfo"])
        eventually(lambda: len(receiver.taken) >= wanted, lambda: f"{len(receiver.taken)} of {wanted} webhooks")
        server.kill()
        server.start()
    eventually(
        lambda: len(receiver.events) == len(feed(server)),
        lambda: f"{len(receiver.events)} of {len(feed(server))} events",
    )
    events = feed(server)
    assert {event["id"] for event in receiver.events} == {event["id"] for event in events}
    for customer in {event["app_user_id"] for event in events}:
        received = [event["id"] for event in receiver.events if event["app_user_id"] == customer]
        assert received == [event["id"] for event in events if event["app_user_id"] == customer]


def test_every_form_arrives_at_its_receiver(both, receivers):
    store, server = both
    forms = {}
    for form in ("events", "state", "apple", "revenuecat"):
        forms[form] = receivers()
        add(server, forms[form].url, form=form, **({"authorization": "Bearer x"} if form == "revenuecat" else {}))
    account = store.new_account("USA")
    token = "6f1d2a52-5c3b-4c1e-9a57-0d6c2a9be001"
    store.buy(account, "pro.monthly", appAccountToken=token)
    store.advance("P31D")
    store.advance("PT1M")
    events = feed(server)
    assert [message["data"] for _, message in forms["events"].taken] == events
    assert [message["data"]["event"] for _, message in forms["state"].taken] == events
    states = [message["data"]["entitlements"] for _, message in forms["state"].taken]
    assert all(event["app_user_id"] == token for event in events)
    assert all(state["state_version"] >= event["state_version"] for state, event in zip(states, events))
    held = [server.get(f"/v1/apple/notifications/{n['id']}") for n in server.notifications()]
    assert len(held) > 1
    assert [message["signedPayload"] for _, message in forms["apple"].taken] == [n["signed_payload"] for n in held]
    types = [message["event"]["type"] for _, message in forms["revenuecat"].taken]
    assert types == ["INITIAL_PURCHASE", "RENEWAL"]
    assert all(headers["Authorization"] == "Bearer x" for headers in forms["revenuecat"].headers)


# Hostile receivers


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


def test_the_log_has_the_duration_and_the_first_four_kibibytes_of_an_answer(both):
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


def test_a_receiver_that_is_down_is_not_taken_for_one_that_ended_the_connection(both):
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


# The command


def test_the_command_does_what_the_guide_says(both, receivers):
    store, server = both
    receiver = receivers()
    added = command(server, "add", receiver.url, "--label", "backend", "--events", "entitlement.*,subscription.started")
    lines = added.stdout.splitlines()
    endpoint = lines[0].split(":")[0]
    assert lines[0] == f"{endpoint}: {receiver.url}"
    assert "  form: events, types: entitlement.*, subscription.started" in lines
    receiver.secret = lines[-1].split(": ")[1]
    assert lines[-1].startswith("  secret, shown only now: whsec_")
    assert command(server, "test", endpoint).stdout.startswith("delivered: evt_test_")
    receiver.status = 500
    assert "answered 500" in command(server, "test", endpoint, status=1).stdout
    account = store.new_account("USA")
    server.submit("u_1", store.buy(account, "pro.monthly")["signedTransactionInfo"])
    eventually(lambda: len(command(server, "deliveries", endpoint, "--state", "waiting").stdout.splitlines()) == 2)
    listed = command(server, "deliveries", endpoint, "--state", "waiting").stdout.splitlines()
    waiting = next(line for line in listed if "entitlement.granted" in line).split()
    assert waiting[1:4] == ["entitlement.granted", "u_1", "waiting"]
    receiver.status = 200
    resent = command(server, "resend", waiting[0])
    assert "waiting" in resent.stdout
    # The other one waits for its time.
    eventually(lambda: len(receiver.events) == 1)
    # The server stores the result after the answer of the receiver.
    eventually(lambda: "delivered" in command(server, "deliveries", "--customer", "u_1").stdout)
    again = command(server, "resend", endpoint, "--after", "beginning")
    assert again.stdout == f"{endpoint}: 1 events are sent again.\n"
    eventually(lambda: len(receiver.taken) == 3)
    rotated = command(server, "rotate", endpoint, "--overlap-hours", "0").stdout
    receiver.secret = rotated.splitlines()[-1].split(": ")[1]
    assert command(server, "test", endpoint).stdout.startswith("delivered: evt_test_")
    assert "disabled by an operator" in command(server, "change", endpoint, "--disable").stdout
    assert "state: enabled" in command(server, "change", endpoint, "--enable", "--events", "*").stdout
    assert endpoint in command(server, "list").stdout
    assert command(server, "show", endpoint, "--json").json["event_types"] == ["*"]
    assert command(server, "remove", endpoint).stdout == f"{endpoint} is removed.\n"
    assert "webhook_endpoint_not_found" in command(server, "show", endpoint, status=1).stderr
    assert command(server, "list").stdout == ""
    for wrong in (["show", "x"], ["deliveries"], ["change", endpoint], ["rotate", endpoint, "--overlap-hours", "169"]):
        assert command(server, *wrong, status=64).stderr


def test_an_empty_log_says_for_which_endpoints_events_wait(both, receivers):
    store, server = both
    waiting = add(server, receivers().url)["id"]
    other = add(server, receivers().url, event_types=["recovery.*"])["id"]
    assert command(server, "deliveries", "--customer", "u_1").stdout.splitlines() == [
        "The log is empty: nothing was sent yet, or what was sent was removed."
    ]
    for endpoint in (waiting, other):
        command(server, "change", endpoint, "--disable")
    server.submit("u_1", store.buy(store.new_account("USA"), "pro.monthly")["signedTransactionInfo"])
    lines = command(server, "deliveries", "--customer", "u_1").stdout.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith(waiting)
    assert "events still wait" in lines[1]
    assert command(server, "deliveries", other).stdout.count("\n") == 1
    assert command(server, "deliveries", "--customer", "u_1", "--json").stdout == ""


def test_a_chat_is_told_that_an_endpoint_was_disabled(both, receivers):
    store, server = both
    gone, chat = receivers(), receivers()
    gone.status = 410
    endpoint = add(server, gone.url)["id"]
    command(server, "add", chat.url, "--events", "alerts", "--form", "text")
    server.submit("u_1", store.buy(store.new_account("USA"), "pro.monthly")["signedTransactionInfo"])
    eventually(lambda: len(chat.taken) == 1)
    text = chat.taken[0][1]["text"]
    assert endpoint in text
    assert "410" in text
    assert "u_1" not in text
    assert "answered 410" in command(server, "list").stdout


def test_a_stopped_server_gives_its_endpoints_back(both, receivers):
    store, server = both
    receiver = receivers()
    under_way = threading.Event()

    def answer_after_the_stop(_):
        under_way.set()
        eventually(server.is_stopping, "the server does not stop")
        # A stopping server waits for five seconds.
        time.sleep(1)
        return 204

    receiver.status = answer_after_the_stop
    # The store waits for webhooks after its own commands, so the purchases are made before there is an endpoint.
    account = store.new_account("USA")
    signed = [store.buy(account, product)["signedTransactionInfo"] for product in ("pro.monthly", "lifetime")]
    endpoint = add(server, receiver.url)["id"]
    server.submit("u_1", signed[0])
    assert under_way.wait(WAIT_SECONDS_MAX)
    server.submit("u_1", signed[1])
    events = [event["id"] for event in server.get("/v1/events", limit=100)["data"] if event["app_user_id"] == "u_1"]
    assert len(events) > 1
    server.stop()
    taken = [webhook_id for webhook_id, _ in receiver.taken]
    assert taken == events[:1], "the second event of the customer is not begun"
    with contextlib.closing(sqlite3.connect(server._database.removeprefix("sqlite:"))) as database:
        leases = database.execute("SELECT holder, held_until FROM webhook_progress").fetchall()
    assert leases == [(None, None)], "the lease of the stopped server was returned"
    receiver.status = 204
    server.start()
    eventually(lambda: len(receiver.taken) >= len(events))
    assert [webhook_id for webhook_id, _ in receiver.taken] == events, "nothing was sent twice"
    assert server.get(f"/v1/webhook_endpoints/{endpoint}")["failures"] == 0


def test_listen_prints_what_arrives_and_leaves_no_endpoint(both):
    store, server = both
    account = store.new_account("USA")
    token = "6f1d2a52-5c3b-4c1e-9a57-0d6c2a9be001"
    store.buy(account, "pro.monthly", appAccountToken=token)
    shown = command(server, "listen", "--after", "beginning", "--count", "2")
    assert shown.stdout == f"subscription.started  {token}  1\nentitlement.granted  {token}  1\n"
    listening = subprocess.Popen(
        [str(binary()), "webhooks", "listen", "--json", "--events", "entitlement.*", "--server", server.url],
        stdout=subprocess.PIPE, text=True, env=os.environ | {"PERENNIAL_API_SECRET_KEY": SECRET_KEY},
    )
    try:
        eventually(lambda: len(server.get("/v1/webhook_endpoints")["data"]) == 1)
        store.advance("P31D")
        assert '"type":"entitlement.extended"' in listening.stdout.readline()
        listening.terminate()
        assert listening.wait(STOP_SECONDS_MAX) == 0
    finally:
        listening.kill()
        listening.stdout.close()
    assert server.get("/v1/webhook_endpoints")["data"] == []
    assert command(server, "listen", "--count", "0", status=64).stderr
