"""Renewal date extensions, the notification history and Apple's other calls, with Apple's client."""

import pytest
from appstoreserverlibrary.api_client import APIError, APIException, GetTransactionHistoryVersion
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.TransactionHistoryRequest import TransactionHistoryRequest
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest

DAY = 86_400_000
# A mass extension needs a UUID, a single one any text.
ORDER = "6e0e2a4c-aaaa-4bbb-8ccc-0123456789ab"


def extension(days=10, **more):
    return {
        "extendByDays": days,
        "extendReasonCode": ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE,
        "requestIdentifier": "outage-1",
        **more,
    }


def refused(call, code):
    with pytest.raises(APIException) as error:
        call()
    assert error.value.api_error == code


def test_a_renewal_date_can_be_extended_twice_and_not_a_third_time(store):
    client = store.client()
    bought = store.buy(store.new_account(), "pro.weekly")
    original = bought["originalTransactionId"]
    verifier = store.verifier()
    before = verifier.verify_and_decode_signed_transaction(bought["signedTransactionInfo"]).expiresDate
    for count in (1, 2):
        answer = client.extend_subscription_renewal_date(original, ExtendRenewalDateRequest(**extension()))
        assert answer.success
        assert answer.originalTransactionId == original
        assert answer.effectiveDate == before + count * 10 * DAY
    third = ExtendRenewalDateRequest(**extension())
    refused(lambda: client.extend_subscription_renewal_date(original, third), APIError.SUBSCRIPTION_MAX_EXTENSION)


def test_a_mass_extension_takes_hours_and_reports_each_result_and_a_summary(store, receiver):
    store.send_notifications_to(receiver.url)
    client = store.client()
    paying = store.buy(store.new_account(), "pro.weekly")["originalTransactionId"]
    exhausted = store.buy(store.new_account(), "pro.weekly")["originalTransactionId"]
    for _ in range(2):
        client.extend_subscription_renewal_date(exhausted, ExtendRenewalDateRequest(**extension(1)))
    request = MassExtendRenewalDateRequest(**extension(productId="pro.weekly", requestIdentifier=ORDER))
    assert client.extend_renewal_date_for_all_active_subscribers(request).requestIdentifier == ORDER
    assert not client.get_status_of_subscription_renewal_date_extensions(ORDER, "pro.weekly").complete
    seen = len(receiver.signed_payloads)
    store.advance("PT1H")
    assert not client.get_status_of_subscription_renewal_date_extensions(ORDER, "pro.weekly").complete
    store.advance("PT2H")
    status = client.get_status_of_subscription_renewal_date_extensions(ORDER, "pro.weekly")
    assert (status.complete, status.succeededCount, status.failedCount) == (True, 1, 1)
    verifier = store.verifier()
    notifications = [verifier.verify_and_decode_notification(signed) for signed in receiver.signed_payloads[seen:]]
    assert sorted((n.rawNotificationType, n.rawSubtype) for n in notifications if n.summary is None) == [
        ("RENEWAL_EXTENDED", None),
        ("RENEWAL_EXTENSION", "FAILURE"),
    ]
    [summary] = [n.summary for n in notifications if n.summary is not None]
    assert (summary.succeededCount, summary.failedCount) == (1, 1)
    extended = [n for n in notifications if n.rawNotificationType == "RENEWAL_EXTENDED"][0]
    transaction = verifier.verify_and_decode_signed_transaction(extended.data.signedTransactionInfo)
    assert transaction.originalTransactionId == paying


def test_a_mass_extension_needs_a_uuid(store):
    client = store.client()
    request = MassExtendRenewalDateRequest(**extension(productId="pro.weekly"))
    refused(
        lambda: client.extend_renewal_date_for_all_active_subscribers(request), APIError.INVALID_REQUEST_IDENTIFIER
    )
    status = client.get_status_of_subscription_renewal_date_extensions
    refused(lambda: status("outage-1", "pro.weekly"), APIError.INVALID_REQUEST_IDENTIFIER)
    refused(lambda: status(ORDER, "pro.weekly"), APIError.STATUS_REQUEST_NOT_FOUND)


