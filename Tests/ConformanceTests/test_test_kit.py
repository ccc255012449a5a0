"""Apple's library accepts every kind of signed data of the test kit. The snippet `MintEveryKind` prints the data."""

import json
import subprocess

import pytest
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.receipt_utility import ReceiptUtility
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from local_store import binary


@pytest.fixture(scope="module")
def minted():
    program = binary().parent / "MintEveryKind"
    assert program.exists(), f"{program} is missing: swift build makes it beside the program"
    return json.loads(subprocess.run([program], check=True, capture_output=True, timeout=60).stdout)


@pytest.fixture(scope="module")
def verifier(minted):
    root = x509.load_pem_x509_certificate(minted["root"].encode()).public_bytes(Encoding.DER)
    return SignedDataVerifier([root], False, Environment.SANDBOX, minted["bundleId"])


def test_transactions_and_renewals(minted, verifier):
    transaction = verifier.verify_and_decode_signed_transaction(minted["transaction"])
    assert transaction.transactionId == minted["transactionId"]
    renewal = verifier.verify_and_decode_renewal_info(minted["renewal"])
    assert renewal.originalTransactionId == transaction.originalTransactionId


def test_app_transactions_and_realtime_requests(minted, verifier):
    assert verifier.verify_and_decode_app_transaction(minted["appTransaction"]).bundleId == minted["bundleId"]
    assert verifier.verify_and_decode_realtime_request(minted["realtimeRequest"]).requestIdentifier


def test_notifications_and_their_signed_data(minted, verifier):
    kinds = []
    for signed in minted["notifications"]:
        notification = verifier.verify_and_decode_notification(signed)
        kinds.append(notification.rawNotificationType)
        data = notification.data
        if data is not None and data.signedTransactionInfo is not None:
            assert verifier.verify_and_decode_signed_transaction(data.signedTransactionInfo).bundleId
        if data is not None and data.signedRenewalInfo is not None:
            assert verifier.verify_and_decode_renewal_info(data.signedRenewalInfo).originalTransactionId
    assert len(set(kinds)) == len(kinds) == 8


def test_receipts(minted):
    assert ReceiptUtility().extract_transaction_id_from_app_receipt(minted["receipt"]) == minted["transactionId"]
