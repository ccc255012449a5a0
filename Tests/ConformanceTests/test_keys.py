"""Keys of Apple's API: a rotation without an interruption, and a transfer of the app to another team."""

from test_server_process import start_server  # noqa: F401

OTHER_TEAM = "57246542-96fe-1a63-e053-0824d011072a"


def submit(server, bought):
    body = {"app_user_id": "u_1", "transaction_id": bought["transactionId"]}
    return server.call("POST", "/v1/transactions", body)


def key_of(store):
    return store.get("credentials")["keyId"]


def test_a_rotation_interrupts_no_server_that_has_both_keys(
    start_store, start_server, new_database  # noqa: F811
):
    store = start_store(environment="production")
    bought = store.buy(store.new_account(), "pro.monthly")
    server = start_server(store, new_database())
    old = key_of(store)
    assert submit(server, bought).status_code == 200
    new = store.post("keys", {})
    # As in production: the new key is deployed before the old one is revoked.
    server.stop()
    server.start()
    assert submit(server, bought).status_code == 200
    assert store.call("DELETE", f"keys/{old}").json()["active"] is False
    assert submit(server, bought).status_code == 200
    assert key_of(store) == new["keyId"]


def test_a_server_without_the_new_key_says_so(start_store, start_server, new_database):  # noqa: F811
    store = start_store(environment="production")
    bought = store.buy(store.new_account(), "pro.monthly")
    server = start_server(store, new_database())
    old = key_of(store)
    store.post("keys", {})
    store.call("DELETE", f"keys/{old}")
    answer = submit(server, bought)
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "app_store_unauthorized"
    # Notifications need no key.
    store.advance("PT1M")
    assert server.call("GET", "/readyz").status_code == 200


def test_a_transfer_to_another_team(start_store, start_server, new_database):  # noqa: F811
    store = start_store(environment="production")
    bought = store.buy(store.new_account(), "pro.monthly")
    old = key_of(store)
    assert store.post("keys", {"issuerId": OTHER_TEAM})["issuerId"] == OTHER_TEAM
    server = start_server(store, new_database())
    store.call("DELETE", f"keys/{old}")
    assert submit(server, bought).status_code == 200
