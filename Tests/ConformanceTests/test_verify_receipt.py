"""App receipts that only the store's deprecated /verifyReceipt can help with, with the setting that allows it."""

import pytest

from subscription_server import SubscriptionServer
from test_named_purchases import active, submit


@pytest.fixture
def start_server(tmp_path, new_database):
    servers = []

    def start(store, **environment):
        log = tmp_path / f"serve-{len(servers)}.log"
        server = SubscriptionServer(log, store.url, new_database(), environment=environment)
        servers.append(server)
        store.put("notification-endpoint", {"url": None})
        return server

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def server(store, start_server):
    return start_server(store, PERENNIAL_APP_STORE_VERIFY_RECEIPT="true")


def receipt_from_before(store, account):
    """The receipt of an account that has bought nothing yet."""
    return store.get(f"accounts/{account}/receipt")["receipt"]


def test_an_old_receipt_without_purchases_leads_to_the_current_ones(store_of_each_environment, start_server):
    store = store_of_each_environment
    server = start_server(store, PERENNIAL_APP_STORE_VERIFY_RECEIPT="true")
    account = store.new_account()
    receipt = receipt_from_before(store, account)
    bought = store.buy(account, "pro.monthly")
    store.advance("P2M")
    response = submit(server, "u_1", app_receipt=receipt)
    assert response.status_code == 200, response.text
    (subscription,) = response.json()["subscriptions"]
    assert (subscription["id"], subscription["status"]) == (bought["originalTransactionId"], "active")
    assert len(active(server, "u_1")) == 1
    # The stored data is what the store signed; the receipt identified the customer.
    assert [one["app_receipt"] for one in server.get("/v1/customers/u_1/export")["receipts"]] == [receipt]
    assert submit(server, "u_2", app_receipt=receipt).json()["error"]["code"] == "purchase_owned_by_another_customer"


def test_without_the_setting_and_without_purchases_it_is_refused(store, start_server):
    account = store.new_account()
    receipt = receipt_from_before(store, account)
    asking = start_server(store, PERENNIAL_APP_STORE_VERIFY_RECEIPT="true")
    refused = submit(asking, "u_1", app_receipt=receipt)
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "receipt_without_purchases")
    store.buy(account, "pro.monthly")
    refused = submit(start_server(store), "u_1", app_receipt=receipt)
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "receipt_without_purchases")


@pytest.mark.parametrize(
    "fault, http, code",
    [
        ({"status": 21002}, 503, "app_store_unavailable"),
        ({"status": 21005}, 503, "app_store_unavailable"),
        ({"status": 21009}, 503, "app_store_unavailable"),
        ({"status": 21100, "isRetryable": True}, 503, "app_store_unavailable"),
        ({"status": 21199, "isRetryable": False}, 400, "receipt_not_accepted"),
    ],
)
def test_each_fault_is_reported_and_stores_nothing(store, server, fault, http, code):
    account = store.new_account()
    receipt = receipt_from_before(store, account)
    store.buy(account, "pro.monthly")
    store.put("faults/verify-receipt", {"count": 1} | fault)
    response = submit(server, "u_1", app_receipt=receipt)
    assert (response.status_code, response.json()["error"]["code"]) == (http, code), response.text
    assert response.json()["error"]["retryable"] is (http == 503)
    assert server.call("GET", "/v1/customers/u_1").status_code == 404
    # A permanent refusal is remembered for minutes; a temporary one is not.
    again = submit(server, "u_1", app_receipt=receipt)
    assert again.status_code == (200 if http == 503 else http), again.text
