"""Extensions of renewal dates, the notification history and the rest of Apple's calls, by Apple's own client."""

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


def test_an_extension_moves_the_renewal_date_twice_and_no_third_time(store):
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


def test_a_mass_extension_goes_on_for_hours_extends_and_fails_each_and_sums_up(store, receiver):
    store.send_notifications_to(receiver.url)
    client = store.client()
    paying = store.buy(store.new_account(), "pro.weekly")["originalTransactionId"]
    exhausted = store.buy(store.new_account(), "pro.weekly")["originalTransactionId"]
    for _ in range(2):
        client.extend_subscription_renewal_date(exhausted, ExtendRenewalDateRequest(**extension(1)))
    order = MassExtendRenewalDateRequest(**extension(productId="pro.weekly"))
    assert client.extend_renewal_date_for_all_active_subscribers(order).requestIdentifier == "outage-1"
    assert not client.get_status_of_subscription_renewal_date_extensions("outage-1", "pro.weekly").complete
    seen = len(receiver.signed_payloads)
    store.advance("PT1H")
    assert not client.get_status_of_subscription_renewal_date_extensions("outage-1", "pro.weekly").complete
    store.advance("PT2H")
    status = client.get_status_of_subscription_renewal_date_extensions("outage-1", "pro.weekly")
    assert (status.complete, status.succeededCount, status.failedCount) == (True, 1, 1)
    verifier = store.verifier()
    told = [verifier.verify_and_decode_notification(signed) for signed in receiver.signed_payloads[seen:]]
    assert sorted((n.rawNotificationType, n.rawSubtype) for n in told if n.summary is None) == [
        ("RENEWAL_EXTENDED", None),
        ("RENEWAL_EXTENSION", "FAILURE"),
    ]
    [summary] = [n.summary for n in told if n.summary is not None]
    assert (summary.succeededCount, summary.failedCount) == (1, 1)
    extended = [n for n in told if n.rawNotificationType == "RENEWAL_EXTENDED"][0]
    transaction = verifier.verify_and_decode_signed_transaction(extended.data.signedTransactionInfo)
    assert transaction.originalTransactionId == paying


def test_after_an_outage_everybody_gets_days_or_gets_them_later(start_store, receiver):
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
    _, gone = subscribe()
    store.set_auto_renew(gone, False)
    account_in_retry, in_retry = subscribe()
    store.set_payment(account_in_retry, "declined")
    store.advance("P32D")
    _, on_trial = subscribe()
    for _ in range(2):
        client.extend_subscription_renewal_date(exhausted, ExtendRenewalDateRequest(**extension(1)))
    before = {original: expires(original) for original in [*paying, abroad, on_trial]}

    seen = len(receiver.signed_payloads)
    order = MassExtendRenewalDateRequest(
        **extension(days=30, productId="pro.monthly", storefrontCountryCodes=["USA"])
    )
    client.extend_renewal_date_for_all_active_subscribers(order)
    store.advance("PT3H")
    status = client.get_status_of_subscription_renewal_date_extensions("outage-1", "pro.monthly")
    assert (status.complete, status.succeededCount, status.failedCount) == (True, 3, 1)
    told = [verifier.verify_and_decode_notification(signed) for signed in receiver.signed_payloads[seen:]]
    named = {"RENEWAL_EXTENDED": set(), "RENEWAL_EXTENSION": set()}
    for notification in told:
        if notification.summary is None:
            signed = notification.data.signedTransactionInfo
            original = verifier.verify_and_decode_signed_transaction(signed).originalTransactionId
            named[notification.rawNotificationType].add(original)
    assert named == {"RENEWAL_EXTENDED": set(paying), "RENEWAL_EXTENSION": {exhausted}}
    [summary] = [n.summary for n in told if n.summary is not None]
    assert (summary.succeededCount, summary.failedCount) == (3, 1)
    assert (summary.productId, summary.storefrontCountryCodes) == ("pro.monthly", ["USA"])
    for original in paying:
        assert expires(original) == before[original] + 30 * DAY
    assert (expires(abroad), expires(on_trial)) == (before[abroad], before[on_trial])

    # Who was not eligible gets the days alone, as soon as that is possible.
    store.set_payment(account_in_retry, "ok")
    store.advance("P32D")
    for original in (in_retry, on_trial):
        assert client.extend_subscription_renewal_date(original, ExtendRenewalDateRequest(**extension(30))).success
    again = ExtendRenewalDateRequest(**extension(30))
    refused(lambda: client.extend_subscription_renewal_date(exhausted, again), APIError.SUBSCRIPTION_MAX_EXTENSION)
    refused(
        lambda: client.extend_subscription_renewal_date(gone, again),
        APIError.SUBSCRIPTION_EXTENSION_INELIGIBLE,
    )


def test_the_history_pages_and_finds_what_failed(store, receiver):
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


def test_what_is_said_of_a_purchase_is_taken(store):
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
    download = store.verifier().verify_and_decode_app_transaction(signed)
    assert download.appTransactionId == report["appTransactionId"]


def test_beyond_the_rate_limit_the_client_is_told_when_to_come_back(store):
    client = store.client()
    bought = store.buy(store.new_account(), "coins.100")["transactionId"]
    store.put("faults", {"api": [{"fault": "rate_limit", "count": 1}]})
    refused(lambda: client.get_transaction_info(bought), APIError.RATE_LIMIT_EXCEEDED)
    assert client.get_transaction_info(bought).signedTransactionInfo
