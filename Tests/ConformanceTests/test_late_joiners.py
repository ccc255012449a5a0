"""Purchases that began before the server heard of them, and every identifier by which a backend submits them."""

import pytest

from test_server_process import start_server  # noqa: F401

# The notification history of the store would tell the same; these tests are about Apple's other answers.
QUIET = {"PERENNIAL_RECOVERY_ENABLED": "false"}


@pytest.fixture
def both(start_store, start_server, new_database):  # noqa: F811
    """A subscription of four months that one server heard of from its first day, and a second, new server."""
    store = start_store(environment="production")
    informed = start_server(store, new_database(), environment=QUIET)
    account = store.new_account()
    coins = store.buy(account, "coins.100")
    bought = store.buy(account, "pro.monthly")
    informed.submit("u_1", coins["signedTransactionInfo"])
    informed.submit("u_1", bought["signedTransactionInfo"])
    store.post(f"transactions/{coins['transactionId']}/finish", {})
    for _ in range(4):
        store.advance("P31D")
    store.refund(periods(store, account)[1])
    store.advance("PT1H")
    late = start_server(store, new_database(), environment=QUIET)
    return store, account, informed, late


def periods(store, account):
    """The transaction ids of the account's subscription, oldest first."""
    return [transaction["transactionId"] for transaction in transactions(store, account)]


def transactions(store, account):
    found = [t for t in store.get(f"accounts/{account}")["transactions"] if t["productId"] == "pro.monthly"]
    return sorted(found, key=lambda transaction: transaction["purchaseDate"])


def original(store, account):
    return store.get(f"accounts/{account}")["subscriptions"][0]["originalTransactionId"]


def subscription(server):
    (found,) = server.get("/v1/customers/u_1")["subscriptions"]
    return found


def charges(server):
    """The charges and refunds in the feed: type, transaction and price."""
    found, cursor = [], None
    while True:
        page = server.get("/v1/events", **({"after": cursor} if cursor else {}))
        for event in page["data"]:
            if event["price"] is not None and event["transaction_id"] is not None:
                found.append((event["type"], event["transaction_id"], event["price"]))
        if not page["has_more"]:
            return sorted(found)
        cursor = page["next_cursor"]


def ends(server):
    """The events that say that the subscription is over or unpaid. It never is."""
    over = {"subscription.expired", "subscription.entered_billing_retry"}
    return [event["type"] for event in server.get("/v1/events", limit=1000)["data"] if event["type"] in over]


def of_subscription(charges, store, account):
    """The charges of the subscription. There are five periods, and the second was refunded."""
    known = set(periods(store, account))
    found = [charge for charge in charges if charge[1] in known]
    assert len(found) == 6, found
    return found


def submit(server, field, value):
    return server.call("POST", "/v1/transactions", {"app_user_id": "u_1", field: value})


def test_a_customer_from_before_the_server_is_as_complete_as_one_from_the_first_day(both):
    store, account, informed, late = both
    latest = store.client().get_transaction_info(periods(store, account)[-1]).signedTransactionInfo
    late.submit("u_1", latest)
    store.advance("PT1M")
    assert subscription(late) == subscription(informed)
    # The finished consumable, all periods and the refund.
    assert len(charges(informed)) >= 7
    assert charges(late) == charges(informed)


@pytest.mark.parametrize("period", ["first", "second", "last"])
@pytest.mark.parametrize(
    "field", ["transaction_id", "original_transaction_id", "app_transaction_id", "order_id", "transaction_receipt"]
)
def test_every_identifier_leads_to_the_whole_purchase(both, field, period):
    store, account, informed, late = both
    sold = transactions(store, account)[{"first": 0, "second": 1, "last": -1}[period]]
    value = {
        "transaction_id": sold["transactionId"],
        "original_transaction_id": original(store, account),
        "app_transaction_id": store.get(f"accounts/{account}")["appTransactionId"],
        "order_id": sold["orderId"],
        "transaction_receipt": store.get(f"transactions/{sold['transactionId']}/receipt")["receipt"],
    }[field]
    answer = submit(late, field, value)
    assert answer.status_code == 200, answer.text
    store.advance("PT1M")
    assert subscription(late) == subscription(informed)
    # The subscription's revenue and refunds are whole. Only a history brings the consumable too.
    assert of_subscription(charges(late), store, account) == of_subscription(charges(informed), store, account)
    assert ends(late) == ends(informed) == []


def test_the_first_period_from_an_app_and_a_later_answer_of_apple_are_whole_too(both):
    store, account, informed, late = both
    first = store.client().get_transaction_info(periods(store, account)[0]).signedTransactionInfo
    late.submit("u_1", first)
    # Apple is asked about the status five minutes after a transaction without a renewal record.
    store.advance("PT10M")
    assert subscription(late) == subscription(informed)
    assert of_subscription(charges(late), store, account) == of_subscription(charges(informed), store, account)


@pytest.mark.parametrize("field", ["original_transaction_id", "app_receipt"])
def test_an_original_id_and_a_receipt_bring_the_finished_consumable_too(both, field):
    store, account, informed, late = both
    value = {
        "original_transaction_id": original(store, account),
        "app_receipt": store.get(f"accounts/{account}/receipt")["receipt"],
    }[field]
    answer = submit(late, field, value)
    assert answer.status_code == 200, answer.text
    # The history is in the answer, so nothing is asked for later.
    assert {charge[1] for charge in charges(late)} == {charge[1] for charge in charges(informed)}
    store.advance("PT1M")
    assert charges(late) == charges(informed)
    assert subscription(late) == subscription(informed)
    # Neither names it, so the customer does not get it.
    assert late.get("/v1/customers/u_1")["purchases"] == []


def test_the_finished_consumable_comes_with_the_history(both):
    store, account, informed, late = both
    assert submit(late, "app_transaction_id", store.get(f"accounts/{account}")["appTransactionId"]).ok
    assert late.get("/v1/customers/u_1")["purchases"] == informed.get("/v1/customers/u_1")["purchases"]
