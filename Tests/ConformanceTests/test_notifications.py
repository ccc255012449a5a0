"""The notifications that the store posts to the developer's server, and its test notification."""

import pytest
from appstoreserverlibrary.api_client import APIError, APIException
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.Status import Status

HOUR = 3_600_000


def create_all_events(store):
    """Creates all events: trial, renewal, grace period, recovery, expiry, resubscription, refund, other purchases."""
    store.put("settings", {"gracePeriod": "sixteen_days"})
    account = store.new_account()
    subscription = store.buy(account, "pro.monthly")["originalTransactionId"]
    store.advance("P1W")
    store.set_payment(account, "declined")
    store.advance("P1M")
    store.advance("P16D")
    store.set_payment(account, "ok")
    store.set_auto_renew(subscription, False)
    store.set_auto_renew(subscription, True)
    store.set_auto_renew(subscription, False)
    store.advance("P1M")
    again = store.buy(account, "pro.monthly")
    store.refund(again["transactionId"])
    for product in ("coins.100", "lifetime", "season.pass"):
        store.buy(account, product)
    return subscription


EVENTS = [
    ("SUBSCRIBED", "INITIAL_BUY", 1),
    ("DID_RENEW", None, 1),
    ("DID_FAIL_TO_RENEW", "GRACE_PERIOD", 4),
    ("GRACE_PERIOD_EXPIRED", None, 3),
    ("DID_RENEW", "BILLING_RECOVERY", 1),
    ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", 1),
    ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED", 1),
    ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", 1),
    ("EXPIRED", "VOLUNTARY", 2),
    ("SUBSCRIBED", "RESUBSCRIBE", 1),
    ("REFUND", None, 5),
    ("ONE_TIME_CHARGE", None, None),
    ("ONE_TIME_CHARGE", None, None),
    ("ONE_TIME_CHARGE", None, None),
]


def test_apples_verifier_accepts_every_payload_of_every_event(store_of_each_environment, receiver):
    store = store_of_each_environment
    store.send_notifications_to(receiver.url)
    subscription = create_all_events(store)
    verifier = store.verifier()
    events = []
    for signed in receiver.signed_payloads:
        notification = verifier.verify_and_decode_notification(signed)
        data = notification.data
        assert notification.version == "2.0"
        assert data.bundleId == store.credentials["bundleId"]
        assert data.environment == store.environment
        transaction = verifier.verify_and_decode_signed_transaction(data.signedTransactionInfo)
        assert transaction.signedDate <= notification.signedDate
        if data.signedRenewalInfo is not None:
            renewal = verifier.verify_and_decode_renewal_info(data.signedRenewalInfo)
            assert renewal.originalTransactionId == transaction.originalTransactionId == subscription
        events.append((notification.rawNotificationType, notification.rawSubtype, data.rawStatus))
    assert events == EVENTS


def test_signed_dates_of_one_subscription_always_increase(store, receiver):
    store.send_notifications_to(receiver.url)
    create_all_events(store)
    verifier = store.verifier()
    notifications = [verifier.verify_and_decode_notification(signed) for signed in receiver.signed_payloads]
    dates = [n.signedDate for n in notifications if n.data.signedRenewalInfo is not None]
    assert dates == sorted(set(dates))


def test_the_stores_list_contains_exactly_the_posted_notifications(store, receiver):
    store.send_notifications_to(receiver.url)
    create_all_events(store)
    listed = store.notifications()
    assert [n["signedPayload"] for n in listed] == receiver.signed_payloads
    assert [(n["notificationType"], n.get("subtype")) for n in listed] == [event[:2] for event in EVENTS]
    assert len({n["notificationUUID"] for n in listed}) == len(listed)
    assert all([a["sendAttemptResult"] for a in n["attempts"]] == ["SUCCESS"] for n in listed)


def test_a_notification_is_a_json_object_with_one_member(store, receiver):
    store.send_notifications_to(receiver.url)
    store.buy(store.new_account(), "lifetime")
    (body,) = receiver.bodies
    assert list(body) == ["signedPayload"]
    assert receiver.content_types == ["application/json"]


