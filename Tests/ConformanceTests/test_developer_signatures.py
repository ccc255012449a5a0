"""Compares the output of `perennial sign` and `perennial token` with that of Apple's creators for the same inputs."""

import base64
import json
import subprocess
import uuid

import jwt
import pytest
from appstoreserverlibrary.api_client import AppStoreServerAPIClient
from appstoreserverlibrary.jws_signature_creator import (
    AdvancedCommerceAPIInAppSignatureCreator,
    IntroductoryOfferEligibilitySignatureCreator,
    PromotionalOfferV2SignatureCreator,
)
from appstoreserverlibrary.models.AdvancedCommerceRequestInfo import AdvancedCommerceRequestInfo
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionReactivateInAppRequest import (
    AdvancedCommerceSubscriptionReactivateInAppRequest,
)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionReactivateItem import (
    AdvancedCommerceSubscriptionReactivateItem,
)
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.promotional_offer import PromotionalOfferSignatureCreator
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from local_store import binary

KEY_ID = "ABC123DEFG"
ISSUER_ID = "57246542-96fe-1a63-e053-0824d011072a"
BUNDLE_ID = "com.example.app"
NONCE = "8b5d3c64-0a0e-4f52-9e6c-5f8a0e3c1d27"
TOKEN = "7A3E1F20-5B6C-4D8E-9F01-23456789ABCD"
AT = 1_790_000_000_123


@pytest.fixture
def private_key():
    return ec.generate_private_key(ec.SECP256R1())


@pytest.fixture
def pem(private_key):
    return private_key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


@pytest.fixture
def run(pem, tmp_path):
    """Runs a command with the key and returns the completed process."""
    key = tmp_path / "SubscriptionKey.p8"
    key.write_bytes(pem)
    credentials = ["--key", key, "--key-id", KEY_ID, "--issuer-id", ISSUER_ID, "--bundle-id", BUNDLE_ID]

    def run(*arguments, **options):
        command = [str(argument) for argument in [binary(), *arguments, *credentials]]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)

    return run


@pytest.fixture
def sign(run):
    """Runs `perennial sign … --json` and returns its JSON object."""

    def sign(kind, *arguments):
        result = run("sign", kind, *arguments, "--nonce", NONCE, "--at", AT, "--json")
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout)

    return sign


def claims_of(token, private_key, audience):
    """The claims of a token whose signature and audience are verified. The times are fixed, so they are not checked."""
    assert jwt.get_unverified_header(token) == {"alg": "ES256", "kid": KEY_ID, "typ": "JWT"}
    return jwt.decode(
        token,
        private_key.public_key(),
        algorithms=["ES256"],
        audience=audience,
        options={"verify_iat": False, "verify_exp": False},
    )


