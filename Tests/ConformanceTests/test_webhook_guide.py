"""Webhooks: the receivers of the guide take what a real server sends."""

import base64
import hmac
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest
import requests

from local_store import CALL_SECONDS_MAX, REPOSITORY
from loopback_ports import reserved_port
from test_guides import blocks
from test_server_process import start_server  # noqa: F401
from webhook_calls import add, both, eventually, feed, receivers  # noqa: F401

# The positions of the blocks of one language on the page.
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
    """Starts a receiver of the page."""
    language, number, file, program = receiver
    source = blocks("webhooks.md", language)[number]
    if file:
        (folder / file).write_text(source)
        program = [*program, str(folder / file)]
    else:
        [snippet] = program
        assert swift_without_hidden_parts(snippet) == source.strip()
        program = [str(REPOSITORY / ".build/debug" / snippet)]
    assert shutil.which(program[0]), f"{program[0]} is missing: run scripts/install-dependencies.sh test"
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
def test_each_receiver_of_the_guide_takes_what_the_server_sends(name, both, tmp_path):  # noqa: F811
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
        if name in ("python", "standardwebhooks"):
            with socket.create_connection(("127.0.0.1", port), timeout=CALL_SECONDS_MAX) as connection:
                connection.sendall(b"POST /webhooks HTTP/1.1\r\nHost: x\r\nContent-Length: soon\r\n\r\n")
                assert connection.makefile("rb").readline().split()[1] == b"400"
    finally:
        end_receiver(process)


@pytest.mark.parametrize("name", SHORT_RECEIVERS)
def test_each_short_receiver_has_fifteen_lines_and_takes_only_what_the_server_sends(name, both, tmp_path):  # noqa: F811
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


def test_the_guide_verifies_an_ed25519_signature(both, receivers):  # noqa: F811
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
