"""`perennial token`: the store accepts the bearer token, PyJWT verifies it, and invalid input is refused."""

import time

import jwt
import pytest
import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from perennial_command import perennial

KEY_ID = "ABC123DEFG"
ISSUER_ID = "57246542-96fe-1a63-e053-0824d011072a"
BUNDLE_ID = "com.example.app"


def pem(key, encryption=serialization.NoEncryption()):
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption)


@pytest.fixture
def key():
    return ec.generate_private_key(ec.SECP256R1())


@pytest.fixture
def key_file(key, tmp_path):
    file = tmp_path / "SubscriptionKey_ABC123DEFG.p8"
    file.write_bytes(pem(key))
    return file


def options(key_file, **changed):
    given = {"key": key_file, "key-id": KEY_ID, "issuer-id": ISSUER_ID, "bundle-id": BUNDLE_ID} | changed
    return [argument for name, value in given.items() if value is not None for argument in (f"--{name}", value)]


def test_the_token_has_the_form_that_apple_requires(key, key_file):
    before = int(time.time())
    ended = perennial("token", *options(key_file))
    assert ended.status == 0, ended
    token = ended.stdout.strip()
    assert ended.stdout == token + "\n" and ended.stderr == ""
    assert jwt.get_unverified_header(token) == {"alg": "ES256", "kid": KEY_ID, "typ": "JWT"}
    claims = jwt.decode(token, key.public_key(), algorithms=["ES256"], audience="appstoreconnect-v1")
    assert claims["iss"] == ISSUER_ID and claims["bid"] == BUNDLE_ID
    assert before <= claims["iat"] <= int(time.time())
    assert claims["exp"] - claims["iat"] == 300
    assert set(claims) == {"iss", "iat", "exp", "aud", "bid"}


def test_the_store_accepts_the_token(store, tmp_path):
    credentials = store.credentials
    file = tmp_path / "store.p8"
    file.write_text(credentials["privateKey"])
    ended = perennial("token", *options(file, **{
        "key-id": credentials["keyId"], "issuer-id": credentials["issuerId"], "bundle-id": credentials["bundleId"],
    }), "--lifetime", 3600)
    # The store's clock shows the time of `--now`; the token contains the time of this machine.
    store.post("clock/advance", {"to": int(time.time() * 1000)})
    transaction = store.buy(store.new_account(), "pro.monthly")["transactionId"]
    url = f"{store.url}/inApps/v1/transactions/{transaction}"
    response = requests.get(url, headers={"Authorization": f"Bearer {ended.stdout.strip()}"}, timeout=60)
    assert response.status_code == 200, response.text
    assert requests.get(url, headers={"Authorization": "Bearer x"}, timeout=60).status_code == 401


def test_json_output_contains_the_expiry_of_the_token(key_file):
    answer = perennial("token", *options(key_file), "--lifetime", 60, "--json").json
    claims = jwt.decode(answer["token"], options={"verify_signature": False})
    assert answer["issuedAt"] == claims["iat"] * 1000
    assert answer["expiresAt"] == claims["exp"] * 1000 == answer["issuedAt"] + 60_000
    assert (answer["keyId"], answer["issuerId"], answer["bundleId"]) == (KEY_ID, ISSUER_ID, BUNDLE_ID)


def test_missing_options_come_from_the_environment(key, key_file):
    environment = {
        "PERENNIAL_API_KEY_FILE": str(key_file),
        "PERENNIAL_API_KEY_ID": "FROM000ENV",
        "PERENNIAL_API_ISSUER_ID": ISSUER_ID,
        "PERENNIAL_API_BUNDLE_ID": "com.example.environment",
    }
    token = perennial("token", "--bundle-id", BUNDLE_ID, environment=environment).stdout.strip()
    claims = jwt.decode(token, key.public_key(), algorithms=["ES256"], audience="appstoreconnect-v1")
    assert claims["bid"] == BUNDLE_ID
    assert jwt.get_unverified_header(token)["kid"] == "FROM000ENV"


def test_the_key_can_be_read_from_standard_input(key):
    assert perennial("token", *options("-"), stdin=pem(key)).status == 0


@pytest.mark.parametrize("lifetime", [3601, 0, -5, 9223372036854775807, "1h"])
def test_a_lifetime_that_the_app_store_refuses_is_refused(key_file, lifetime):
    ended = perennial("token", *options(key_file), f"--lifetime={lifetime}")
    assert ended.status == 64 and ended.stdout == ""
    assert "lifetime" in ended.stderr


@pytest.mark.parametrize("name", ["key", "key-id", "issuer-id", "bundle-id"])
def test_a_missing_option_is_reported(key_file, name):
    ended = perennial("token", *options(key_file, **{name: None}))
    assert ended.status == 64 and ended.stdout == ""
    assert f"--{name} " in ended.stderr


@pytest.mark.parametrize("content, said", [
    (pem(ec.generate_private_key(ec.SECP384R1())), "P-384"),
    (pem(rsa.generate_private_key(65537, 2048)), "no P-256 private key"),
    (ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo), "public key"),
    (pem(ec.generate_private_key(ec.SECP256R1()), serialization.BestAvailableEncryption(b"x")), "password"),
    (b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "no P-256 private key"),
    (b"hello", "not PEM"),
])
def test_a_file_without_a_p256_private_key_is_refused_with_the_reason(tmp_path, content, said):
    file = tmp_path / "key.p8"
    file.write_bytes(content)
    ended = perennial("token", *options(file))
    assert ended.status == 78 and ended.stdout == ""
    assert "key_malformed" in ended.stderr and said in ended.stderr
    assert "MIG" not in ended.stderr, "a key must not be quoted"


@pytest.mark.parametrize("content", [None, b"", bytes(range(256))])
def test_an_unreadable_key_file_is_a_wrong_configuration(tmp_path, content):
    file = tmp_path / "key.p8"
    if content is not None:
        file.write_bytes(content)
    ended = perennial("token", *options(file))
    assert ended.status == 78 and ended.stdout == ""
    assert "key_unreadable" in ended.stderr and "key.p8" in ended.stderr
    assert perennial("token", *options(tmp_path)).status == 78


def test_the_help_explains_the_two_kinds_of_key():
    ended = perennial("token", "--help")
    assert ended.status == 0
    assert "Example:" in ended.stdout and "AuthKey_" in ended.stdout