def compare(ours, apples, private_key, audience):
    """Asserts that header and claims equal those of Apple's creator, except for the nonce and the time."""
    assert jwt.get_unverified_header(ours) == jwt.get_unverified_header(apples)
    expected = claims_of(apples, private_key, audience)
    assert uuid.UUID(expected["nonce"]).version == 4
    assert claims_of(ours, private_key, audience) == expected | {"nonce": NONCE, "iat": AT // 1000}


@pytest.mark.parametrize("account", [TOKEN, TOKEN.lower(), None])
def test_a_promotional_offer_is_signed_over_the_text_that_apples_library_signs(sign, private_key, pem, account):
    arguments = ["--product-id", "pro.monthly", "--offer-id", "winter"]
    if account:
        arguments += ["--app-account-token", account]
    signed = sign("promotional-offer", *arguments)
    assert signed["nonce"] == NONCE
    assert signed["timestamp"] == AT
    assert signed.get("appAccountToken") == (account.lower() if account else None)

    message = "\u2063".join(
        [BUNDLE_ID, KEY_ID, "pro.monthly", "winter", (account or "").lower(), NONCE, str(AT)]
    ).encode()
    apples = PromotionalOfferSignatureCreator(pem, KEY_ID, BUNDLE_ID).create_signature(
        "pro.monthly", "winter", account or "", uuid.UUID(NONCE), AT
    )
    public_key = private_key.public_key()
    for encoded in [apples, signed["encodedSignature"]]:
        public_key.verify(base64.b64decode(encoded, validate=True), message, ec.ECDSA(hashes.SHA256()))
    with pytest.raises(InvalidSignature):
        public_key.verify(
            base64.b64decode(signed["encodedSignature"]), message + b"0", ec.ECDSA(hashes.SHA256())
        )


@pytest.mark.parametrize("transaction", ["2000000000000001", None])
def test_the_jws_of_a_promotional_offer_matches_apples_library(sign, private_key, pem, transaction):
    arguments = ["--product-id", "pro.monthly", "--offer-id", "winter"]
    if transaction:
        arguments += ["--transaction-id", transaction]
    signed = sign("promotional-offer-v2", *arguments)
    creator = PromotionalOfferV2SignatureCreator(pem, KEY_ID, ISSUER_ID, BUNDLE_ID)
    compare(
        signed["jws"],
        creator.create_signature("pro.monthly", "winter", transaction),
        private_key,
        "promotional-offer",
    )
    assert signed["issuedAt"] == AT


@pytest.mark.parametrize("allow", [True, False])
def test_the_jws_of_an_introductory_offer_eligibility_matches_apples_library(sign, private_key, pem, allow):
    signed = sign(
        "introductory-offer",
        *["--product-id", "pro.monthly", "--transaction-id", "2000000000000001"],
        "--allow" if allow else "--no-allow",
    )
    creator = IntroductoryOfferEligibilitySignatureCreator(pem, KEY_ID, ISSUER_ID, BUNDLE_ID)
    compare(
        signed["jws"],
        creator.create_signature("pro.monthly", allow, "2000000000000001"),
        private_key,
        "introductory-offer-eligibility",
    )


def test_the_jws_of_an_advanced_commerce_request_matches_apples_library(sign, private_key, pem, tmp_path):
    request = AdvancedCommerceSubscriptionReactivateInAppRequest(
        requestInfo=AdvancedCommerceRequestInfo(requestReferenceId=uuid.UUID(NONCE)),
        transactionId="2000000000000001",
        items=[AdvancedCommerceSubscriptionReactivateItem(SKU="plan.gold")],
        storefront="USA",
    )
    creator = AdvancedCommerceAPIInAppSignatureCreator(pem, KEY_ID, ISSUER_ID, BUNDLE_ID)
    apples = creator.create_signature(request)
    text = base64.b64decode(claims_of(apples, private_key, "advanced-commerce-api")["request"])
    file = tmp_path / "request.json"
    file.write_bytes(text)
    compare(sign("advanced-commerce", file)["jws"], apples, private_key, "advanced-commerce-api")


def test_a_request_that_lacks_a_field_is_not_signed(run, tmp_path):
    file = tmp_path / "request.json"
    file.write_text('{"operation": "REACTIVATE_SUBSCRIPTION", "version": "1"}')
    result = run("sign", "advanced-commerce", file)
    assert result.returncode == 1
    assert result.stdout == ""
    assert "requestInfo" in result.stderr


def test_output_without_json_is_one_line_with_the_jws(run, private_key):
    result = run("sign", "promotional-offer-v2", "--product-id", "pro.monthly", "--offer-id", "winter")
    assert result.returncode == 0, result.stderr
    claims = claims_of(result.stdout.strip(), private_key, "promotional-offer")
    assert uuid.UUID(claims["nonce"]).version == 4
    assert result.stdout.count("\n") == 1


def test_a_nonce_that_is_not_a_uuid_is_wrong_usage(run):
    result = run("sign", "promotional-offer-v2", "--product-id", "p", "--offer-id", "o", "--nonce", "once")
    assert result.returncode == 64


def test_a_bearer_token_matches_apples_client(run, private_key, pem):
    result = run("token")
    assert result.returncode == 0, result.stderr
    apples = AppStoreServerAPIClient(pem, KEY_ID, ISSUER_ID, BUNDLE_ID, Environment.SANDBOX)._generate_token()
    assert jwt.get_unverified_header(result.stdout.strip()) == jwt.get_unverified_header(apples)
    ours = claims_of(result.stdout.strip(), private_key, "appstoreconnect-v1")
    expected = claims_of(apples, private_key, "appstoreconnect-v1")
    assert ours["exp"] - ours["iat"] == 300
    constant = ["iss", "aud", "bid"]
    assert [ours[name] for name in constant] == [expected[name] for name in constant]
    assert sorted(ours) == sorted([*constant, "iat", "exp"])
