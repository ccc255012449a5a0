"""Get Transaction History, through Apple's client and verifier."""

import pytest
from appstoreserverlibrary.api_client import GetTransactionHistoryVersion
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, ProductType, TransactionHistoryRequest

PAGE_LENGTH = 20


def page(store, any_transaction_id, revision=None, **filters):
    return store.client().get_transaction_history(
        any_transaction_id, revision, TransactionHistoryRequest(**filters), GetTransactionHistoryVersion.V2
    )


def history(store, any_transaction_id, **filters):
    """All pages, every transaction verified."""
    verifier, revision, transactions = store.verifier(), None, []
    while True:
        answer = page(store, any_transaction_id, revision, **filters)
        assert len(answer.signedTransactions) <= PAGE_LENGTH
        transactions += map(verifier.verify_and_decode_signed_transaction, answer.signedTransactions)
        if not answer.hasMore:
            return transactions
        assert len(answer.signedTransactions) == PAGE_LENGTH
        assert answer.revision != revision
        revision = answer.revision


@pytest.fixture
def customer(store):
    """One of everything, the consumable refunded, and a year of weekly renewals."""
    account = store.new_account()
    names = ("lifetime", "coins.100", "season.pass", "plus.monthly", "pro.weekly")
    bought = {name: store.buy(account, name) for name in names}
    store.set_auto_renew(bought["plus.monthly"]["originalTransactionId"], False)
    store.advance("P52W")
    store.refund(bought["coins.100"]["transactionId"])
    return account, bought


def test_pages_of_twenty_hold_every_transaction_once(store, customer):
    account, bought = customer
    sold = store.get(f"accounts/{account}")["transactions"]
    told = history(store, bought["lifetime"]["transactionId"])
    assert len(sold) == 4 + 53
    assert sorted(t.transactionId for t in told) == sorted(t["transactionId"] for t in sold)


def test_the_answer_names_the_app(store_of_each_environment):
    store = store_of_each_environment
    purchase = store.buy(store.new_account(), "lifetime")
    answer = page(store, purchase["transactionId"])
    assert answer.bundleId == store.credentials["bundleId"]
    assert answer.environment == store.environment
    assert answer.appAppleId == (store.credentials["appAppleId"] if store.environment == "Production" else None)
    assert answer.hasMore is False
    assert answer.revision


def test_the_order_is_that_of_the_last_change(store, customer):
    _, bought = customer
    ascending = [t.transactionId for t in history(store, bought["lifetime"]["transactionId"])]
    assert ascending[0] == bought["lifetime"]["transactionId"]
    assert ascending[-1] == bought["coins.100"]["transactionId"]
    descending = history(store, bought["lifetime"]["transactionId"], sort=Order.DESCENDING)
    assert [t.transactionId for t in descending] == ascending[::-1]


def test_the_last_revision_answers_only_what_changed_since(store):
    account = store.new_account()
    purchase = store.buy(account, "pro.weekly")
    seen = page(store, purchase["transactionId"])
    nothing = page(store, purchase["transactionId"], seen.revision)
    assert (nothing.signedTransactions, nothing.hasMore) == ([], False)
    store.advance("P1W")
    news = page(store, purchase["transactionId"], nothing.revision)
    (renewed,) = map(store.verifier().verify_and_decode_signed_transaction, news.signedTransactions)
    assert renewed.transactionId == store.get(f"accounts/{account}")["transactions"][-1]["transactionId"]


def test_a_refund_while_paging_brings_the_transaction_again(store):
    purchase = store.buy(store.new_account(), "lifetime")
    seen = page(store, purchase["transactionId"])
    store.refund(purchase["transactionId"])
    news = page(store, purchase["transactionId"], seen.revision)
    (refunded,) = map(store.verifier().verify_and_decode_signed_transaction, news.signedTransactions)
    assert refunded.transactionId == purchase["transactionId"]
    assert refunded.revocationDate is not None


@pytest.mark.parametrize(
    ("filters", "products"),
    [
        ({"productIds": ["lifetime"]}, ["lifetime"]),
        ({"productIds": ["lifetime", "season.pass"]}, ["lifetime", "season.pass"]),
        ({"productTypes": [ProductType.CONSUMABLE]}, ["coins.100"]),
        ({"productTypes": [ProductType.NON_CONSUMABLE, ProductType.NON_RENEWABLE]}, ["lifetime", "season.pass"]),
        ({"productTypes": [ProductType.AUTO_RENEWABLE]}, ["plus.monthly", *["pro.weekly"] * 53]),
        ({"subscriptionGroupIdentifiers": ["21000002"]}, ["plus.monthly"]),
        ({"subscriptionGroupIdentifiers": ["21000001", "21000002"]}, ["plus.monthly", *["pro.weekly"] * 53]),
        ({"revoked": True}, ["coins.100"]),
        ({"revoked": False, "productTypes": [ProductType.CONSUMABLE]}, []),
        ({"inAppOwnershipType": InAppOwnershipType.FAMILY_SHARED}, []),
        ({"inAppOwnershipType": InAppOwnershipType.PURCHASED, "productIds": ["lifetime"]}, ["lifetime"]),
    ],
    ids=str,
)
def test_filters_of_one_kind_widen_and_of_several_kinds_narrow(store, customer, filters, products):
    _, bought = customer
    told = history(store, bought["lifetime"]["transactionId"], **filters)
    assert sorted(t.productId for t in told) == products


def test_a_span_takes_its_start_and_leaves_its_end(store, customer):
    _, bought = customer
    weekly = history(store, bought["lifetime"]["transactionId"], productIds=["pro.weekly"])
    start, end = weekly[3].purchaseDate, weekly[7].purchaseDate
    span = {"startDate": start, "endDate": end}
    told = history(store, bought["lifetime"]["transactionId"], productIds=["pro.weekly"], **span)
    assert [t.transactionId for t in told] == [t.transactionId for t in weekly[3:7]]
