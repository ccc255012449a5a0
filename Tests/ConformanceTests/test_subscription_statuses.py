"""Get All Subscription Statuses, through Apple's client and verifier."""

import pytest
from appstoreserverlibrary.models.AutoRenewStatus import AutoRenewStatus
from appstoreserverlibrary.models.ExpirationIntent import ExpirationIntent
from appstoreserverlibrary.models.Status import Status


def statuses(store, any_transaction_id, status=None):
    return store.client().get_all_subscription_statuses(any_transaction_id, status)


def only_subscription(store, purchase):
    """The status, transaction and renewal information of a customer's one subscription, verified."""
    (group,) = statuses(store, purchase["originalTransactionId"]).data
    (item,) = group.lastTransactions
    verifier = store.verifier()
    return (
        item.status,
        verifier.verify_and_decode_signed_transaction(item.signedTransactionInfo),
        verifier.verify_and_decode_renewal_info(item.signedRenewalInfo),
    )


def test_a_new_subscription_is_active_and_renews(store):
    purchase = store.buy(store.new_account(), "pro.monthly")
    status, transaction, renewal = only_subscription(store, purchase)
    assert status == Status.ACTIVE
    assert transaction.transactionId == purchase["transactionId"]
    assert renewal.autoRenewStatus == AutoRenewStatus.ON
    assert renewal.productId == renewal.autoRenewProductId == "pro.monthly"
    assert renewal.renewalDate == transaction.expiresDate
    assert (renewal.renewalPrice, renewal.currency) == (9_990, "USD")
    assert renewal.recentSubscriptionStartDate == transaction.purchaseDate


def test_the_response_contains_the_app_and_every_group_of_the_customer(store_of_each_environment):
    store = store_of_each_environment
    account = store.new_account()
    first = store.buy(account, "pro.monthly")
    second = store.buy(account, "plus.monthly")
    consumable = store.buy(account, "coins.100")
    for any_id in (first["transactionId"], second["transactionId"], consumable["transactionId"]):
        answer = statuses(store, any_id)
        assert answer.environment == store.environment
        assert answer.bundleId == store.credentials["bundleId"]
        production = store.environment == "Production"
        assert answer.appAppleId == (store.credentials["appAppleId"] if production else None)
        groups = {group.subscriptionGroupIdentifier: group.lastTransactions for group in answer.data}
        assert {group: [item.originalTransactionId for item in items] for group, items in groups.items()} == {
            "21000001": [first["originalTransactionId"]],
            "21000002": [second["originalTransactionId"]],
        }


def test_an_app_transaction_id_finds_the_customer_too(store):
    account = store.post("accounts", {})
    purchase = store.buy(account["accountId"], "pro.weekly")
    (group,) = statuses(store, account["appTransactionId"]).data
    assert group.lastTransactions[0].originalTransactionId == purchase["originalTransactionId"]


def test_a_cancelled_subscription_ends_at_the_end_of_its_period(store):
    purchase = store.buy(store.new_account(), "pro.weekly")
    store.set_auto_renew(purchase["originalTransactionId"], False)
    status, _, renewal = only_subscription(store, purchase)
    assert (status, renewal.autoRenewStatus) == (Status.ACTIVE, AutoRenewStatus.OFF)
    store.advance("P1W")
    status, transaction, renewal = only_subscription(store, purchase)
    assert status == Status.EXPIRED
    assert transaction.transactionId == purchase["transactionId"]
    assert renewal.expirationIntent == ExpirationIntent.CUSTOMER_CANCELLED


def test_renewal_can_be_turned_on_again(store):
    purchase = store.buy(store.new_account(), "pro.weekly")
    store.set_auto_renew(purchase["originalTransactionId"], False)
    store.set_auto_renew(purchase["originalTransactionId"], True)
    store.advance("P1W")
    status, transaction, _ = only_subscription(store, purchase)
    assert status == Status.ACTIVE
    assert transaction.transactionId != purchase["transactionId"]


def test_a_declined_card_leads_to_billing_retry_and_a_valid_card_ends_it(store):
    account = store.new_account()
    purchase = store.buy(account, "pro.weekly")
    store.set_payment(account, "declined")
    store.advance("P1W")
    status, transaction, renewal = only_subscription(store, purchase)
    assert status == Status.BILLING_RETRY
    assert transaction.transactionId == purchase["transactionId"]
    assert renewal.isInBillingRetryPeriod is True
    assert renewal.expirationIntent == ExpirationIntent.BILLING_ERROR
    store.advance("P2D")
    store.set_payment(account, "ok")
    status, transaction, renewal = only_subscription(store, purchase)
    assert status == Status.ACTIVE
    assert transaction.purchaseDate == store.get("clock")["now"]
    assert not renewal.isInBillingRetryPeriod
    assert renewal.expirationIntent is None


def test_a_grace_period_keeps_access_and_the_billing_day(store):
    store.put("settings", {"gracePeriod": "sixteen_days"})
    account = store.new_account()
    purchase = store.buy(account, "plus.monthly")
    store.set_payment(account, "declined")
    store.advance("P1M")
    status, transaction, renewal = only_subscription(store, purchase)
    assert status == Status.BILLING_GRACE_PERIOD
    assert renewal.gracePeriodExpiresDate > transaction.expiresDate
    assert renewal.isInBillingRetryPeriod is True
    store.advance("P3D")
    store.set_payment(account, "ok")
    status, recovered, _ = only_subscription(store, purchase)
    assert status == Status.ACTIVE
    assert recovered.purchaseDate == transaction.expiresDate


def test_after_grace_and_retry_the_subscription_expires(store):
    store.put("settings", {"gracePeriod": "sixteen_days"})
    account = store.new_account()
    purchase = store.buy(account, "plus.monthly")
    store.set_payment(account, "declined")
    store.advance("P1M")
    store.advance("P16D")
    assert only_subscription(store, purchase)[0] == Status.BILLING_RETRY
    store.advance("P60D")
    status, _, renewal = only_subscription(store, purchase)
    assert status == Status.EXPIRED
    assert renewal.expirationIntent == ExpirationIntent.BILLING_ERROR
    assert not renewal.isInBillingRetryPeriod


def test_a_refunded_period_is_revoked(store):
    purchase = store.buy(store.new_account(), "pro.yearly")
    store.refund(purchase["transactionId"])
    status, transaction, _ = only_subscription(store, purchase)
    assert status == Status.REVOKED
    assert transaction.revocationDate == store.get("clock")["now"]


def test_a_refund_of_an_older_period_leaves_the_current_period_active(store):
    purchase = store.buy(store.new_account(), "pro.weekly")
    store.advance("P1W")
    store.refund(purchase["transactionId"])
    status, transaction, _ = only_subscription(store, purchase)
    assert status == Status.ACTIVE
    assert transaction.revocationDate is None


@pytest.mark.parametrize(
    ("wanted", "count"),
    [([Status.ACTIVE], 1), ([Status.EXPIRED], 1), ([Status.EXPIRED, Status.ACTIVE], 2), ([Status.REVOKED], 0)],
)
def test_only_the_requested_statuses_are_returned(store, wanted, count):
    account = store.new_account()
    ended = store.buy(account, "plus.monthly")
    store.set_auto_renew(ended["originalTransactionId"], False)
    purchase = store.buy(account, "pro.weekly")
    store.advance("P2M")
    answer = statuses(store, purchase["transactionId"], wanted)
    items = [item for group in answer.data for item in group.lastTransactions]
    assert len(items) == count
    assert {item.status for item in items} <= set(wanted)