def test_after_an_outage_eligible_subscribers_are_extended_and_others_later(start_store, receiver):
    store = start_store(environment="production")
    store.send_notifications_to(receiver.url)
    client, verifier = store.client(), store.verifier()

    def subscribe(storefront="USA"):
        account = store.new_account(storefront)
        return account, store.buy(account, "pro.monthly")["originalTransactionId"]

    def expires(original):
        [group] = client.get_all_subscription_statuses(original).data
        [item] = group.lastTransactions
        return verifier.verify_and_decode_signed_transaction(item.signedTransactionInfo).expiresDate

    # All of them begin with a free trial; a month later most of them pay.
    paying = [subscribe()[1] for _ in range(3)]
    _, exhausted = subscribe()
    _, abroad = subscribe("DEU")
    _, cancelled = subscribe()
    store.set_auto_renew(cancelled, False)
    account_in_retry, in_retry = subscribe()
    store.set_payment(account_in_retry, "declined")
    store.advance("P32D")
    _, on_trial = subscribe()
    for _ in range(2):
        client.extend_subscription_renewal_date(exhausted, ExtendRenewalDateRequest(**extension(1)))
    before = {original: expires(original) for original in [*paying, abroad, on_trial]}

    seen = len(receiver.signed_payloads)
    request = MassExtendRenewalDateRequest(
        **extension(
            days=30, productId="pro.monthly", storefrontCountryCodes=["USA"], requestIdentifier=ORDER
        )
    )
    client.extend_renewal_date_for_all_active_subscribers(request)
    store.advance("PT3H")
    status = client.get_status_of_subscription_renewal_date_extensions(ORDER, "pro.monthly")
    assert (status.complete, status.succeededCount, status.failedCount) == (True, 3, 1)
    notifications = [verifier.verify_and_decode_notification(signed) for signed in receiver.signed_payloads[seen:]]
    notified = {"RENEWAL_EXTENDED": set(), "RENEWAL_EXTENSION": set()}
    for notification in notifications:
        if notification.summary is None:
            signed = notification.data.signedTransactionInfo
            original = verifier.verify_and_decode_signed_transaction(signed).originalTransactionId
            notified[notification.rawNotificationType].add(original)
    assert notified == {"RENEWAL_EXTENDED": set(paying), "RENEWAL_EXTENSION": {exhausted}}
    [summary] = [n.summary for n in notifications if n.summary is not None]
    assert (summary.succeededCount, summary.failedCount) == (3, 1)
    assert (summary.productId, summary.storefrontCountryCodes) == ("pro.monthly", ["USA"])
    for original in paying:
        assert expires(original) == before[original] + 30 * DAY
    assert (expires(abroad), expires(on_trial)) == (before[abroad], before[on_trial])

    # A subscriber who was not eligible gets an individual extension later.
    store.set_payment(account_in_retry, "ok")
    store.advance("P32D")
    for original in (in_retry, on_trial):
        assert client.extend_subscription_renewal_date(original, ExtendRenewalDateRequest(**extension(30))).success
    another = ExtendRenewalDateRequest(**extension(30))
    refused(lambda: client.extend_subscription_renewal_date(exhausted, another), APIError.SUBSCRIPTION_MAX_EXTENSION)
    refused(
        lambda: client.extend_subscription_renewal_date(cancelled, another),
        APIError.SUBSCRIPTION_EXTENSION_INELIGIBLE,
    )


