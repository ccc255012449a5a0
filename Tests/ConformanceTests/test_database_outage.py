"""The database goes away under load: for some seconds in `make test`, for a whole minute in `make outage`."""

import contextlib
import os
import queue
import threading
import time
from collections import Counter

import pytest
import requests

from notification_receiver import NotificationReceiver
from postgresql_server import PostgreSQLServer
from subscription_server import SubscriptionServer
from test_postgresql_process import open_to_others
from test_server_process import assert_agreement, populated

OUTAGE_SECONDS = float(os.environ.get("PERENNIAL_OUTAGE_SECONDS", "5"))
SENDERS = 16
PAUSE_SECONDS = 0.2
ANSWER_SECONDS_MAX = 60


class Load:
    """Sends notifications to servers, each again and again until it is taken, as Apple does."""

    def __init__(self, payloads, servers):
        self._waiting = queue.Queue()
        for payload in payloads:
            self._waiting.put(payload)
        self._servers = servers
        self._lock = threading.Lock()
        self.answers = []
        self._threads = [threading.Thread(target=self._send, args=(n,), daemon=True) for n in range(SENDERS)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        for thread in self._threads:
            thread.join()

    def count(self, wanted):
        with self._lock:
            return sum(status == wanted for _, status, _ in self.answers)

    def _send(self, number):
        session = requests.Session()
        url = self._servers[number % len(self._servers)].url + "/v1/apple/notifications"
        while True:
            try:
                payload = self._waiting.get_nowait()
            except queue.Empty:
                return
            start = time.monotonic()
            answer = session.post(url, json={"signedPayload": payload}, timeout=ANSWER_SECONDS_MAX)
            with self._lock:
                self.answers.append((start, answer.status_code, time.monotonic() - start))
            if answer.status_code != 200:
                assert answer.headers["Retry-After"] and answer.json()["error"]["retryable"]
                self._waiting.put(payload)
                time.sleep(PAUSE_SECONDS)


@pytest.fixture
def postgresql(tmp_path_factory):
    server = PostgreSQLServer(open_to_others(tmp_path_factory.mktemp("postgresql")))
    yield server
    server.stop()


@pytest.fixture
def servers(tmp_path):
    started = []

    def start(store, url):
        started.append(SubscriptionServer(tmp_path / f"serve-{len(started)}.log", store.url, url))
        return started[-1]

    yield start
    for server in started:
        server.stop()


def test_while_the_database_is_away_apple_gets_503_and_in_the_end_everything_is_held_once(
    start_store, servers, postgresql
):
    store = start_store(environment="production")
    pair = [servers(store, postgresql.url), servers(store, postgresql.url)]
    accounts = populated(store, pair[0])
    payloads = untold(store, pair[0])

    with Load(payloads, pair) as load:
        wait_until(lambda: load.count(200) > len(payloads) // 10)
        gone = time.monotonic()
        postgresql.kill()
        away = time.monotonic()
        while time.monotonic() < away + OUTAGE_SECONDS:
            time.sleep(0.5)
            for server in pair:
                assert server.call("GET", "/readyz", key=None).status_code == 503
                assert server.call("GET", "/healthz", key=None).status_code == 200
        back = time.monotonic()
        postgresql.start()

    meanwhile = [(status, seconds) for start, status, seconds in load.answers if away <= start < back]
    assert Counter(status for status, _ in meanwhile).keys() == {503}
    assert {status for _, status, _ in load.answers} == {200, 503}
    assert max(seconds for _, _, seconds in load.answers) < ANSWER_SECONDS_MAX / 2
    assert back - gone >= OUTAGE_SECONDS

    for server in pair:
        assert server.call("GET", "/readyz", key=None).status_code == 200
        assert_agreement(store, server, accounts)
    assert_each_period_is_told_once(store, pair[1], accounts)


def test_a_server_ends_when_it_is_told_though_its_database_is_frozen(start_store, servers, postgresql):
    store = start_store(environment="production")
    server = servers(store, postgresql.url)
    accounts = populated(store, server)
    with postgresql.frozen():
        waiting = threading.Thread(target=lambda: unanswered(server, f"/v1/customers/{accounts[0]}"), daemon=True)
        waiting.start()
        time.sleep(1)
        told = time.monotonic()
        # After 15 seconds, and two more, with a status that tells of what was not answered.
        assert server.stop() == 1
        assert time.monotonic() - told < 25
        waiting.join(5)


def unanswered(server, path):
    with contextlib.suppress(requests.ConnectionError):
        server.call("GET", path)


def test_after_a_failover_the_standby_has_everything_that_was_answered_200(
    start_store, servers, postgresql, tmp_path_factory
):
    standby = PostgreSQLServer(open_to_others(tmp_path_factory.mktemp("standby")), follows=postgresql)
    try:
        store = start_store(environment="production")
        # The standby first: it is passed over as long as it takes no writes.
        url = postgresql.url.replace("@", f"@127.0.0.1:{standby.port},")
        pair = [servers(store, url), servers(store, url)]
        accounts = populated(store, pair[0])
        payloads = untold(store, pair[0])

        with Load(payloads, pair) as load:
            wait_until(lambda: load.count(200) > len(payloads) // 10)
            postgresql.kill()
            away = time.monotonic()
            wait_until(lambda: pair[0].call("GET", "/readyz", key=None).status_code == 503)
            wait_until(lambda: load.count(503) > SENDERS)
            assert pair[0].call("GET", "/healthz", key=None).status_code == 200
            back = time.monotonic()
            standby.promote()

        # What was asked before may have been committed already, and was answered then.
        meanwhile = {status for start, status, _ in load.answers if away <= start < back}
        assert meanwhile == {503}
        assert {status for _, status, _ in load.answers} == {200, 503}
        for server in pair:
            assert server.call("GET", "/readyz", key=None).status_code == 200
            assert_agreement(store, server, accounts)
        assert_each_period_is_told_once(store, pair[1], accounts)
    finally:
        standby.stop()


def untold(store, server):
    """Five years of notifications that the server has not got yet."""
    # Somebody else takes the deliveries, so that the test can send them as fast as it likes.
    receiver = NotificationReceiver()
    try:
        store.send_notifications_to(receiver.url)
        store.advance("P5Y")
        store.advance("P8D")
    finally:
        receiver.stop()
    held = {n["id"] for n in server.notifications()}
    payloads = [n["signedPayload"] for n in store.notifications() if n["notificationUUID"] not in held]
    assert len(payloads) > 500
    return payloads


def assert_each_period_is_told_once(store, server, accounts):
    """The feed has a start for each subscription and one renewal for each further period."""
    told, cursor = Counter(), None
    while True:
        page = server.get("/v1/events", limit=1000, **({"after": cursor} if cursor else {}))
        told.update(event["type"] for event in page["data"])
        cursor = page["next_cursor"]
        if not page["has_more"]:
            break
    periods = sum(len(store.get(f"accounts/{account}")["transactions"]) for account in accounts)
    assert told["subscription.started"] == len(accounts)
    assert told["subscription.started"] + told["subscription.renewed"] == periods


def wait_until(condition):
    deadline = time.monotonic() + ANSWER_SECONDS_MAX
    while not condition():
        assert time.monotonic() < deadline, "what is waited for does not come"
        time.sleep(0.02)
