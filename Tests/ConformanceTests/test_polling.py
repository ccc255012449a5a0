"""The server asks the store for the status of subscriptions that no notification mentioned."""

import pytest

from test_server_process import start_server  # noqa: F401

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
WITHOUT_RECOVERY = {"PERENNIAL_RECOVERY_ENABLED": "false"}


def buy(store, server, customer="u_1"):
    account = store.new_account()
    bought = store.buy(account, "pro.monthly")
    server.submit(customer, bought["signedTransactionInfo"])
    return account, store.get(f"accounts/{account}")["subscriptions"][0]["originalTransactionId"]


def entitlement(server, customer="u_1"):
    (found,) = server.get(f"/v1/customers/{customer}")["entitlements"].values()
    return found


def polls(server, result="answered"):
    name = f'perennial_status_polls_total{{result="{result}"}}'
    lines = server.call("GET", "/metrics").text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith(name))


@pytest.fixture
def deaf(start_store, start_server, new_database):  # noqa: F811
    """A store whose deliveries are all lost, and a server that does not look into its history."""
    store = start_store(environment="production")
    server = start_server(store, new_database(), environment=WITHOUT_RECOVERY)
    store.put("faults", {"deliveries": [{"fault": "drop", "probability": 1}]})
    return store, server


def move(store, to):
    store.post("clock/advance", {"to": to})


def test_a_cancellation_that_was_not_reported_is_known_a_day_before_the_end(deaf):
    store, server = deaf
    _, subscription = buy(store, server)
    store.advance("PT10M")
    end = entitlement(server)["expires_at"]
    store.set_auto_renew(subscription, False)
    move(store, end - DAY - MINUTE)
    assert entitlement(server)["will_renew"] is True
    move(store, end - DAY + MINUTE)
    assert entitlement(server)["will_renew"] is False
    assert entitlement(server)["active"] is True


def test_a_renewal_and_a_failed_charge_are_found_after_the_end(deaf):
    store, server = deaf
    account, _ = buy(store, server)
    store.advance("PT10M")
    first = entitlement(server)["expires_at"]
    move(store, first + 6 * MINUTE)
    renewed = entitlement(server)
    assert renewed["active"] is True
    assert renewed["expires_at"] > first
    store.set_payment(account, "declined")
    move(store, renewed["expires_at"] + 6 * MINUTE)
    assert entitlement(server)["billing_issue"] is True
    store.set_payment(account, "ok")
    for _ in range(10):
        store.advance("P1D")
    assert entitlement(server)["billing_issue"] is False
    assert entitlement(server)["active"] is True
    assert polls(server, "failed") == 0


def test_a_refresh_asks_at_once(deaf):
    store, server = deaf
    _, subscription = buy(store, server)
    store.set_auto_renew(subscription, False)
    assert server.call("POST", "/v1/customers/u_1/refresh").json()["entitlements"].popitem()[1]["will_renew"] is False
    unknown = server.call("POST", "/v1/customers/nobody/refresh")
    assert (unknown.status_code, unknown.json()["error"]["code"]) == (404, "customer_not_found")


def test_a_refresh_says_how_many_purchases_it_did_not_ask_about(deaf):
    store, server = deaf
    for _ in range(22):
        buy(store, server)
    # Each purchase is of a store account of its own, so each needs a query.
    refreshed = server.call("POST", "/v1/customers/u_1/refresh").json()
    assert (len(refreshed["subscriptions"]), refreshed["purchases_not_asked"]) == (22, 2)
    assert "purchases_not_asked" not in server.get("/v1/customers/u_1")


def test_nothing_is_asked_where_every_notification_arrives(
    start_store, start_server, new_database  # noqa: F811
):
    store = start_store(environment="production")
    server = start_server(store, new_database())
    buy(store, server)
    asked = polls(server)
    for _ in range(6):
        store.advance("P5D")
    # A day before the end of the period, and no more: the renewal was notified.
    assert polls(server) - asked <= 1
    assert entitlement(server)["active"] is True
