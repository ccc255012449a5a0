"""The database is unavailable under load: for five seconds in `make test`, for one minute in `make outage`."""

import contextlib
import os
import queue
import threading
import time
from collections import Counter

import pytest
import requests

from local_store import STOP_SECONDS_MAX
from notification_receiver import NotificationReceiver
from postgresql_server import PostgreSQLServer
from subscription_server import SubscriptionServer
from test_postgresql_process import allow_other_users
from test_server_process import assert_agreement, create_customers

OUTAGE_SECONDS = float(os.environ.get("PERENNIAL_OUTAGE_SECONDS", "5"))
SENDERS = 16
PAUSE_SECONDS = 0.2
ANSWER_SECONDS_MAX = 60


class Load:
    """Sends notifications to servers. It repeats each notification until the response is 200."""

    def __init__(self, payloads, servers):
        self._waiting = queue.Queue()
        for payload in payloads:
            self._waiting.put(payload)
        # Half of them are sent only during the outage and after it, however long its start takes.
        self._kept = len(payloads) // 2
        self._outage = threading.Event()
        self._stopped = threading.Event()
        self._servers = servers
        self._lock = threading.Lock()
        self.answers = []
        self._threads = [threading.Thread(target=self._send, args=(n,), daemon=True) for n in range(SENDERS)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind, *_):
        # After a failure of the test they do not send the rest.
        if kind is not None:
            self._stopped.set()
        self._outage.set()
        for thread in self._threads:
            # Without the flag they end when everything got a 200.
            thread.join(None if kind is None else STOP_SECONDS_MAX)

    def begin_outage(self):
        """Lets the senders send the rest. Returns the time."""
        self._outage.set()
        return time.monotonic()

    def statuses(self, start, end):
        """The statuses of the requests that began and were answered between two times."""
        with self._lock:
            return [status for begun, status, seconds in self.answers if start <= begun and begun + seconds < end]

    def count(self, wanted):
        with self._lock:
            return sum(status == wanted for _, status, _ in self.answers)

    def _send(self, number):
        session = requests.Session()
        url = self._servers[number % len(self._servers)].url + "/v1/apple/notifications"
        while not self._stopped.is_set():
            if self._waiting.qsize() <= self._kept:
                self._outage.wait()
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
    server = PostgreSQLServer(allow_other_users(tmp_path_factory.mktemp("postgresql")))
    yield server
    server.stop()


@pytest.fixture
def start_server(tmp_path):
    started = []

    def start(store, url):
        log = tmp_path / f"serve-{len(started)}.log"
        # These tests send the notifications themselves. Recovery would find them first.
        environment = {"PERENNIAL_RECOVERY_ENABLED": "false"}
        started.append(SubscriptionServer(log, store.url, url, environment=environment))
        return started[-1]

    yield start
    for server in started:
        server.stop()


def test_notifications_get_503_during_an_outage_and_each_is_stored_once_in_the_end(
    start_store, start_server, postgresql
):
    store = start_store(environment="production")
    servers = [start_server(store, postgresql.url), start_server(store, postgresql.url)]
    accounts = create_customers(store, servers[0])
    payloads = undelivered_payloads(store, servers[0])

    with Load(payloads, servers) as load:
        wait_until(lambda: load.count(200) > len(payloads) // 10)
        kill_started = time.monotonic()
        postgresql.kill()
        outage_start = load.begin_outage()
        for server in servers:
            wait_until(lambda: server.call("GET", "/readyz", key=None).status_code == 503)
        # If all senders ended, nothing would be sent during the outage.
        deadline = outage_start + OUTAGE_SECONDS + 2 * ANSWER_SECONDS_MAX
        while time.monotonic() < outage_start + OUTAGE_SECONDS or not load.statuses(outage_start, time.monotonic()):
            assert time.monotonic() < deadline, "no request was answered during the outage"
            time.sleep(0.5)
            for server in servers:
                assert server.call("GET", "/readyz", key=None).status_code == 503
                assert server.call("GET", "/healthz", key=None).status_code == 200
        outage_end = time.monotonic()
        postgresql.start()

    # A request from the end of the outage may be answered by the database after it.
    assert set(load.statuses(outage_start, outage_end)) == {503}
    assert {status for _, status, _ in load.answers} == {200, 503}
    assert max(seconds for _, _, seconds in load.answers) < ANSWER_SECONDS_MAX / 2
    assert outage_end - kill_started >= OUTAGE_SECONDS

    for server in servers:
        wait_until(lambda: server.call("GET", "/readyz", key=None).status_code == 200)
        assert_agreement(store, server, accounts)
    assert_one_event_for_each_period(store, servers[1], accounts)


def test_a_server_stops_on_sigterm_although_its_database_is_frozen(start_store, start_server, postgresql):
    store = start_store(environment="production")
    server = start_server(store, postgresql.url)
    accounts = create_customers(store, server)
    with postgresql.frozen():
        request_thread = threading.Thread(
            target=lambda: call_until_disconnected(server, f"/v1/customers/{accounts[0]}"), daemon=True
        )
        request_thread.start()
        # The request of the metrics is in progress too.
        wait_until(lambda: requests_in_progress(server) > 1)
        stop_started = time.monotonic()
        # It stops after 15 seconds plus two, with status 1 because a request got no response. Without that limit it
        # would be killed, with another status.
        assert server.stop() == 1
        assert time.monotonic() - stop_started < STOP_SECONDS_MAX
        request_thread.join(STOP_SECONDS_MAX)


def requests_in_progress(server):
    lines = server.call("GET", "/metrics", key=None).text.splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("perennial_http_requests_in_progress "))


