"""Webhooks of two servers on one PostgreSQL database, one of which is killed while a receiver holds its requests."""

import itertools
import os
import signal
import threading
import time
from collections import Counter
from pathlib import Path

from test_postgresql_process import postgresql  # noqa: F401
from test_server_process import start_server  # noqa: F401
from webhook_calls import WAIT_SECONDS_MAX, add, eventually, feed, receivers  # noqa: F401

CUSTOMERS = 6


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
            event = message["data"]
            arrivals.append((time.time() * 1_000, event["id"], event["app_user_id"], receiver.sender.port))
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
    [first] = [server for server in servers if ports_to(receiver.url, server)]
    [second] = [server for server in servers if server is not first]
    assert len(arrivals) < len(feed(second))
    # What the first server has sent may still arrive; its connections are known while it is suspended.
    first._process.send_signal(signal.SIGSTOP)
    eventually(lambda: is_suspended(first))
    suspended = time.time() * 1_000
    in_flight = ports_to(receiver.url, first)
    held_until = int(postgresql.query("SELECT held_until FROM webhook_progress"))
    first.kill()
    released.set()
    expected = {event["id"] for event in feed(second)}
    eventually(lambda: {name for _, name, _, _ in arrivals} == expected, lambda: f"{len(arrivals)} arrivals")
    after = [at for at, _, _, port in arrivals if at > suspended and port not in in_flight]
    assert min(after) >= held_until, (after, held_until)
    eventually(lambda: second.get(f"/v1/webhook_endpoints/{endpoint['id']}")["open_deliveries"] == 0)

    # Everything arrived. What came twice has the same webhook-id and the same contents, and was not stored as taken.
    assert not receiver.problems
    assert {webhook_id for webhook_id, _ in receiver.taken} == expected
    assert all(webhook_id == message["data"]["id"] for webhook_id, message in receiver.taken)
    contents = {}
    for webhook_id, message in receiver.taken:
        assert contents.setdefault(webhook_id, message["data"]) == message["data"]
    assert max(Counter(name for _, name, _, _ in arrivals).values()) <= 2
    assert_order(feed(second), arrivals)

    # Both servers share the work: each event arrives once.
    first.start()
    old = len(arrivals)
    store.advance("P31D")
    eventually(lambda: {name for _, name, _, _ in arrivals} == {event["id"] for event in feed(first)})
    renewals = [name for _, name, _, _ in arrivals[old:]]
    assert len(renewals) >= CUSTOMERS and len(set(renewals)) == len(renewals)
    assert not set(renewals) & expected
    assert_order(feed(first), arrivals)


def ports_to(url, server):
    """The ports from which a server has connections to an address of the loopback interface."""
    port = int(url.split(":")[2].split("/")[0])
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    sockets = {
        f"socket:[{row[9]}]": int(row[1].split(":")[1], 16) for row in rows if int(row[2].split(":")[1], 16) == port
    }
    found = set()
    for descriptor in Path(f"/proc/{server._process.pid}/fd").iterdir():
        try:
            name = os.readlink(descriptor)
        except FileNotFoundError:  # It was closed just now.
            continue
        if name in sockets:
            found.add(sockets[name])
    return found


def is_suspended(server):
    """Whether every thread of a server is stopped."""
    try:
        stats = [path.read_text() for path in Path(f"/proc/{server._process.pid}/task").glob("*/stat")]
    except (FileNotFoundError, ProcessLookupError):  # A thread ended just now.
        return False
    return all(stat.rpartition(")")[2].split()[0] == "T" for stat in stats)


def assert_order(events, arrivals):
    """The first copies of each customer's events are in the order of the feed."""
    first_copies = list(dict.fromkeys((name, customer) for _, name, customer, _ in arrivals))
    for customer in {event["app_user_id"] for event in events if event["app_user_id"]}:
        received = [name for name, who in first_copies if who == customer]
        assert received == [event["id"] for event in events if event["app_user_id"] == customer]
