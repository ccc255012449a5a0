"""Customers of a running server: identifiers, entitlement tokens, transfers and erasure."""

import re
import subprocess
from datetime import datetime, timedelta, timezone

import jwt
import pytest
import requests

from local_store import CALL_SECONDS_MAX, REPOSITORY, binary
from subscription_server import SubscriptionServer

CUSTOMERS_PAGE = REPOSITORY / "Documentation/reference/customers.md"


@pytest.fixture
def store_and_server(tmp_path, start_store):
    """A store whose clock shows the present time, a server that follows it, and the path of the server's database."""
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    store = start_store(now=now)
    server = SubscriptionServer(tmp_path / "serve.log", store.url, tmp_path / "perennial.db")
    yield store, server, tmp_path / "perennial.db"
    server.stop()


def buy(store, server, customer, product="pro.monthly"):
    account = store.new_account()
    purchase = store.buy(account, product)
    server.submit(customer, purchase["signedTransactionInfo"])
    return account, purchase


def key_set(server):
    response = requests.get(f"{server.url}/.well-known/jwks.json", timeout=CALL_SECONDS_MAX)
    assert response.ok
    return jwt.PyJWKSet.from_dict(response.json())


def verified_claims(token, keys, audience):
    """Verifies a token with the keys only, as an edge server does, and returns its claims."""
    key = keys[jwt.get_unverified_header(token)["kid"]]
    return jwt.decode(token, key.key, algorithms=["ES256"], audience=audience, issuer="perennial")


def test_a_uuid_is_the_same_customer_in_any_letter_case(store_and_server):
    store, server, database = store_and_server
    token = "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"
    purchase = store.buy(store.new_account(), "pro.monthly", appAccountToken=token)
    # Swift prints a UUID in capital letters, and Apple signs it in lower case.
    server.submit(token.upper(), purchase["signedTransactionInfo"])
    customers = [server.get(f"/v1/customers/{name}") for name in (token, token.upper(), token.title())]
    assert customers[0]["app_user_id"] == token
    assert len(customers[0]["subscriptions"]) == 1
    assert all(customer["subscriptions"] == customers[0]["subscriptions"] for customer in customers)
    server.call("POST", f"/v1/customers/{token}/grants", {"entitlement_id": "vip"})
    assert server.get(f"/v1/customers/{token.upper()}")["entitlements"]["vip"]["active"]


def test_the_event_of_a_withdrawn_consent_contains_the_customer(store_and_server):
    store, server, database = store_and_server
    account, purchase = buy(store, server, "u_1")
    buy(store, server, "u_2")
    store.post(f"accounts/{account}/rescind-consent", {})
    store.advance("PT1M")
    events = [event for event in server.get("/v1/events")["data"] if event["type"] == "customer.consent_withdrawn"]
    (subscription,) = server.get("/v1/customers/u_1")["subscriptions"]
    assert [event["app_user_id"] for event in events] == ["u_1"]
    assert events[0]["details"] == {"app_transaction_id": subscription["app_transaction_id"]}
    assert subscription["app_transaction_id"] == store.get(f"accounts/{account}")["appTransactionId"]


def test_an_entitlement_token_is_verified_without_the_server(store_and_server):
    store, server, database = store_and_server
    buy(store, server, "u_1")
    answer = server.call("POST", "/v1/customers/u_1/entitlement_token").json()
    app = server.get("/v1/app")
    audience = f"{app['bundle_id']}/{app['environment']}"
    keys = key_set(server)

    claims = verified_claims(answer["token"], keys, audience)
    customer = server.get("/v1/customers/u_1")
    active = {name for name, entitlement in customer["entitlements"].items() if entitlement["active"]}
    assert active and set(claims["entitlements"]) == active
    assert claims["sub"] == "u_1"
    assert claims["state_version"] == customer["state_version"]
    assert claims["exp"] * 1000 == answer["expires_at"]
    assert 0 < claims["exp"] - claims["iat"] <= 15 * 60

    with pytest.raises(jwt.InvalidAudienceError):
        verified_claims(answer["token"], keys, f"{app['bundle_id']}/production")
    header, payload, signature = answer["token"].split(".")
    forged = ".".join([header, payload, signature[:-4] + ("AAAA" if signature[-4:] != "AAAA" else "BBBB")])
    with pytest.raises(jwt.InvalidSignatureError):
        verified_claims(forged, keys, audience)

    rotated = subprocess.run(
        [binary(), "keys", "rotate-signing", "--database", f"sqlite:{database}"],
        capture_output=True, text=True, check=True,
    )
    newer = server.call("POST", "/v1/customers/u_1/entitlement_token").json()["token"]
    assert jwt.get_unverified_header(newer)["kid"] == rotated.stdout.strip()
    both_keys = key_set(server)
    for token in (answer["token"], newer):
        assert verified_claims(token, both_keys, audience)["sub"] == "u_1"
    with pytest.raises(KeyError):
        verified_claims(newer, keys, audience)