def call_until_disconnected(server, path):
    with contextlib.suppress(requests.ConnectionError):
        server.call("GET", path)


def test_after_a_failover_the_standby_has_everything_that_got_a_200(
    start_store, start_server, postgresql, tmp_path_factory
):
    standby = PostgreSQLServer(allow_other_users(tmp_path_factory.mktemp("standby")), primary=postgresql)
    try:
        store = start_store(environment="production")
        # The standby is first in the address. The server skips it while it accepts no writes.
        url = postgresql.url.replace("@", f"@127.0.0.1:{standby.port},")
        servers = [start_server(store, url), start_server(store, url)]
        accounts = create_customers(store, servers[0])
        payloads = undelivered_payloads(store, servers[0])

        with Load(payloads, servers) as load:
            wait_until(lambda: load.count(200) > len(payloads) // 10)
            postgresql.kill()
            outage_start = load.begin_outage()
            wait_until(lambda: servers[0].call("GET", "/readyz", key=None).status_code == 503)
            wait_until(lambda: load.count(503) > SENDERS)
            assert servers[0].call("GET", "/healthz", key=None).status_code == 200
            outage_end = time.monotonic()
            standby.promote()

        # A request from before the outage may already be committed, so its response may be 200.
        assert set(load.statuses(outage_start, outage_end)) == {503}
        assert {status for _, status, _ in load.answers} == {200, 503}
        for server in servers:
            wait_until(lambda: server.call("GET", "/readyz", key=None).status_code == 200)
            assert_agreement(store, server, accounts)
        assert_one_event_for_each_period(store, servers[1], accounts)
    finally:
        standby.stop()


def undelivered_payloads(store, server):
    """The payloads of five years of notifications that the server has not received."""
    # Another receiver gets the deliveries, so that the test can send them to the servers itself.
    receiver = NotificationReceiver()
    try:
        store.send_notifications_to(receiver.url)
        store.advance("P5Y")
        store.advance("P8D")
    finally:
        receiver.stop()
    stored = {n["id"] for n in server.notifications()}
    payloads = [n["signedPayload"] for n in store.notifications() if n["notificationUUID"] not in stored]
    assert len(payloads) > 500
    return payloads


def assert_one_event_for_each_period(store, server, accounts):
    """The event feed has one start for each subscription and one renewal for each further period."""
    counts, cursor = Counter(), None
    while True:
        page = server.get("/v1/events", limit=1000, **({"after": cursor} if cursor else {}))
        counts.update(event["type"] for event in page["data"])
        cursor = page["next_cursor"]
        if not page["has_more"]:
            break
    periods = sum(len(store.get(f"accounts/{account}")["transactions"]) for account in accounts)
    assert counts["subscription.started"] == len(accounts)
    assert counts["subscription.started"] + counts["subscription.renewed"] == periods


def wait_until(condition):
    deadline = time.monotonic() + ANSWER_SECONDS_MAX
    while not condition():
        assert time.monotonic() < deadline, "what is waited for does not come"
        time.sleep(0.02)
