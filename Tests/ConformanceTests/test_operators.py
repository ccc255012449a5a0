"""People who operate the server: the commands, the sign-in and the requests of the real program."""

import base64
import hashlib
import hmac
import struct
import time
import urllib.parse

import pytest
import requests

from local_store import CALL_SECONDS_MAX
from perennial_command import perennial
from test_server_process import start_server  # noqa: F401

PASSWORD = "correct horse battery"
APP = "com.example.perennial/sandbox"
# A server trusts a key for five seconds.
CACHE_SECONDS = 7


def one_time_code(secret):
    """The code of RFC 6238 at this moment."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
    offset = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[offset:offset + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


class Operators:
    """The commands on the database of a server."""

    def __init__(self, database):
        self._database = f"sqlite:{database}"

    def run(self, *arguments, stdin=""):
        return perennial("operators", *arguments, "--database", self._database, stdin=stdin)

    def succeed(self, *arguments, stdin=""):
        completed = self.run(*arguments, stdin=stdin)
        assert completed.status == 0, completed
        return completed.stdout


@pytest.fixture
def scene(store, start_server, tmp_path):  # noqa: F811
    account = store.new_account()
    bought = store.buy(account, "pro.monthly")
    server = start_server(store)
    server.submit("u_1", bought["signedTransactionInfo"])
    return server, Operators(tmp_path / "perennial.db")


def call(server, method, path, token, body=None, app=APP):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if app:
        headers["Perennial-App"] = app
    return requests.request(method, server.url + path, json=body, headers=headers, timeout=CALL_SECONDS_MAX)


def sign_in(server, name, secret, password=PASSWORD, code=None):
    body = {"name": name, "password": password, "totp": code or one_time_code(secret)}
    return call(server, "POST", "/v1/operator_sessions", None, body)


def add(operators, name, role="support", *arguments):
    lines = operators.succeed("add", name, "--role", role, "--password-stdin", *arguments, stdin=PASSWORD + "\n")
    address, secret = lines.splitlines()
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)
    assert address.startswith("otpauth://totp/Perennial:")
    assert query == {"secret": [secret], "issuer": ["Perennial"]}
    return secret


def wait_for_status(server, token, status):
    deadline = time.monotonic() + CACHE_SECONDS
    while True:
        # A request that was sent before the deadline may be answered later.
        sent = time.monotonic()
        if call(server, "GET", "/v1/customers/u_1", token).status_code == status:
            break
        assert sent < deadline
        time.sleep(0.1)


def test_a_person_signs_in_reads_a_customer_and_signs_out(scene):
    server, operators = scene
    secret = add(operators, "anna", "support", "--app", APP)
    code = one_time_code(secret)
    answer = sign_in(server, "Anna", secret, code=code)
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    session = answer.json()
    assert session["operator"]["name"] == "anna" and session["operator"]["role"] == "support"
    assert abs(session["expires_at"] / 1000 - time.time() - 12 * 3600) < 60
    token = session["token"]

    customer = call(server, "GET", "/v1/customers/u_1/entitlements", token)
    assert customer.status_code == 200, customer.text
    assert call(server, "GET", "/v1/operator_sessions/current", token).json()["apps"] == [APP]
    assert call(server, "GET", "/v1/customers/u_1", token, app=None).status_code == 200
    other = call(server, "GET", "/v1/customers/u_1", token, app="com.example.perennial/production")
    assert (other.status_code, other.json()["error"]["code"]) == (403, "app_not_allowed")

    assert sign_in(server, "anna", secret, code=code).status_code == 401, "a code counts once"
    assert call(server, "DELETE", "/v1/operator_sessions/current", token).status_code == 200
    assert call(server, "GET", "/v1/customers/u_1", token).status_code == 401
    shown = perennial("operators", "list", "--json", "--database", operators._database).json
    assert shown["name"] == "anna" and shown["signed_in_at"] and shown["keys"] == []


def test_keys_of_a_disabled_and_a_removed_person_stop(scene):
    server, operators = scene
    key = operators.succeed("add", "script", "--role", "viewer", "--key", "--label", "CI").strip()
    assert key.startswith("ok_")
    wait_for_status(server, key, 200)
    operators.succeed("change", "script", "--disable")
    wait_for_status(server, key, 401)
    operators.succeed("change", "script", "--enable", "--role", "admin")
    wait_for_status(server, key, 200)
    second = operators.succeed("keys", "add", "script", "--expires-in", "30").strip()
    assert key[-4:] in operators.succeed("keys", "list", "script")
    assert operators.succeed("keys", "revoke", "script", key) == f"revoked ok_…{key[-4:]}\n"
    wait_for_status(server, key, 401)
    wait_for_status(server, second, 200)
    operators.succeed("remove", "script")
    wait_for_status(server, second, 401)


def test_a_lost_phone(scene):
    server, operators = scene
    lost = add(operators, "anna")
    token = sign_in(server, "anna", lost).json()["token"]
    new = operators.succeed("reset", "anna", "--password-stdin", stdin=PASSWORD + " 2").splitlines()[1]
    wait_for_status(server, token, 401)
    assert sign_in(server, "anna", lost).status_code == 401
    answer = sign_in(server, "anna", new, PASSWORD + " 2")
    assert answer.status_code == 200, answer.text


def test_the_commands_refuse_what_is_wrong(scene, tmp_path):
    _, operators = scene
    add(operators, "anna")
    for arguments, code, status in [
        (("add", "ANNA", "--role", "viewer", "--key"), "operator_exists", 1),
        (("add", "", "--role", "viewer", "--key"), "operator_name_invalid", 1),
        (("add", "ben", "--role", "viewer", "--key", "--app", "x/production"), "app_not_configured", 78),
        (("show", "ben"), "operator_not_found", 1),
        (("keys", "revoke", "anna", "ok_1234"), "operator_key_not_found", 1),
    ]:
        completed = operators.run(*arguments)
        assert (completed.status, completed.stderr.split(":")[1].strip()) == (status, code), completed
    short = operators.run("add", "ben", "--role", "viewer", "--password-stdin", stdin="short")
    assert short.status == 1 and "operator_password_invalid" in short.stderr
    piped = operators.run("add", "ben", "--role", "viewer")
    assert piped.status == 64 and "--password-stdin" in piped.stderr
    missing = perennial("operators", "list", "--database", f"sqlite:{tmp_path}/none.db")
    assert missing.status == 78 and "database_not_found" in missing.stderr
    assert operators.run("add", "ben", "--role", "king", "--key").status == 64
    assert operators.run("change", "anna").status == 64
