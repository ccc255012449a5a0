"""`perennial extend one` and the extensions of a server that follows a store."""

import json
import os
import re
import subprocess
import threading
import time

import pytest

from local_store import binary
from subscription_server import SECRET_KEY, SubscriptionServer

MINUTE = 60_000
DAY = 24 * 60 * MINUTE


@pytest.fixture
def serve(tmp_path):
    """Starts a server that follows a store; it is stopped after the test."""
    servers = []

    def start(store):
        servers.append(SubscriptionServer(tmp_path / "serve.log", store.url, tmp_path / "perennial.db"))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def extend(server, *arguments):
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PERENNIAL_")}
    return subprocess.run(
        [binary(), "extend", "one", *arguments, "--server", server.url],
        capture_output=True, text=True, timeout=120,
        env=variables | {"PERENNIAL_DEV_SECRET_KEY": SECRET_KEY, "TZ": "UTC"},
    )


def subscribe(store, server, customer="u_1", product="pro.weekly"):
    bought = store.buy(store.new_account(), product)
    server.submit(customer, bought["signedTransactionInfo"])
    store.advance("PT1M")
    return bought["originalTransactionId"]


def period_end(server, customer="u_1"):
    (subscription,) = server.get(f"/v1/customers/{customer}")["subscriptions"]
    return subscription["current_period_ends_at"]


def newest(server, subscription):
    return server.get(f"/v1/subscriptions/{subscription}/extensions")["data"][0]


def calls_of(store, subscription):
    """How often the store extended the subscription: it says so in one notification each."""
    return sum(n["notificationType"] == "RENEWAL_EXTENDED" for n in store.notifications())


def test_a_subscription_is_extended_twice_a_year_and_once_for_each_key(start_store, serve):
    store = start_store(environment="production")
    server = serve(store)
    subscription = subscribe(store, server)
    before = period_end(server)
    possible = extend(server, subscription, "--dry-run")
    assert (possible.returncode, possible.stdout) == (0, f"{subscription} can be extended\n"), possible

    for number in (1, 2):
        for _ in range(2):
            extended = extend(
                server, subscription, "--days", "7", "--reason", "outage", "--idempotency-key", f"ticket-{number}"
            )
            assert extended.returncode == 0, extended
            assert extended.stdout.startswith(f"{subscription} extended: the period ends "), extended.stdout
        store.advance("PT1M")
        assert period_end(server) == before + number * 7 * DAY
    assert calls_of(store, subscription) == 2

    third = extend(server, subscription, "--days", "7", "--reason", "outage")
    assert (third.returncode, third.stdout) == (1, ""), third
    assert third.stderr.startswith("error: extension_limit_reached: "), third.stderr
    shown = extend(server, subscription, "--dry-run")
    assert shown.returncode == 1
    assert shown.stdout.startswith(f"{subscription} cannot be extended\n  extension_limit_reached: "), shown.stdout
    assert shown.stdout.count("extension of 7 days (outage), ") == 2
    listed = json.loads(extend(server, subscription, "--dry-run", "--json").stdout)
    assert [row["id"] for row in listed["data"]] == ["ticket-2", "ticket-1"]
    assert all(row["announced_at"] is not None for row in listed["data"])

    reused = extend(server, subscription, "--days", "8", "--reason", "outage", "--idempotency-key", "ticket-1")
    assert reused.returncode == 1 and "idempotency_key_reused" in reused.stderr, reused.stderr
    customer = subprocess.run(
        [binary(), "customer", "u_1", "--server", server.url],
        capture_output=True, text=True, timeout=60, env=os.environ | {"PERENNIAL_DEV_SECRET_KEY": SECRET_KEY},
    )
    assert "    cannot be extended: It was extended 2 times within 365 days." in customer.stdout, customer.stdout


def test_wrong_requests_are_refused_with_their_code(start_store, serve):
    store = start_store(environment="production")
    server = serve(store)
    subscription = subscribe(store, server)
    for arguments, text in (
        (["7", "--days", "7", "--reason", "outage"], "subscription_unknown"),
        ([subscription, "--days", "7", "--reason", "sorry"], "reason must be one of"),
    ):
        refused = extend(server, *arguments)
        assert refused.returncode == 1 and text in refused.stderr, refused
    assert extend(server, subscription, "--days", "7").returncode == 64
    for days in ("0", "91"):
        refused = extend(server, subscription, "--days", days, "--reason", "outage")
        assert refused.returncode == 64, refused
        assert f"--days must be a number from 1 to 90, not {days}." in refused.stderr, refused
    lifetime = subscribe(store, server, "u_2", "lifetime")
    assert "extension_not_a_subscription" in extend(server, lifetime, "--days", "7", "--reason", "other").stderr
    assert calls_of(store, subscription) == 0


