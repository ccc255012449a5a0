"""App receipts in Apple's library, and /verifyReceipt with the requests of older servers."""

import base64

import pytest
import requests
from appstoreserverlibrary.receipt_utility import ReceiptUtility

DATES = {"purchase_date", "original_purchase_date", "expires_date"}


def date_names(names):
    """The names of each date in its three formats."""
    return {name + suffix for name in names for suffix in ("", "_ms", "_pst")}


def verify(store, receipt, **options):
    """Sends one request as older servers do, without a bearer token."""
    body = {"receipt-data": receipt, "password": store.credentials["sharedSecret"], **options}
    response = requests.post(f"{store.url}/verifyReceipt", json=body, timeout=60)
    assert response.status_code == 200
    assert response.headers["Deprecation"] == "Mon, 5 Jun 2023 23:59:59 GMT"
    return response.json()


def test_apples_utility_finds_the_transaction_in_a_receipt(store):
    bought = store.buy(store.new_account(), "pro.monthly")
    found = ReceiptUtility().extract_transaction_id_from_app_receipt(bought["receipt"])
    assert found == bought["transactionId"]
    response = store.client().get_transaction_info(found)
    transaction = store.verifier().verify_and_decode_signed_transaction(response.signedTransactionInfo)
    assert transaction.productId == "pro.monthly"


def test_apples_utility_finds_no_transaction_in_a_receipt_without_purchases(store):
    receipt = store.get(f"accounts/{store.new_account()}/receipt")["receipt"]
    assert ReceiptUtility().extract_transaction_id_from_app_receipt(receipt) is None


def test_apples_utility_finds_the_transaction_in_a_receipt_of_ios_6(store):
    bought = store.buy(store.new_account(), "lifetime")
    receipt = store.get(f"transactions/{bought['transactionId']}/receipt")["receipt"]
    found = ReceiptUtility().extract_transaction_id_from_transaction_receipt(receipt)
    assert found == bought["transactionId"]


def test_a_response_has_the_members_that_apple_documents(store):
    account = store.new_account()
    old_receipt = store.buy(account, "pro.monthly")["receipt"]
    store.advance("P2M")
    answer = verify(store, old_receipt)
    assert set(answer) == {
        "status", "environment", "receipt", "latest_receipt", "latest_receipt_info", "pending_renewal_info",
    }
    assert (answer["status"], answer["environment"]) == (0, "Sandbox")
    receipt = answer["receipt"]
    assert set(receipt) == {
        "receipt_type", "adam_id", "app_item_id", "bundle_id", "application_version", "download_id",
        "version_external_identifier", "original_application_version", "in_app",
    } | date_names({"receipt_creation_date", "request_date", "original_purchase_date"})
    assert receipt["bundle_id"] == store.credentials["bundleId"]
    assert len(receipt["in_app"]) == 1
    for entry in answer["latest_receipt_info"]:
        assert set(entry) == {
            "quantity", "product_id", "transaction_id", "original_transaction_id", "web_order_line_item_id",
            "is_trial_period", "is_in_intro_offer_period", "in_app_ownership_type", "subscription_group_identifier",
        } | date_names(DATES)
        assert all(isinstance(value, str) for value in entry.values())
    (pending,) = answer["pending_renewal_info"]
    assert set(pending) == {"auto_renew_product_id", "product_id", "original_transaction_id", "auto_renew_status"}


def test_receipts_and_the_api_contain_the_same_transactions(store):
    account = store.new_account()
    bought = store.buy(account, "pro.monthly")
    store.advance("P3M")
    answer = verify(store, bought["receipt"])
    entries = {entry["transaction_id"]: entry for entry in answer["latest_receipt_info"]}
    for sold in store.get(f"accounts/{account}")["transactions"]:
        signed = store.client().get_transaction_info(sold["transactionId"]).signedTransactionInfo
        transaction = store.verifier().verify_and_decode_signed_transaction(signed)
        entry = entries.pop(transaction.transactionId)
        assert int(entry["purchase_date_ms"]) == transaction.purchaseDate
        assert int(entry["expires_date_ms"]) == transaction.expiresDate
        assert entry["web_order_line_item_id"] == transaction.webOrderLineItemId
        assert entry["subscription_group_identifier"] == transaction.subscriptionGroupIdentifier
    assert not entries
    newest = verify(store, answer["latest_receipt"], **{"exclude-old-transactions": True})
    assert [entry["transaction_id"] for entry in newest["latest_receipt_info"]] == [
        answer["latest_receipt_info"][0]["transaction_id"]
    ]


@pytest.mark.parametrize("asked, status", [("production", 21007), ("sandbox", 21008)])
def test_a_receipt_of_the_other_environment_is_refused(start_store, asked, status):
    issuer = start_store(environment="sandbox" if asked == "production" else "production")
    other = start_store(environment=asked)
    receipt = issuer.buy(issuer.new_account(), "pro.monthly")["receipt"]
    assert verify(other, receipt) == {"status": status}
    assert verify(issuer, receipt)["status"] == 0


def test_each_error_of_a_request_has_its_status(store):
    receipt = store.buy(store.new_account(), "pro.monthly")["receipt"]
    assert requests.get(f"{store.url}/verifyReceipt", timeout=60).json() == {"status": 21000}
    assert verify(store, base64.b64encode(b"no receipt").decode()) == {"status": 21002}
    changed = bytearray(base64.b64decode(receipt))
    changed[-1] ^= 1
    assert verify(store, base64.b64encode(changed).decode()) == {"status": 21003}
    assert verify(store, receipt, password="0" * 32) == {"status": 21004}
    store.put("faults/verify-receipt", {"status": 21005, "count": 1})
    assert verify(store, receipt) == {"status": 21005}
    assert verify(store, receipt)["status"] == 0


def test_version_1_notifications_contain_a_receipt_that_can_be_verified(store, receiver):
    store.put("notification-endpoint", {"url": receiver.url, "version": "V1"})
    bought = store.buy(store.new_account(), "pro.monthly")
    (listed,) = store.notifications()
    (body,) = receiver.bodies
    assert body == listed["body"]
    assert listed["attempts"][0]["sendAttemptResult"] == "SUCCESS"
    assert (body["notification_type"], body["environment"]) == ("INITIAL_BUY", "Sandbox")
    assert body["password"] == store.credentials["sharedSecret"]
    assert body["original_transaction_id"] == int(bought["originalTransactionId"])
    unified = body["unified_receipt"]
    answer = verify(store, unified["latest_receipt"])
    assert unified["latest_receipt_info"] == answer["latest_receipt_info"]
    assert unified["pending_renewal_info"] == answer["pending_renewal_info"]