def test_two_anonymous_ids_become_aliases_of_one_customer(store_and_server):
    store, server, _ = store_and_server
    _, first = buy(store, server, "anon_1")
    buy(store, server, "anon_2", "pro.yearly")
    for alias in ("anon_1", "anon_2"):
        path = "/v1/customers/u_1/aliases"
        preview = server.call("POST", path, {"alias": alias, "dry_run": True}).json()
        assert preview["created_at"] is None
        done = server.call("POST", path, {"alias": alias}).json()
        assert done["purchase_ids"] == preview["purchase_ids"]
    answers = [server.get(f"/v1/customers/{name}") for name in ("u_1", "anon_1", "anon_2")]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["aliases"] == ["anon_1", "anon_2"]
    assert len(answers[0]["subscriptions"]) == 2
    again = server.submit("anon_1", first["signedTransactionInfo"])
    assert again["app_user_id"] == "u_1"
    refused = server.call("POST", "/v1/customers/u_2/aliases", {"alias": "anon_1"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "alias_taken")


def test_erasing_a_customer_deletes_the_customer_and_keeps_the_revenue(store_and_server):
    store, server, _ = store_and_server
    account, purchase = buy(store, server, "u_1")
    server.call("PUT", "/v1/customers/u_1/attributes", {"attributes": {"name": "Zoë"}})
    assert server.get("/v1/customers/u_1/export")["attributes"] == {"name": "Zoë"}

    def events():
        return server.get("/v1/events", limit=1000)["data"]

    before = events()
    for _ in range(2):
        deleted = server.call("DELETE", "/v1/customers/u_1")
        assert (deleted.status_code, deleted.json()["deleted"]) == (200, True)
    after = events()
    assert [event["price"] for event in after] == [event["price"] for event in before]
    assert [event["id"] for event in after] == [event["id"] for event in before]
    assert all(event["app_user_id"] is None for event in after)
    assert server.call("GET", "/v1/customers/u_1").status_code == 404

    store.advance("P32D")
    assert server.call("GET", "/v1/customers/u_1").status_code == 404
    assert sum(event["type"] == "subscription.renewed" for event in events()) == 1
    resubmitted = server.submit("u_1", purchase["signedTransactionInfo"])
    assert [subscription["status"] for subscription in resubmitted["subscriptions"]] == ["active"]
    assert resubmitted["aliases"] == []


def test_vacuum_removes_every_copy_of_erased_customers_from_the_file(store_and_server):
    store, server, file = store_and_server
    for number in range(10, 40):
        buy(store, server, f"person-{number}")
        server.call("PUT", f"/v1/customers/person-{number}/attributes", {"attributes": {"about": f"name-{number}"}})
        server.call("POST", f"/v1/customers/person-{number}/aliases", {"alias": f"also-{number}"})
    for number in range(10, 25):
        assert server.call("DELETE", f"/v1/customers/person-{number}").status_code == 200
    server.stop()
    [command] = re.findall(r"`(sqlite3 \S+ VACUUM)`", CUSTOMERS_PAGE.read_text())
    subprocess.run(command.split(), check=True, timeout=60, cwd=file.parent)
    contents = file.read_bytes()
    for number in range(10, 40):
        for name in (f"person-{number}", f"name-{number}", f"also-{number}"):
            assert (name.encode() in contents) == (number >= 25), name


def test_the_transfer_policy_decides_about_a_second_customer(store_and_server):
    store, server, _ = store_and_server
    _, purchase = buy(store, server, "u_1")
    signed = purchase["signedTransactionInfo"]
    body = {"app_user_id": "u_2", "signed_transaction": signed}
    assert server.call("POST", "/v1/transactions", body).status_code == 409
    for policy, expected_owners in [("share", {"u_1", "u_2"}), ("transfer", {"u_2"})]:
        assert server.call("PATCH", "/v1/app", {"transfer_policy": policy}).json()["transfer_policy"] == policy
        server.submit("u_2", signed)
        owners = {name for name in ("u_1", "u_2") if server.get(f"/v1/customers/{name}")["subscriptions"]}
        assert owners == expected_owners


def test_an_entitlement_stays_active_for_some_days_of_billing_retry(store_and_server):
    store, server, _ = store_and_server
    definition = {"product_ids": ["pro.monthly"], "billing_retry_grace_days": 7}
    assert server.call("PUT", "/v1/entitlements/pro", definition).ok
    account, _ = buy(store, server, "u_1")
    store.set_payment(account, "declined")
    end = server.get("/v1/customers/u_1")["entitlements"]["pro"]["expires_at"]
    for day, active in [(1, True), (6, True), (8, False)]:
        target = end + int(timedelta(days=day).total_seconds() * 1000)
        store.post("clock/advance", {"to": target})
        customer = server.get("/v1/customers/u_1")
        assert customer["subscriptions"][0]["status"] == "in_billing_retry"
        assert customer["entitlements"]["pro"]["active"] is active
    kinds = [event["type"] for event in server.get("/v1/events", limit=1000)["data"]]
    assert [kind for kind in kinds if kind.startswith("entitlement.")] == [
        "entitlement.granted", "entitlement.extended", "entitlement.withdrawn",
    ]