def test_apples_rate_limit_for_an_hour_changes_nothing_and_the_same_key_works_later(start_store, serve):
    store = start_store(environment="production")
    server = serve(store)
    subscription = subscribe(store, server)
    rule = {"fault": "rate_limit", "endpoint": "extendSubscriptionRenewalDate", "by": "PT1H", "probability": 1}
    store.put("faults", {"api": [rule]})
    request = (subscription, "--days", "7", "--reason", "outage", "--idempotency-key", "k")
    limited = extend(server, *request)
    assert limited.returncode == 1, limited
    advice = r"Nothing was done\. Repeat the command with --idempotency-key k (in \d+ (minutes|seconds)|later)\."
    assert re.fullmatch(advice, limited.stderr.splitlines()[0]), limited.stderr
    assert "error: app_store_rate_limited: Apple's limit for this call is reached." in limited.stderr, limited.stderr
    assert server.get(f"/v1/subscriptions/{subscription}/extensions")["data"] == []
    store.put("faults", {})
    store.advance("PT1H1M")
    again = extend(server, *request)
    assert again.returncode == 0, again
    assert calls_of(store, subscription) == 1


@pytest.mark.parametrize("is_executed", [True, False])
def test_an_extension_without_an_answer_is_found_out_and_not_repeated(start_store, serve, is_executed):
    store = start_store(environment="production")
    server = serve(store)
    subscription = subscribe(store, server)
    before = period_end(server)
    lost = {"fault": "malformed_body"} if is_executed else {"fault": "server_error", "retryable": False}
    call = {"endpoint": "extendSubscriptionRenewalDate", "count": 1}
    # The announcement is lost too.
    store.put("faults", {"api": [lost | call], "deliveries": [{"fault": "drop", "probability": 1}]})
    asked = extend(server, subscription, "--days", "7", "--reason", "outage", "--idempotency-key", "k")
    assert asked.returncode == 1, asked
    assert asked.stdout.startswith(f"{subscription}: it is not known yet whether Apple extended it."), asked.stdout
    assert "--idempotency-key k" in asked.stderr
    store.advance("PT2M" if is_executed else "PT2H")
    again = extend(server, subscription, "--days", "7", "--reason", "outage", "--idempotency-key", "k")
    if is_executed:
        assert again.returncode == 0 and " extended: the period ends " in again.stdout, again
        assert period_end(server) == before + 7 * DAY
    else:
        assert again.returncode == 1 and "extension_unconfirmed" in again.stderr, again
        assert period_end(server) == before
    assert calls_of(store, subscription) == (1 if is_executed else 0)


def test_a_server_that_is_killed_during_the_call_finds_out_what_happened(start_store, serve):
    store = start_store(environment="production")
    server = serve(store)
    subscription = subscribe(store, server)
    store.put(
        "faults",
        {
            "api": [
                {"fault": "timeout", "milliseconds": 20_000, "endpoint": "extendSubscriptionRenewalDate", "count": 1}
            ]
        },
    )
    answers = []
    arguments = (subscription, "--days", "7", "--reason", "outage", "--idempotency-key", "k")
    caller = threading.Thread(target=lambda: answers.append(extend(server, *arguments)))
    caller.start()
    deadline = time.monotonic() + 60
    while not server.get(f"/v1/subscriptions/{subscription}/extensions")["data"]:
        assert time.monotonic() < deadline, "the request was not stored"
        time.sleep(0.05)
    server.kill()
    caller.join(60)
    assert answers[0].returncode == 1 and "--idempotency-key k" in answers[0].stderr, answers
    store.put("faults", {})
    server.start()
    assert newest(server, subscription)["state"] == "asked"
    assert "extension_in_doubt" in extend(server, subscription, "--days", "7", "--reason", "outage").stderr
    store.advance("PT2H")
    assert newest(server, subscription)["state"] == "unknown"
    assert calls_of(store, subscription) == 0
    another = extend(server, subscription, "--days", "7", "--reason", "outage", "--idempotency-key", "k2")
    assert another.returncode == 0, another


def test_the_sandbox_may_accept_an_extension_without_a_change(start_store, serve):
    store = start_store(options=["--profile", "sandbox-extension-rounds-to-zero"])
    server = serve(store)
    subscription = subscribe(store, server)
    before = period_end(server)
    extended = extend(server, subscription, "--days", "7", "--reason", "outage")
    assert extended.returncode == 0, extended
    assert "Apple accepted the extension, but the period still ends " in extended.stdout, extended.stdout
    store.advance("PT2H")
    row = newest(server, subscription)
    assert (row["state"], row["next_check_at"]) == ("extended", None)
    assert row["period_ends_at"] == row["previous_period_ends_at"] == period_end(server) == before
