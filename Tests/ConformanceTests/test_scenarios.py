"""Long scenarios with Apple's client. Apple's verifier checks every payload."""

import json

from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.OfferDiscountType import OfferDiscountType
from appstoreserverlibrary.models.OfferType import OfferType
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.Status import Status

DAY = 86_400_000

CATALOG = {
    "version": {"major": 4, "minor": 0},
    "subscriptionGroups": [
        {
            "id": "1",
            "subscriptions": [
                {
                    "productID": "premium",
                    "groupNumber": 1,
                    "displayPrice": "19.99",
                    "recurringSubscriptionPeriod": "P1M",
                    "winbackOffers": [
                        {
                            "offerID": "come.back",
                            "displayPrice": "4.99",
                            "paymentMode": "payAsYouGo",
                            "subscriptionPeriod": "P1M",
                            "numberOfPeriods": 2,
                            "customerEligibilityPaidSubscriptionDurationInMonths": 1,
                        }
                    ],
                },
                {
                    "productID": "basic",
                    "groupNumber": 2,
                    "displayPrice": "9.99",
                    "recurringSubscriptionPeriod": "P1M",
                    "introductoryOffer": {"paymentMode": "free", "subscriptionPeriod": "P1W"},
                },
            ],
        }
    ],
}


class Scenario:
    """A store with one customer, and the notifications that the developer's server has received."""

    def __init__(self, store, receiver):
        self.store, self.receiver = store, receiver
        self.client, self.verifier = store.client(), store.verifier()
        self.account = store.new_account()
        self._seen = 0

    def new_notifications(self):
        """The notifications since the last call. Each notification and its signed data are verified."""
        new = self.receiver.signed_payloads[self._seen :]
        self._seen += len(new)
        notifications = [self.verifier.verify_and_decode_notification(signed) for signed in new]
        for notification in notifications:
            self.verifier.verify_and_decode_signed_transaction(notification.data.signedTransactionInfo)
            self.verifier.verify_and_decode_renewal_info(notification.data.signedRenewalInfo)
        return [(n.rawNotificationType, n.rawSubtype) for n in notifications]

    def status(self, original):
        """Apple's status of the subscription, with its newest transaction and renewal information."""
        [group] = self.client.get_all_subscription_statuses(original).data
        [item] = group.lastTransactions
        return (
            item.status,
            self.verifier.verify_and_decode_signed_transaction(item.signedTransactionInfo),
            self.verifier.verify_and_decode_renewal_info(item.signedRenewalInfo),
        )


def test_a_subscription_from_the_free_trial_to_the_win_back_offer(start_store, receiver, tmp_path):
    catalog = tmp_path / "story.storekit"
    catalog.write_text(json.dumps(CATALOG))
    store = start_store(environment="production", catalog=catalog)
    store.send_notifications_to(receiver.url)
    store.put("settings", {"gracePeriod": "sixteen_days"})
    scenario = Scenario(store, receiver)

    original = store.buy(scenario.account, "basic")["originalTransactionId"]
    assert scenario.new_notifications() == [("SUBSCRIBED", "INITIAL_BUY")]
    status, trial, _ = scenario.status(original)
    assert (status, trial.offerDiscountType, trial.price) == (Status.ACTIVE, OfferDiscountType.FREE_TRIAL, 0)

    store.advance("P7D")
    assert scenario.new_notifications() == [("DID_RENEW", None)]
    _, paid, _ = scenario.status(original)
    assert (paid.price, paid.offerType) == (9_990, None)

    store.advance("P1M")
    assert scenario.new_notifications() == [("DID_RENEW", None)]
    store.post(f"subscriptions/{original}/plan", {"productId": "premium"})
    assert scenario.new_notifications() == [("DID_CHANGE_RENEWAL_PREF", "UPGRADE")]
    _, upgraded, renewal = scenario.status(original)
    assert (upgraded.productId, renewal.autoRenewProductId) == ("premium", "premium")

    store.set_payment(scenario.account, "declined")
    store.advance("P1M3D")
    assert scenario.new_notifications() == [("DID_FAIL_TO_RENEW", "GRACE_PERIOD")]
    status, _, renewal = scenario.status(original)
    assert status == Status.BILLING_GRACE_PERIOD
    assert renewal.isInBillingRetryPeriod and renewal.gracePeriodExpiresDate == upgraded.expiresDate + 16 * DAY

    store.set_payment(scenario.account, "ok")
    assert scenario.new_notifications() == [("DID_RENEW", "BILLING_RECOVERY")]
    status, recovered, _ = scenario.status(original)
    assert (status, recovered.purchaseDate) == (Status.ACTIVE, upgraded.expiresDate)

    store.refund(recovered.transactionId)
    assert scenario.new_notifications() == [("REFUND", None)]
    status, refunded, _ = scenario.status(original)
    assert (status, refunded.revocationPercentage) == (Status.REVOKED, 100_000)

    store.advance("P2M")
    assert scenario.new_notifications() == []
    _, _, renewal = scenario.status(original)
    assert renewal.eligibleWinBackOfferIds == ["come.back"]
    win_back = store.buy(scenario.account, "premium", offer={"type": "win_back", "identifier": "come.back"})
    assert win_back["originalTransactionId"] == original
    assert scenario.new_notifications() == [("SUBSCRIBED", "RESUBSCRIBE")]
    status, returned, renewal = scenario.status(original)
    assert (status, returned.offerType, returned.price) == (Status.ACTIVE, OfferType.WIN_BACK_OFFER, 4_990)
    assert renewal.renewalPrice == 4_990


def test_missed_notifications_are_recovered_from_the_history(start_store, receiver):
    store = start_store(environment="production")
    store.send_notifications_to(receiver.url)
    scenario = Scenario(store, receiver)
    store.buy(scenario.account, "pro.weekly")
    assert scenario.new_notifications() == [("SUBSCRIBED", "INITIAL_BUY")]

    receiver.answer_status = 503
    start = store.get("clock")["now"]
    store.advance("P15D")
    refused = set(receiver.signed_payloads[1:])
    assert len(refused) == 2
    receiver.answer_status = 200

    now = store.get("clock")["now"]
    failures = NotificationHistoryRequest(startDate=start, endDate=now, onlyFailures=True)
    missed = scenario.client.get_notification_history(None, failures).notificationHistory
    assert {item.signedPayload for item in missed} == refused
    for item in missed:
        results = [attempt.sendAttemptResult for attempt in item.sendAttempts]
        assert set(results) == {SendAttemptResult.UNSUCCESSFUL_HTTP_RESPONSE_CODE}
        notification = scenario.verifier.verify_and_decode_notification(item.signedPayload)
        assert notification.rawNotificationType == "DID_RENEW"

    # The store sends the newer one again. The older one had its six attempts, so the developer must fetch it.
    before = len(receiver.signed_payloads)
    store.advance("P3D")
    redelivered = set(receiver.signed_payloads[before:])
    assert redelivered <= refused
    remaining = scenario.client.get_notification_history(None, failures).notificationHistory
    attempts = {item.signedPayload: [attempt.sendAttemptResult for attempt in item.sendAttempts] for item in remaining}
    assert all(SendAttemptResult.SUCCESS not in results for results in attempts.values())
    assert set(attempts) | redelivered == refused
