"""Advanced Commerce requests that Apple's creator signs. Apple's verifier checks the results."""

import uuid
from datetime import datetime, timezone

import pytest
import requests
from appstoreserverlibrary.jws_signature_creator import AdvancedCommerceAPIInAppSignatureCreator
from appstoreserverlibrary.models.AdvancedCommerceDescriptors import AdvancedCommerceDescriptors
from appstoreserverlibrary.models.AdvancedCommerceOneTimeChargeCreateRequest import (
    AdvancedCommerceOneTimeChargeCreateRequest,
)
from appstoreserverlibrary.models.AdvancedCommerceOneTimeChargeItem import AdvancedCommerceOneTimeChargeItem
from appstoreserverlibrary.models.AdvancedCommercePeriod import AdvancedCommercePeriod
from appstoreserverlibrary.models.AdvancedCommerceRefundType import AdvancedCommerceRefundType
from appstoreserverlibrary.models.AdvancedCommerceRequestInfo import AdvancedCommerceRequestInfo
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionCreateItem import AdvancedCommerceSubscriptionCreateItem
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionCreateRequest import (
    AdvancedCommerceSubscriptionCreateRequest,
)
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2


@pytest.fixture
def store(start_store):
    """A store whose clock shows the present time, because Apple's creator signs with the time of the machine."""
    return start_store(now=datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"))


def request_info():
    return AdvancedCommerceRequestInfo(requestReferenceId=uuid.uuid4())


def buy(store, account, product, request):
    credentials = store.credentials
    creator = AdvancedCommerceAPIInAppSignatureCreator(
        credentials["privateKey"].encode(), credentials["keyId"], credentials["issuerId"], credentials["bundleId"]
    )
    body = {"productId": product, "request": creator.create_signature(request)}
    return store.post(f"accounts/{account}/advanced-commerce-purchases", body)


def subscription():
    return AdvancedCommerceSubscriptionCreateRequest(
        requestInfo=request_info(),
        currency="USD",
        descriptors=AdvancedCommerceDescriptors(description="Two channels", displayName="Bundle"),
        items=[
            AdvancedCommerceSubscriptionCreateItem(
                SKU=sku, description=f"All of {sku}", displayName=sku, price=price
            )
            for sku, price in [("news", 6_000), ("sport", 4_000)]
        ],
        period=AdvancedCommercePeriod.P1M,
        taxCode="C003-00-2",
    )


def post(store, path, body):
    """Makes a call that Apple's client does not offer, with the token of Apple's client."""
    return requests.post(
        f"{store.url}/advancedCommerce/v1/{path}",
        json=body,
        headers={"Authorization": f"Bearer {store.client()._generate_token()}"},
        timeout=60,
    )


def test_a_one_time_charge_is_sold_and_notified(store, receiver):
    store.send_notifications_to(receiver.url)
    request = AdvancedCommerceOneTimeChargeCreateRequest(
        requestInfo=request_info(),
        currency="USD",
        item=AdvancedCommerceOneTimeChargeItem(
            SKU="course", description="A whole course", displayName="Course", price=49_990
        ),
        taxCode="C003-00-2",
    )
    sold = buy(store, store.new_account(), "coins.100", request)
    transaction = store.verifier().verify_and_decode_signed_transaction(sold["signedTransactionInfo"])
    assert (transaction.price, transaction.currency) == (49_990, "USD")
    assert [item.SKU for item in transaction.advancedCommerceInfo.items] == ["course"]
    assert transaction.advancedCommerceInfo.requestReferenceId == str(request.requestInfo.requestReferenceId)
    notification = store.verifier().verify_and_decode_notification(store.notifications()[-1]["signedPayload"])
    assert notification.notificationType == NotificationTypeV2.ONE_TIME_CHARGE


def test_a_subscription_renews_with_its_items_and_is_revoked(store, receiver):
    store.send_notifications_to(receiver.url)
    sold = buy(store, store.new_account(), "pro.monthly", subscription())
    renewal = store.verifier().verify_and_decode_renewal_info(sold["signedRenewalInfo"])
    assert renewal.renewalPrice == 10_000
    assert [(item.SKU, item.price) for item in renewal.advancedCommerceInfo.items] == [
        ("news", 6_000),
        ("sport", 4_000),
    ]
    assert renewal.advancedCommerceInfo.period == AdvancedCommercePeriod.P1M
    store.advance("P1M")
    answer = post(
        store,
        f"subscription/revoke/{sold['originalTransactionId']}",
        {
            "requestInfo": {"requestReferenceId": str(uuid.uuid4())},
            "refundReason": "LEGAL",
            "refundType": "FULL",
            "refundRiskingPreference": False,
        },
    )
    assert answer.status_code == 200, answer.text
    transaction = store.verifier().verify_and_decode_signed_transaction(answer.json()["signedTransactionInfo"])
    assert transaction.transactionId != sold["transactionId"]
    assert transaction.revocationDate is not None
    refunds = [refund for item in transaction.advancedCommerceInfo.items for refund in item.refunds]
    assert [refund.refundAmount for refund in refunds] == [6_000, 4_000]
    assert {refund.refundType for refund in refunds} == {AdvancedCommerceRefundType.FULL}
    notifications = [
        store.verifier().verify_and_decode_notification(entry["signedPayload"]) for entry in store.notifications()
    ]
    assert [entry.notificationType for entry in notifications] == [
        NotificationTypeV2.SUBSCRIBED,
        NotificationTypeV2.DID_RENEW,
        NotificationTypeV2.REFUND,
    ]


def test_a_request_is_refused_with_apples_error(store):
    answer = post(store, "subscription/cancel/2000000000009999", {"requestInfo": {"requestReferenceId": "x"}})
    assert answer.status_code == 400
    assert answer.json()["errorCode"] == 4_000_081


def test_an_external_purchase_token_is_notified_and_reported(store, receiver):
    store.send_notifications_to(receiver.url)
    account = store.new_account()
    token = store.post(f"accounts/{account}/external-purchase-tokens", {"tokenType": "SERVICES"})
    notification = store.verifier().verify_and_decode_notification(store.notifications()[-1]["signedPayload"])
    assert notification.notificationType == NotificationTypeV2.EXTERNAL_PURCHASE_TOKEN
    # This version of the library does not know the subtype yet.
    assert notification.rawSubtype == "CREATED"
    assert notification.externalPurchaseToken.externalPurchaseId == token["externalPurchaseId"]
    assert notification.externalPurchaseToken.tokenCreationDate == token["tokenCreationDate"]
    report = {
        "requestIdentifier": str(uuid.uuid4()),
        "externalPurchaseId": token["externalPurchaseId"],
        "status": "NO_LINE_ITEM",
    }
    address = f"{store.url}/externalPurchase/v1/reports"
    headers = {"Authorization": f"Bearer {store.client()._generate_token()}"}
    assert requests.put(address, json=report, headers=headers, timeout=60).json() == {
        "requestIdentifier": report["requestIdentifier"]
    }
    found = requests.get(f"{address}/{report['requestIdentifier']}", headers=headers, timeout=60)
    assert found.json() == {"report": report}