def test_a_refund_notification_for_an_older_period_has_the_status_active(store, receiver):
    purchase = store.buy(store.new_account(), "pro.weekly")
    store.advance("P1W")
    store.send_notifications_to(receiver.url)
    store.refund(purchase["transactionId"])
    notification = store.verifier().verify_and_decode_notification(receiver.signed_payloads[0])
    assert notification.notificationType == NotificationTypeV2.REFUND
    assert notification.data.status == Status.ACTIVE
    refunded = store.verifier().verify_and_decode_signed_transaction(notification.data.signedTransactionInfo)
    assert refunded.transactionId == purchase["transactionId"]


def test_an_advance_reports_the_sent_notifications(store, receiver):
    store.send_notifications_to(receiver.url)
    store.buy(store.new_account(), "pro.weekly")
    answer = store.advance("P3W")
    assert answer["notifications"] == {"sent": 3, "failed": 0}
    assert answer["now"] == store.get("clock")["now"]
    assert len(receiver.bodies) == 4


def test_production_tries_six_times_at_apples_intervals(start_store, receiver):
    store = start_store(environment="production")
    store.send_notifications_to(receiver.url)
    receiver.answer_status = 503
    store.buy(store.new_account(), "lifetime")
    store.advance("P30D")
    (notification,) = store.notifications()
    dates = [attempt["attemptDate"] for attempt in notification["attempts"]]
    assert [(later - earlier) // HOUR for earlier, later in zip(dates, dates[1:])] == [1, 12, 24, 48, 72]
    results = {attempt["sendAttemptResult"] for attempt in notification["attempts"]}
    assert results == {SendAttemptResult.UNSUCCESSFUL_HTTP_RESPONSE_CODE.value}
    assert receiver.signed_payloads == [notification["signedPayload"]] * 6


def test_production_stops_trying_after_a_success(start_store, receiver):
    store = start_store(environment="production")
    store.send_notifications_to(receiver.url)
    receiver.answer_status = 500
    store.buy(store.new_account(), "lifetime")
    receiver.answer_status = 206
    store.advance("P30D")
    (notification,) = store.notifications()
    results = [attempt["sendAttemptResult"] for attempt in notification["attempts"]]
    assert results == ["UNSUCCESSFUL_HTTP_RESPONSE_CODE", "SUCCESS"]


def test_sandbox_tries_once(store, receiver):
    store.send_notifications_to(receiver.url)
    receiver.answer_status = 503
    store.buy(store.new_account(), "lifetime")
    store.advance("P30D")
    (notification,) = store.notifications()
    assert len(notification["attempts"]) == len(receiver.bodies) == 1


def test_a_test_notification_arrives_and_its_status_is_returned(store_of_each_environment, receiver):
    store = store_of_each_environment
    store.send_notifications_to(receiver.url)
    client = store.client()
    token = client.request_test_notification().testNotificationToken
    status = client.get_test_notification_status(token)
    assert receiver.signed_payloads == [status.signedPayload]
    assert [attempt.sendAttemptResult for attempt in status.sendAttempts] == [SendAttemptResult.SUCCESS]
    notification = store.verifier().verify_and_decode_notification(status.signedPayload)
    assert notification.notificationType == NotificationTypeV2.TEST
    assert notification.subtype is None
    assert notification.data.bundleId == store.credentials["bundleId"]
    assert notification.data.signedTransactionInfo is None
    assert notification.data.status is None


def test_the_status_of_a_test_notification_reports_a_failure(store, receiver):
    store.send_notifications_to(receiver.url)
    receiver.answer_status = 404
    client = store.client()
    status = client.get_test_notification_status(client.request_test_notification().testNotificationToken)
    (attempt,) = status.sendAttempts
    assert attempt.sendAttemptResult == SendAttemptResult.UNSUCCESSFUL_HTTP_RESPONSE_CODE


def test_a_test_notification_requires_a_notification_url(store):
    with pytest.raises(APIException) as refused:
        store.client().request_test_notification()
    assert refused.value.http_status_code == 404
    assert refused.value.api_error == APIError.SERVER_NOTIFICATION_URL_NOT_FOUND
