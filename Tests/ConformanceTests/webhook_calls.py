"""What tests of webhooks share: receivers, calls of the API, and the command."""

import time

import pytest

from perennial_command import perennial
from subscription_server import SECRET_KEY
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
def both(start_store, start_server, tmp_path):
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
