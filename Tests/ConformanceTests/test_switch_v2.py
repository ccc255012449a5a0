"""`perennial notifications switch-v2`: from version 1 to version 2, with the local store as Apple."""

import json
import subprocess

import pytest

from local_store import binary
from subscription_server import SECRET_KEY, SubscriptionServer
from test_two_stores import KEYS, Server, both

SECONDS_MAX = 120


@pytest.fixture
def start_server(tmp_path, new_database):
    """Starts a server that follows the store, and stops it at the end of the test."""
    servers = []

    def start(store):
        servers.append(SubscriptionServer(tmp_path / "serve.log", store.url, new_database()))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def send_as(store, server, version):
    store.put("notification-endpoint", {"url": f"{server.url}/v1/apple/notifications", "version": version})


def run(server, *options, key=SECRET_KEY):
    return subprocess.run(
        [str(binary()), "notifications", "switch-v2", "--server", server.url, "--json", "--wait", "20", *options],
        env={"PERENNIAL_API_SECRET_KEY": key}, capture_output=True, text=True, timeout=SECONDS_MAX, check=False,
    )


def guide(server, *options, key=SECRET_KEY):
    completed = run(server, *options, key=key)
    assert completed.stdout, completed
    answer = json.loads(completed.stdout)
    assert completed.returncode == (0 if answer["finished"] else 1)
    assert all(step["message"] for step in answer["steps"])
    return answer, [(step["step"], step["state"]) for step in answer["steps"]]


@pytest.fixture
def production(start_store, start_server):
    store = start_store(environment="production")
    return store, start_server(store)


def test_the_sandbox_is_switched_in_steps(store, start_server):
    server = start_server(store)
    send_as(store, server, "V1")
    account = store.new_account()
    store.buy(account, "pro.monthly")
    assert server.get("/v1/apple/notification_versions")["version_1"]["count"] == 1
    assert server.get("/v1/apple/unknown_notifications")["data"] == []
    answer, steps = guide(server)
    # The test notification is of version 2, though the URL has version 1.
    assert answer["environment"] == "sandbox"
    assert steps == [("url", "done"), ("test", "done"), ("switch", "to_do"), ("retries", "waiting")]
    send_as(store, server, "V2")
    store.buy(store.new_account(), "pro.monthly")
    assert guide(server)[1] == [("switch", "done"), ("retries", "waiting")]
    unchecked = run(server, "--url", "https://subs.example.com/v1/apple/notifications")
    assert "the URL of --url was not checked, because version 2 arrives already" in unchecked.stderr, unchecked
    store.advance("PT1H")
    assert guide(server)[1] == [("switch", "done"), ("retries", "done")]
    assert guide(server)[0]["finished"]


def test_production_waits_for_the_sandbox_and_for_the_last_retry(production):
    store, server = production
    assert guide(server)[1] == [("sandbox", "to_do")]
    send_as(store, server, "V1")
    store.buy(store.new_account(), "pro.monthly")
    assert guide(server, "--without-sandbox")[1][2:] == [("switch", "to_do"), ("retries", "waiting")]
    # A version 1 notification that the server does not take is repeated after 6, 24 and 48 hours.
    server.stop()
    store.buy(store.new_account(), "pro.monthly")
    server.start()
    send_as(store, server, "V2")
    store.buy(store.new_account(), "pro.monthly")
    before = server.get("/v1/apple/notification_versions")
    assert before["version_1"]["count"] == 1 and before["version_2"]["first_received_at"]
    store.advance("PT78H")
    after = server.get("/v1/apple/notification_versions")
    assert after["version_1"]["count"] == 2
    assert guide(server, "--without-sandbox")[1] == [("switch", "done"), ("retries", "waiting")]
    store.advance("PT1H")
    assert guide(server, "--without-sandbox")[0]["finished"]


def test_production_follows_its_sandbox_on_the_same_server(start_store, new_database, tmp_path):
    sandbox, production = stores = both(start_store)
    server = Server(stores, new_database())
    sandbox_key, production_key, wrong_key = (tmp_path / f"{name}.txt" for name in ("sandbox", "production", "wrong"))
    for file, key in ((sandbox_key, KEYS[0]), (production_key, KEYS[1])):
        file.write_text(key + "\n")
        file.chmod(0o600)
    options = ("--sandbox-key-file", str(sandbox_key))

    def buy_in(store, version):
        send_as(store, server, version)
        store.buy(store.new_account(), "pro.monthly")

    def advance(duration):
        for store in stores:
            store.advance(duration)

    try:
        for store in stores:
            buy_in(store, "V1")
        answer, steps = guide(server, *options, key=KEYS[1])
        assert (answer["environment"], steps) == ("production", [("sandbox", "to_do")])
        buy_in(sandbox, "V2")
        assert guide(server, *options, key=KEYS[1])[1] == [("sandbox", "waiting")]
        advance("PT1H")
        assert guide(server, *options, key=KEYS[1])[1] == [
            ("sandbox", "done"), ("url", "done"), ("test", "done"), ("switch", "to_do"), ("retries", "waiting")
        ]
        refused = run(server, "--sandbox-key-file", str(production_key), key=KEYS[1])
        assert (refused.returncode != 0, refused.stdout) == (True, "")
        assert "--sandbox-key-file has a key of production" in refused.stderr
        swapped = run(server, "--sandbox-key-file", str(production_key), key=KEYS[0])
        assert (swapped.returncode != 0, swapped.stdout) == (True, "")
        assert "PERENNIAL_API_SECRET_KEY is one of the sandbox" in swapped.stderr
        wrong_key.write_text("sk_wrong\n")
        wrong_key.chmod(0o600)
        wrong = run(server, "--sandbox-key-file", str(wrong_key), key=KEYS[1])
        assert (wrong.returncode != 0, wrong.stdout) == (True, "")
        assert "key_invalid: --sandbox-key-file: " in wrong.stderr
        wrong_key.write_text("pk_wrong\n")
        publishable = run(server, "--sandbox-key-file", str(wrong_key), key=KEYS[1])
        assert (publishable.returncode != 0, publishable.stdout) == (True, "")
        assert "secret_key_missing: --sandbox-key-file: " in publishable.stderr
        buy_in(production, "V2")
        advance("PT79H")
        answer, steps = guide(server, *options, key=KEYS[1])
        assert answer["finished"] and steps == [("sandbox", "done"), ("switch", "done"), ("retries", "done")]
    finally:
        server.stop()


def test_a_wrong_url_is_found_before_and_by_the_test_notification(store, receiver, start_server):
    server = start_server(store)
    assert guide(server, "--url", f"{server.url}/elsewhere")[1] == [("url", "to_do")]
    assert guide(server, "--url", "http://127.0.0.1:1/")[1] == [("url", "to_do")]
    # App Store Connect has no URL, then the URL of another server.
    store.put("notification-endpoint", {"url": None})
    assert guide(server)[1] == [("url", "done"), ("test", "to_do")]
    store.send_notifications_to(receiver.url)
    answer, steps = guide(server)
    assert steps == [("url", "done"), ("test", "to_do")] and "not to this server" in answer["steps"][1]["message"]
