"""Apple's error codes, and the bearer token."""

import time
from datetime import timedelta

import jwt
import pytest
import requests
from appstoreserverlibrary.api_client import APIError, APIException, GetTransactionHistoryVersion
from appstoreserverlibrary.models.TransactionHistoryRequest import TransactionHistoryRequest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec


def history(client, transaction_id, revision=None, **filters):
    request = TransactionHistoryRequest(**filters)
    return client.get_transaction_history(transaction_id, revision, request, GetTransactionHistoryVersion.V2)


CALLS = {
    "transaction info": lambda client, id: client.get_transaction_info(id),
    "statuses": lambda client, id: client.get_all_subscription_statuses(id),
    "history": history,
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(
    ("transaction_id", "status", "error"),
    [
        ("2000000000009999", 404, APIError.TRANSACTION_ID_NOT_FOUND),
        ("no-number", 400, APIError.INVALID_TRANSACTION_ID),
        ("12 34", 400, APIError.INVALID_TRANSACTION_ID),
    ],
)
def test_a_transaction_id_that_is_unknown_or_malformed_is_refused(store, call, transaction_id, status, error):
    with pytest.raises(APIException) as refused:
        call(store.client(), transaction_id)
    assert (refused.value.http_status_code, refused.value.api_error) == (status, error)
    assert refused.value.error_message


def test_get_transaction_info_refuses_an_app_transaction_id(store):
    account = store.post("accounts", {})
    with pytest.raises(APIException) as refused:
        store.client().get_transaction_info(account["appTransactionId"])
    assert refused.value.http_status_code == 400
    assert refused.value.api_error == APIError.APP_TRANSACTION_ID_NOT_SUPPORTED_ERROR


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("revision=nonsense", 4000005),
        ("startDate=yesterday", 4000015),
        ("endDate=1.5", 4000016),
        ("startDate=2&endDate=1", 4000016),
        ("sort=UPWARD", 4000021),
        ("productType=SUBSCRIPTION", 4000022),
        ("inAppOwnershipType=STOLEN", 4000026),
        ("revoked=maybe", 4000030),
    ],
)
def test_each_bad_parameter_of_the_history_has_its_own_code(store, query, code):
    purchase = store.buy(store.new_account(), "lifetime")
    response = apple_call(store, f"/inApps/v2/history/{purchase['transactionId']}?{query}")
    assert (response.status_code, response.json()["errorCode"]) == (400, code)


@pytest.mark.parametrize("status", ["0", "6", "active", ""])
def test_a_status_that_does_not_exist_is_refused(store, status):
    purchase = store.buy(store.new_account(), "pro.weekly")
    response = apple_call(store, f"/inApps/v1/subscriptions/{purchase['transactionId']}?status={status}")
    assert (response.status_code, response.json()["errorCode"]) == (400, 4000031)


@pytest.mark.parametrize(
    ("token", "status", "error"),
    [
        ("00000000-0000-4000-8000-000000000000", 404, APIError.TEST_NOTIFICATION_NOT_FOUND),
        ("not a token", 400, APIError.INVALID_TEST_NOTIFICATION_TOKEN),
    ],
)
def test_an_unknown_or_malformed_test_token_is_refused(store, token, status, error):
    with pytest.raises(APIException) as refused:
        store.client().get_test_notification_status(token)
    assert (refused.value.http_status_code, refused.value.api_error) == (status, error)


def test_an_error_body_has_the_form_that_apples_clients_expect(store):
    response = apple_call(store, "/inApps/v1/transactions/2000000000009999")
    assert response.headers["Content-Type"] == "application/json"
    assert response.json() == {"errorCode": 4040010, "errorMessage": "Transaction id not found."}


# The bearer token.


def apple_call(store, path, token=None):
    token = token or store.client()._generate_token()
    return requests.get(store.url + path, headers={"Authorization": f"Bearer {token}"}, timeout=30)


def other_key():
    return (
        ec.generate_private_key(ec.SECP256R1())
        .private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        .decode()
    )


@pytest.mark.parametrize(
    "changed",
    [
        {"keyId": "ZZZZZZZZZZ"},
        {"issuerId": "00000000-0000-4000-8000-000000000000"},
        {"bundleId": "com.example.other"},
        {"privateKey": other_key()},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_wrong_credentials_are_refused_with_401(store, changed):
    purchase = store.buy(store.new_account(), "lifetime")
    with pytest.raises(APIException) as refused:
        store.client(**changed).get_transaction_info(purchase["transactionId"])
    assert refused.value.http_status_code == 401
    assert refused.value.raw_api_error is None


def token_with(store, headers=None, **claims):
    now = int(time.time())
    credentials = store.credentials
    usual = {
        "iss": credentials["issuerId"],
        "iat": now,
        "exp": now + 300,
        "aud": "appstoreconnect-v1",
        "bid": credentials["bundleId"],
    }
    claims = {name: value for name, value in (usual | claims).items() if value is not None}
    return jwt.encode(claims, credentials["privateKey"], "ES256", {"kid": credentials["keyId"], **(headers or {})})


def test_a_token_with_valid_claims_is_accepted(store):
    purchase = store.buy(store.new_account(), "lifetime")
    path = f"/inApps/v1/transactions/{purchase['transactionId']}"
    assert apple_call(store, path, token_with(store)).status_code == 200
    assert apple_call(store, path, token_with(store, nonce="ignored")).status_code == 200
    assert apple_call(store, path, token_with(store, iat=None)).status_code == 200


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": "somebody-else"},
        {"exp": 1_000_000_000, "iat": 999_999_900},
        {"exp": timedelta(hours=2)},
        {"exp": timedelta(hours=2), "iat": None},
        {"exp": None},
        {"iat": timedelta(minutes=50), "exp": timedelta(minutes=55)},
        {"bid": None},
    ],
    ids=["audience", "expired", "too-long", "too-long-without-iat", "without-exp", "issued-later", "without-bid"],
)
def test_a_token_with_a_wrong_claim_is_refused_with_401(store, claims):
    # The tests are collected long before the last one runs.
    now = int(time.time())
    claims = {
        name: now + int(value.total_seconds()) if isinstance(value, timedelta) else value
        for name, value in claims.items()
    }
    response = apple_call(store, "/inApps/v1/transactions/2000000000009999", token_with(store, **claims))
    assert response.status_code == 401


@pytest.mark.parametrize("authorization", [None, "Bearer", "Bearer a.b.c", "Basic eDp5"], ids=str)
def test_a_call_without_a_token_is_refused_in_plain_text(store, authorization):
    headers = {"Authorization": authorization} if authorization else {}
    response = requests.get(f"{store.url}/inApps/v1/transactions/1", headers=headers, timeout=30)
    assert response.status_code == 401
    assert response.text.startswith("Unauthenticated")
    assert not response.headers["Content-Type"].startswith("application/json")


def test_a_token_signed_with_a_shared_secret_is_refused(store):
    claims = jwt.decode(token_with(store), options={"verify_signature": False})
    for algorithm, key in (("HS256", "x" * 32), ("none", None)):
        token = jwt.encode(claims, key, algorithm, {"kid": store.credentials["keyId"]})
        assert apple_call(store, "/inApps/v1/transactions/1", token).status_code == 401
