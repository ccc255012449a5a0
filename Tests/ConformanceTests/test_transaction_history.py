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
    """The verified transactions of all pages."""
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
    """A customer with one product of each kind, a refunded consumable and a year of weekly renewals."""
    account = store.new_account()
    names = ("lifetime", "coins.100", "season.pass", "plus.monthly", "pro.weekly")
    bought = {name: store.buy(account, name) for name in names}
    store.set_auto_renew(bought["plus.monthly"]["originalTransactionId"], False)
    store.advance("P52W")
    store.refund(bought["coins.100"]["transactionId"])
    return account, bought


def test_pages_of_twenty_contain_every_transaction_once(store, customer):
    account, bought = customer
    sold = store.get(f"accounts/{account}")["transactions"]
    transactions = history(store, bought["lifetime"]["transactionId"])
    assert len(sold) == 4 + 53
    assert sorted(t.transactionId for t in transactions) == sorted(t["transactionId"] for t in sold)


def test_the_response_contains_the_app(store_of_each_environment):
    store = store_of_each_environment
    purchase = store.buy(store.new_account(), "lifetime")
    answer = page(store, purchase["transactionId"])
    assert answer.bundleId == store.credentials["bundleId"]
    assert answer.environment == store.environment
    assert answer.appAppleId == (store.credentials["appAppleId"] if store.environment == "Production" else None)
    assert answer.hasMore is False
    assert answer.revision


def test_transactions_are_sorted_by_their_last_change(store, customer):
    _, bought = customer
    ascending = [t.transactionId for t in history(store, bought["lifetime"]["transactionId"])]
    assert ascending[0] == bought["lifetime"]["transactionId"]
    assert ascending[-1] == bought["coins.100"]["transactionId"]
    descending = history(store, bought["lifetime"]["transactionId"], sort=Order.DESCENDING)
    assert [t.transactionId for t in descending] == ascending[::-1]


def test_the_last_revision_returns_only_later_changes(store):
    account = store.new_account()
    purchase = store.buy(account, "pro.weekly")
    seen = page(store, purchase["transactionId"])
    unchanged = page(store, purchase["transactionId"], seen.revision)
    assert (unchanged.signedTransactions, unchanged.hasMore) == ([], False)
    store.advance("P1W")
    changes = page(store, purchase["transactionId"], unchanged.revision)
    (renewed,) = map(store.verifier().verify_and_decode_signed_transaction, changes.signedTransactions)
    assert renewed.transactionId == store.get(f"accounts/{account}")["transactions"][-1]["transactionId"]


def test_a_refund_during_paging_returns_the_transaction_again(store):
    purchase = store.buy(store.new_account(), "lifetime")
    seen = page(store, purchase["transactionId"])
    store.refund(purchase["transactionId"])
    changes = page(store, purchase["transactionId"], seen.revision)
    (refunded,) = map(store.verifier().verify_and_decode_signed_transaction, changes.signedTransactions)
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
def test_values_of_one_filter_are_alternatives_and_several_filters_must_all_match(store, customer, filters, products):
    _, bought = customer
    transactions = history(store, bought["lifetime"]["transactionId"], **filters)
    assert sorted(t.productId for t in transactions) == products


def test_a_date_range_includes_its_start_and_excludes_its_end(store, customer):
    _, bought = customer
    weekly = history(store, bought["lifetime"]["transactionId"], productIds=["pro.weekly"])
    start, end = weekly[3].purchaseDate, weekly[7].purchaseDate
    date_range = {"startDate": start, "endDate": end}
    transactions = history(store, bought["lifetime"]["transactionId"], productIds=["pro.weekly"], **date_range)
    assert [t.transactionId for t in transactions] == [t.transactionId for t in weekly[3:7]]