def test_the_notification_history_has_pages_and_finds_failures(store, receiver):
    store.send_notifications_to(receiver.url)
    client = store.client()
    account = store.new_account()
    for _ in range(21):
        store.buy(account, "coins.100")
    store.put("faults", {"deliveries": [{"fault": "drop", "count": 1}]})
    store.buy(account, "lifetime")
    now = store.get("clock")["now"]
    everything = NotificationHistoryRequest(startDate=now - DAY, endDate=now + DAY)
    first = client.get_notification_history(None, everything)
    assert first.hasMore and len(first.notificationHistory) == 20
    second = client.get_notification_history(first.paginationToken, everything)
    assert not second.hasMore and len(second.notificationHistory) == 2
    failures = NotificationHistoryRequest(startDate=now - DAY, endDate=now + DAY, onlyFailures=True)
    [missed] = client.get_notification_history(None, failures).notificationHistory
    assert missed.sendAttempts[0].sendAttemptResult == SendAttemptResult.TIMED_OUT
    notification = store.verifier().verify_and_decode_notification(missed.signedPayload)
    assert notification.notificationType == NotificationTypeV2.ONE_TIME_CHARGE
    assert missed.signedPayload not in receiver.signed_payloads
    refused(lambda: client.get_notification_history("nonsense", everything), APIError.INVALID_PAGINATION_TOKEN)
    old = NotificationHistoryRequest(startDate=now - 31 * DAY, endDate=now)
    refused(lambda: client.get_notification_history(None, old), APIError.START_DATE_TOO_FAR_IN_PAST)


def test_information_about_a_purchase_is_accepted(store):
    client = store.client()
    bought = store.buy(store.new_account(), "coins.100")["transactionId"]
    token = "6e0e2a4c-aaaa-4bbb-8ccc-0123456789ab"
    client.set_app_account_token(bought, UpdateAppAccountTokenRequest(appAccountToken=token))
    signed = client.get_transaction_info(bought).signedTransactionInfo
    assert store.verifier().verify_and_decode_signed_transaction(signed).appAccountToken == token
    information = ConsumptionRequest(
        customerConsented=True, sampleContentProvided=False, deliveryStatus=DeliveryStatus.DELIVERED
    )
    client.send_consumption_information(bought, information)
    assert store.get(f"transactions/{bought}/consumption")["content"]["deliveryStatus"] == "DELIVERED"
    client.finish_transaction(bought)
    for version, count in ((GetTransactionHistoryVersion.V1, 0), (GetTransactionHistoryVersion.V2, 1)):
        history = client.get_transaction_history(bought, None, TransactionHistoryRequest(), version)
        assert len(history.signedTransactions) == count


def test_refunds_orders_and_app_transactions_are_found(start_store):
    store = start_store(environment="production")
    client = store.client()
    account = store.new_account()
    bought = [store.buy(account, "coins.100")["transactionId"] for _ in range(21)]
    for transaction in bought:
        store.refund(transaction)
    first = client.get_refund_history(bought[0], None)
    second = client.get_refund_history(bought[0], first.revision)
    assert (first.hasMore, len(first.signedTransactions)) == (True, 20)
    assert (second.hasMore, len(second.signedTransactions)) == (False, 1)
    report = store.get(f"accounts/{account}")
    order = client.look_up_order_id(report["transactions"][0]["orderId"])
    assert order.status == OrderLookupStatus.VALID and len(order.signedTransactions) == 1
    assert client.look_up_order_id("MVXXXXXXXX").status == OrderLookupStatus.INVALID
    signed = client.get_app_transaction_info(bought[0]).signedAppTransactionInfo
    app_transaction = store.verifier().verify_and_decode_app_transaction(signed)
    assert app_transaction.appTransactionId == report["appTransactionId"]


def test_a_call_beyond_the_rate_limit_is_refused(store):
    client = store.client()
    bought = store.buy(store.new_account(), "coins.100")["transactionId"]
    store.put("faults", {"api": [{"fault": "rate_limit", "count": 1}]})
    refused(lambda: client.get_transaction_info(bought), APIError.RATE_LIMIT_EXCEEDED)
    assert client.get_transaction_info(bought).signedTransactionInfo
