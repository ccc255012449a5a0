"""Tokens and signatures as Apple's Swift library writes them: with fractions of a second in `iat` and `exp`."""

import base64
import json
import time
import uuid

import jwt
import pytest
import requests
from appstoreserverlibrary.models.OfferType import OfferType

FRACTION = 0.049901


def signed_jws(store, **claims):
    """A JWS signed with the store's key. Its `iat` is the time of this machine, with a fraction."""
    credentials = store.credentials
    issued_at = int(time.time()) + FRACTION
    content = {"iss": credentials["issuerId"], "bid": credentials["bundleId"], "iat": issued_at, **claims}
    return jwt.encode(content, credentials["privateKey"], algorithm="ES256", headers={"kid": credentials["keyId"]})


def signature(store, audience, **claims):
    return signed_jws(store, aud=audience, nonce=str(uuid.uuid4()), **claims)


@pytest.fixture
def store(start_store):
    """A store with an advanced clock, as in most renewal tests. Signatures are then valid only by real time."""
    store = start_store()
    store.advance("P40D")
    return store


@pytest.mark.parametrize("audience", ["appstoreconnect-v1", ["appstoreconnect-v1"]], ids=["text", "array"])
def test_a_bearer_token_with_fractions_is_accepted(store, audience):
    transaction = store.buy(store.new_account(), "pro.monthly")["transactionId"]
    token = signed_jws(store, aud=audience, exp=int(time.time()) + 300 + FRACTION)
    url = f"{store.url}/inApps/v1/transactions/{transaction}"
    answer = requests.get(url, headers={"Authorization": f"Bearer {token}"}, timeout=60)
    assert answer.status_code == 200, answer.text
    assert answer.json()["signedTransactionInfo"]


def test_a_promotional_offer_with_a_fraction_is_redeemed(store):
    account = store.new_account()
    store.buy(account, "pro.monthly")
    signed = signature(store, "promotional-offer", productId="pro.monthly", offerIdentifier="pro.monthly.stay")
    offer = {"type": "promotional", "identifier": "pro.monthly.stay", "signature": signed}
    assert store.buy(account, "pro.monthly", offer=offer)["signedRenewalInfo"]


@pytest.mark.parametrize("allowed", [True, False])
def test_an_introductory_offer_eligibility_with_a_fraction_is_applied(store, allowed):
    account = store.post("accounts", {})
    claims = {"productId": "pro.monthly", "allowIntroductoryOffer": allowed}
    signed = signature(
        store, "introductory-offer-eligibility", transactionId=account["appTransactionId"], **claims
    )
    sold = store.buy(account["accountId"], "pro.monthly", offer={"type": "introductory", "signature": signed})
    transaction = store.verifier().verify_and_decode_signed_transaction(sold["signedTransactionInfo"])
    assert (transaction.offerType == OfferType.INTRODUCTORY_OFFER) is allowed


def test_an_advanced_commerce_request_with_a_fraction_is_executed(store):
    request = {
        "operation": "CREATE_ONE_TIME_CHARGE",
        "version": "1",
        "requestInfo": {"requestReferenceId": str(uuid.uuid4())},
        "currency": "USD",
        "taxCode": "C003-00-2",
        "item": {"SKU": "course", "description": "A whole course", "displayName": "Course", "price": 49_990},
    }
    text = base64.b64encode(json.dumps(request).encode()).decode()
    body = {"productId": "coins.100", "request": signature(store, "advanced-commerce-api", request=text)}
    sold = store.post(f"accounts/{store.new_account()}/advanced-commerce-purchases", body)
    assert sold["signedTransactionInfo"]
