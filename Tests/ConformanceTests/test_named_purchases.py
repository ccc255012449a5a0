"""Purchases without a signed transaction: from a transaction id, an app receipt or a version 1 notification."""

import base64
import uuid

import pytest

from subscription_server import SubscriptionServer


@pytest.fixture
def server(store, tmp_path, new_database):
    server = SubscriptionServer(tmp_path / "serve.log", store.url, new_database())
    yield server
    server.stop()


def submit(server, customer, **members):
    return server.call("POST", "/v1/transactions", {"app_user_id": customer} | members)


def active(server, customer):
    entitlements = server.get(f"/v1/customers/{customer}/entitlements")["entitlements"]
    return sorted(name for name, entitlement in entitlements.items() if entitlement["active"])


@pytest.fixture
def store_without_notifications(store, server):
    """A store that sends no notifications. The server gets only the data that it requests."""
    store.put("notification-endpoint", {"url": None})
    return store


def test_any_transaction_id_loads_the_current_subscription(store_without_notifications, server):
    store = store_without_notifications
    account = store.new_account()
    bought = store.buy(account, "pro.monthly")
    store.advance("P2M")
    store.set_auto_renew(bought["originalTransactionId"], False)
    # The period of the first transaction has ended, and the subscription is active.
    response = submit(server, "u_1", transaction_id=bought["transactionId"])
    assert response.status_code == 200, response.text
    (subscription,) = response.json()["subscriptions"]
    assert (subscription["status"], subscription["auto_renew"]) == ("active", False)
    assert len(active(server, "u_1")) == 1


def test_an_app_receipt_loads_all_its_purchases(store_without_notifications, server):
    store = store_without_notifications
    account = store.new_account()
    bought = store.buy(account, "pro.monthly")
    receipt = store.buy(account, "lifetime")["receipt"]
    store.advance("P1M")
    response = submit(server, "u_1", app_receipt=receipt)
    assert response.status_code == 200, response.text
    customer = response.json()
    assert [line["id"] for line in customer["subscriptions"]] == [bought["originalTransactionId"]]
    assert customer["subscriptions"][0]["status"] == "active"
    assert [line["product_id"] for line in customer["purchases"]] == ["lifetime"]
    assert submit(server, "u_1", app_receipt=receipt).json()["entitlements"] == customer["entitlements"]
    assert submit(server, "u_2", app_receipt=receipt).json()["error"]["code"] == "purchase_owned_by_another_customer"
    # A receipt is a signed input. The server keeps its bytes unchanged with the customer.
    exported = server.get("/v1/customers/u_1/export")["receipts"]
    assert [one["app_receipt"] for one in exported] == [receipt]


def test_a_changed_receipt_and_an_unknown_id_are_refused_with_their_reasons(store, server):
    receipt = store.buy(store.new_account(), "pro.monthly")["receipt"]
    changed = bytearray(base64.b64decode(receipt))
    changed[-1] ^= 1
    response = submit(server, "u_1", app_receipt=base64.b64encode(changed).decode())
    assert (response.status_code, response.json()["error"]["param"]) == (400, "app_receipt")
    response = submit(server, "u_1", transaction_id="2999999999999999")
    assert (response.status_code, response.json()["error"]["code"]) == (404, "transaction_not_found")
    response = submit(server, "u_1", transaction_id="not a number")
    assert (response.status_code, response.json()["error"]["code"]) == (400, "app_store_refused")
    assert server.call("GET", "/v1/customers/u_1").status_code == 404


def test_version_1_notifications_report_a_renewal_and_a_refund(store, server):
    store.put("notification-endpoint", {"url": server.url + "/v1/apple/notifications", "version": "V1"})
    account, token = store.new_account(), str(uuid.uuid4())
    store.buy(account, "pro.monthly", appAccountToken=token)
    assert len(active(server, token)) == 1
    store.advance("P1M")
    assert server.get(f"/v1/customers/{token}")["subscriptions"][0]["status"] == "active"
    store.refund(store.get(f"accounts/{account}")["transactions"][-1]["transactionId"])
    assert active(server, token) == []
    attempts = [line["attempts"][-1]["sendAttemptResult"] for line in store.notifications() if line["attempts"]]
    assert attempts and set(attempts) == {"SUCCESS"}
