"""Webhooks of two servers on one PostgreSQL database, one of which is killed while a receiver holds its requests."""

import itertools
import os
import threading
import time
from collections import Counter
from pathlib import Path

from test_postgresql_process import postgresql  # noqa: F401
from test_server_process import start_server  # noqa: F401
from test_webhooks import WAIT_SECONDS_MAX, add, eventually, feed, receivers  # noqa: F401

CUSTOMERS = 6
# What a server sent before it died arrives at once, also on a busy machine.
IN_FLIGHT_SECONDS_MAX = 1
# A lease ends ten seconds after its last renewal, and is renewed every three. A busy machine renews later.
TAKEOVER_SECONDS_MIN = 3


def test_another_server_takes_over_when_the_lease_of_a_killed_one_ends(
    start_store, start_server, postgresql, receivers  # noqa: F811
):
    store = start_store(environment="production")
    servers = [start_server(store, postgresql.url) for _ in range(2)]
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

    accounts = [store.new_account("USA") for _ in range(CUSTOMERS)]
    for product in ("pro.monthly", "coins.100", "coins.100"):
        for number, account in enumerate(accounts):
            servers[0].submit(f"u_{number}", store.buy(account, product)["signedTransactionInfo"])
    receiver = receivers(status=hold)
    endpoint = add(servers[0], receiver.url, after="beginning")
    receiver.secret = endpoint["secrets"][0]["secret"]
    assert under_way.wait(WAIT_SECONDS_MAX)
    [first] = [server for server in servers if is_connected(server, receiver.url)]
    [second] = [server for server in servers if server is not first]
    assert len(arrivals) < len(feed(second))
    first.kill()
    killed = time.monotonic()
    released.set()
    expected = {event["id"] for event in feed(second)}
    eventually(lambda: {name for _, name, _ in arrivals} == expected, lambda: f"{len(arrivals)} arrivals")
    after = [at - killed for at, _, _ in arrivals if at - killed > IN_FLIGHT_SECONDS_MAX]
    assert min(after) > TAKEOVER_SECONDS_MIN, after
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


def is_connected(server, url):
    """Whether a process has a connection to an address of the loopback interface."""
    port = int(url.split(":")[2].split("/")[0])
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    sockets = {f"socket:[{row[9]}]" for row in rows if int(row[2].split(":")[1], 16) == port}
    for descriptor in Path(f"/proc/{server._process.pid}/fd").iterdir():
        try:
            if os.readlink(descriptor) in sockets:
                return True
        except FileNotFoundError:  # It was closed just now.
            pass
    return False


def assert_order(events, arrivals):
    """The first copies of each customer's events are in the order of the feed."""
    first_copies = list(dict.fromkeys((name, customer) for _, name, customer in arrivals))
    for customer in {event["app_user_id"] for event in events if event["app_user_id"]}:
        received = [name for name, who in first_copies if who == customer]
        assert received == [event["id"] for event in events if event["app_user_id"] == customer]
