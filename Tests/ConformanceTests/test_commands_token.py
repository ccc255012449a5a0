"""`perennial token`: a bearer token that the store takes and PyJWT verifies, and what is refused."""

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
    return [word for name, value in given.items() if value is not None for word in (f"--{name}", value)]


def test_the_token_is_what_apple_asks_for(key, key_file):
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


def test_the_store_takes_the_token(store, tmp_path):
    credentials = store.credentials
    file = tmp_path / "store.p8"
    file.write_text(credentials["privateKey"])
    ended = perennial("token", *options(file, **{
        "key-id": credentials["keyId"], "issuer-id": credentials["issuerId"], "bundle-id": credentials["bundleId"],
    }), "--lifetime", 3600)
    # The store's clock stands where it was started; the token is of today.
    store.post("clock/advance", {"to": int(time.time() * 1000)})
    transaction = store.buy(store.new_account(), "pro.monthly")["transactionId"]
    url = f"{store.url}/inApps/v1/transactions/{transaction}"
    taken = requests.get(url, headers={"Authorization": f"Bearer {ended.stdout.strip()}"}, timeout=60)
    assert taken.status_code == 200, taken.text
    assert requests.get(url, headers={"Authorization": "Bearer x"}, timeout=60).status_code == 401


def test_json_says_when_the_token_ends(key_file):
    answer = perennial("token", *options(key_file), "--lifetime", 60, "--json").json
    claims = jwt.decode(answer["token"], options={"verify_signature": False})
    assert answer["issuedAt"] == claims["iat"] * 1000
    assert answer["expiresAt"] == claims["exp"] * 1000 == answer["issuedAt"] + 60_000
    assert (answer["keyId"], answer["issuerId"], answer["bundleId"]) == (KEY_ID, ISSUER_ID, BUNDLE_ID)


def test_what_is_not_given_comes_from_the_environment(key, key_file):
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


def test_the_key_may_come_on_standard_input(key):
    assert perennial("token", *options("-"), stdin=pem(key)).status == 0


@pytest.mark.parametrize("lifetime", [3601, 0, -5, 9223372036854775807, "1h"])
def test_a_life_that_the_app_store_refuses_is_refused_here(key_file, lifetime):
    ended = perennial("token", *options(key_file), f"--lifetime={lifetime}")
    assert ended.status == 64 and ended.stdout == ""
    assert "lifetime" in ended.stderr


@pytest.mark.parametrize("name", ["key", "key-id", "issuer-id", "bundle-id"])
def test_what_is_missing_is_named(key_file, name):
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
def test_a_file_that_is_no_such_key_says_what_it_is(tmp_path, content, said):
    file = tmp_path / "key.p8"
    file.write_bytes(content)
    ended = perennial("token", *options(file))
    assert ended.status == 78 and ended.stdout == ""
    assert "key_malformed" in ended.stderr and said in ended.stderr
    assert "MIG" not in ended.stderr, "a key must not be quoted"


@pytest.mark.parametrize("content", [None, b"", bytes(range(256))])
def test_a_file_that_cannot_be_read_is_a_wrong_configuration(tmp_path, content):
    file = tmp_path / "key.p8"
    if content is not None:
        file.write_bytes(content)
    ended = perennial("token", *options(file))
    assert ended.status == 78 and ended.stdout == ""
    assert "key_unreadable" in ended.stderr and "key.p8" in ended.stderr
    assert perennial("token", *options(tmp_path)).status == 78


def test_the_help_tells_the_two_kinds_of_key_apart():
    ended = perennial("token", "--help")
    assert ended.status == 0
    assert "Example:" in ended.stdout and "AuthKey_" in ended.stdout
