"""Webhooks of two servers on one PostgreSQL database, one of which is killed while a receiver holds its requests."""

import itertools
import threading
import time
from collections import Counter

from test_postgresql_process import postgresql  # noqa: F401
from test_server_process import start_server  # noqa: F401
from test_webhooks import WAIT_SECONDS_MAX, add, eventually, feed, receivers  # noqa: F401

CUSTOMERS = 6
# A lease ends ten seconds after its last renewal, and is renewed every three. A busy machine renews later.
TAKEOVER_SECONDS_MIN = 2
TAKEOVER_SECONDS_MAX = 30


def test_another_server_takes_over_when_the_lease_of_a_killed_one_ends(
    start_store, start_server, postgresql, receivers  # noqa: F811
):
    store = start_store(environment="production")
    # An attempt must not end by itself while the second server starts.
    first = start_server(store, postgresql.url, environment={"PERENNIAL_WEBHOOKS_TIMEOUT_MS": "30000"})
    arrivals, lock = [], threading.Lock()
    under_way, released = threading.Event(), threading.Event()
    count = itertools.count(1)

    def hold(message):
        with lock:
            arrivals.append((time.monotonic(), message["data"]["id"], message["data"]["app_user_id"]))
        # The first events are taken. Then the receiver holds what it has until the server is dead.
        if next(count) > CUSTOMERS:
            under_way.set()
            assert released.wait(WAIT_SECONDS_MAX)
        return 204

    receiver = receivers(status=hold)
    endpoint = add(first, receiver.url)
    receiver.secret = endpoint["secrets"][0]["secret"]
    accounts = [store.new_account("USA") for _ in range(CUSTOMERS)]
    for product in ("pro.monthly", "coins.100", "coins.100"):
        for number, account in enumerate(accounts):
            first.submit(f"u_{number}", store.buy(account, product)["signedTransactionInfo"])
    assert under_way.wait(WAIT_SECONDS_MAX)
    second = start_server(store, postgresql.url)
    # The first server has the lease.
    before = len(arrivals)
    assert before < len(feed(second))
    first.kill()
    killed = time.monotonic()
    released.set()
    expected = {event["id"] for event in feed(second)}
    eventually(lambda: {name for _, name, _ in arrivals} == expected, lambda: f"{len(arrivals)} arrivals")
    after = [at - killed for at, _, _ in arrivals if at > killed]
    assert TAKEOVER_SECONDS_MIN < min(after) < TAKEOVER_SECONDS_MAX, after
    eventually(lambda: second.get(f"/v1/webhook_endpoints/{endpoint['id']}")["open_deliveries"] == 0)

    # Everything arrived. What came twice has the same webhook-id and the same contents, and was not stored as taken.
    assert not receiver.problems
    assert {webhook_id for webhook_id, _ in receiver.taken} == expected
    assert all(webhook_id == message["data"]["id"] for webhook_id, message in receiver.taken)
    contents = {}
    for webhook_id, message in receiver.taken:
        assert contents.setdefault(webhook_id, message["data"]) == message["data"]
    assert max(Counter(name for _, name, _ in arrivals).values()) <= 2
    assert_order(feed(second), arrivals)

    # Both servers share the work: each event arrives once.
    first.start()
    old = len(arrivals)
    store.advance("P31D")
    eventually(lambda: {name for _, name, _ in arrivals} == {event["id"] for event in feed(first)})
    renewals = [name for _, name, _ in arrivals[old:]]
    assert len(renewals) >= CUSTOMERS and len(set(renewals)) == len(renewals)
    assert not set(renewals) & expected
    assert_order(feed(first), arrivals)


def assert_order(events, arrivals):
    """The first copies of each customer's events are in the order of the feed."""
    first_copies = list(dict.fromkeys((name, customer) for _, name, customer in arrivals))
    for customer in {event["app_user_id"] for event in events if event["app_user_id"]}:
        received = [name for name, who in first_copies if who == customer]
        assert received == [event["id"] for event in events if event["app_user_id"] == customer]
