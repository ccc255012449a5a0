"""One customer's help: order numbers, account tokens and finished transactions through Apple, and what can be done."""

import json
import os
import shlex
import subprocess
import uuid

import pytest

from local_store import binary
from store_proxy import StoreProxy
from subscription_server import SECRET_KEY, SubscriptionServer
from test_server_process import start_server  # noqa: F401


def run(server, *arguments):
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PERENNIAL_")}
    return subprocess.run(
        [binary(), *arguments, "--server", server.url],
        capture_output=True, text=True, timeout=180,
        env=variables | {"PERENNIAL_DEV_SECRET_KEY": SECRET_KEY, "TZ": "UTC"},
    )


def owner(server, purchase):
    return server.get(f"/v1/purchases/{purchase}")["app_user_id"]


# Account tokens


def test_a_subscription_follows_its_new_account_token_for_good(store, start_server):  # noqa: F811
    server = start_server(store)
    old, new = str(uuid.uuid4()), str(uuid.uuid4())
    original = store.buy(store.new_account(), "pro.weekly", appAccountToken=old)["originalTransactionId"]
    assert owner(server, original) == old
    done = run(server, "account-token", "set", original, "--token", new.upper())
    assert done.returncode == 0, done
    assert done.stdout == (
        f"{original}: Apple has the token {new}, before {old}\n  It belongs to {new} now, before to {old}.\n"
    )
    (subscription,) = server.get(f"/v1/customers/{new}")["subscriptions"]
    assert server.get(f"/v1/customers/{old}")["subscriptions"] == []
    # Apple signs the new token into every later period.
    store.advance("P1M")
    assert owner(server, original) == new
    (later,) = server.get(f"/v1/customers/{new}")["subscriptions"]
    assert later["current_period_ends_at"] > subscription["current_period_ends_at"]
    again = run(server, "account-token", "set", original, "--token", new, "--json")
    assert again.returncode == 0, again
    assert json.loads(again.stdout) == {
        "object": "app_account_token", "purchase_id": original, "app_account_token": new,
        "previous_app_account_token": new, "confirmed": True, "app_user_id": new, "previous_app_user_id": new,
        "names_owner": True,
    }


def test_a_one_time_purchase_follows_its_new_account_token(store, start_server):  # noqa: F811
    server = start_server(store)
    bought = store.buy(store.new_account(), "lifetime")
    assert owner(server, bought["transactionId"]) is None
    new = str(uuid.uuid4())
    done = run(server, "account-token", "set", bought["transactionId"], "--token", new)
    assert done.returncode == 0 and f"It belongs to {new} now, before to no customer." in done.stdout, done
    assert owner(server, bought["transactionId"]) == new


def test_a_submission_of_a_backend_outranks_the_token(store, start_server):  # noqa: F811
    server = start_server(store)
    bought = store.buy(store.new_account(), "pro.weekly")
    server.submit("u_1", bought["signedTransactionInfo"])
    done = run(server, "account-token", "set", bought["transactionId"], "--token", str(uuid.uuid4()))
    assert done.returncode == 0 and "It still belongs to u_1." in done.stdout, done
    assert "To move the purchase: POST /v1/transfers." in done.stdout
    assert owner(server, bought["transactionId"]) == "u_1"


def test_a_lost_answer_and_apples_limit_are_reported_and_the_command_can_be_repeated(store, start_server):  # noqa: F811
    server = start_server(store)
    original = store.buy(store.new_account(), "pro.weekly")["originalTransactionId"]
    new = str(uuid.uuid4())
    arguments = ("account-token", "set", original, "--token", new)
    for fault, code in (
        ({"fault": "server_error", "retryable": False}, "app_store_answer_lost"),
        ({"fault": "rate_limit", "by": "PT1H"}, "app_store_rate_limited"),
    ):
        store.put("faults", {"api": [fault | {"endpoint": "setAppAccountToken", "probability": 1}]})
        failed = run(server, *arguments)
        assert (failed.returncode, failed.stdout) == (1, ""), failed
        assert failed.stderr.startswith(f"error: {code}: "), failed.stderr
        assert owner(server, original) is None
        store.put("faults", {})
        store.advance("PT1H1M")
    assert run(server, *arguments).returncode == 0
    assert owner(server, original) == new


def test_a_wrong_token_or_purchase_is_refused(store, start_server):  # noqa: F811
    server = start_server(store)
    unknown = run(server, "account-token", "set", "7", "--token", str(uuid.uuid4()))
    assert unknown.returncode == 1 and unknown.stderr.startswith("error: purchase_unknown: "), unknown
    wrong = server.call("PUT", "/v1/purchases/7/app_account_token", {"app_account_token": "u_1"})
    assert (wrong.status_code, wrong.json()["error"]["param"]) == (400, "app_account_token")
    assert run(server, "account-token", "set", "7", "--token", "u_1").returncode == 64


def test_each_change_is_in_the_audit_log_with_its_request(store, start_server):  # noqa: F811
    server = start_server(store)
    original = store.buy(store.new_account(), "pro.weekly")["originalTransactionId"]
    new = str(uuid.uuid4())
    changed = server.call("PUT", f"/v1/purchases/{original}/app_account_token", {"app_account_token": new})
    finished = server.call("POST", f"/v1/transactions/{original}/finish")
    assert changed.ok and finished.ok, (changed.text, finished.text)
    listed = server.get("/v1/audit_log", target=f"purchase:{original}")["data"]
    assert {(entry["action"], entry["request_id"]) for entry in listed} == {
        ("account_token.requested", changed.headers["x-request-id"]),
        ("account_token.set", changed.headers["x-request-id"]),
        ("transaction.finish_requested", finished.headers["x-request-id"]),
        ("transaction.finished", finished.headers["x-request-id"]),
    }
    assert all(entry["actor"].startswith("key sk_") for entry in listed), listed
    (entry,) = [entry for entry in listed if entry["action"] == "account_token.set"]
    assert (entry["before"], entry["after"]) == (None, {"app_account_token": new, "confirmed": True})


# Finished transactions


def test_a_transaction_leaves_the_queue_of_the_app_when_it_is_finished(store, start_server):  # noqa: F811
    server = start_server(store)
    account = store.new_account()
    bought = store.buy(account, "coins.100")["transactionId"]

    def unfinished():
        listed = store.get(f"accounts/{account}/unfinished-transactions")["transactions"]
        return [transaction["transactionId"] for transaction in listed]

    assert unfinished() == [bought]
    for _ in range(2):
        done = run(server, "transaction", "finish", bought)
        assert (done.returncode, done.stdout) == (0, f"{bought} of the purchase {bought} is finished\n"), done
        assert unfinished() == []
    unknown = run(server, "transaction", "finish", "7")
    assert unknown.returncode == 1 and unknown.stderr.startswith("error: purchase_unknown: "), unknown


# Order numbers


def order_of(store, product="pro.weekly"):
    account = store.new_account()
    bought = store.buy(account, product)
    (transaction,) = store.get(f"accounts/{account}")["transactions"]
    return transaction["orderId"], bought


def test_an_order_number_is_valid_foreign_or_unknown(start_store, tmp_path):
    # Both stores sign with the same root, as Apple does for all apps.
    options = ["--deterministic-signatures"]
    store = start_store(environment="production", options=options)
    other = start_store(environment="production", options=[*options, "--bundle-id", "com.example.other"])
    assert store.credentials["rootCertificate"] == other.credentials["rootCertificate"]
    foreign, _ = order_of(other)
    signed = other.client().look_up_order_id(foreign).signedTransactions
    proxy = StoreProxy(store, {"/inApps/v1/lookup/FOREIGN": (200, {"status": 0, "signedTransactions": signed})})
    root = tmp_path / "root.pem"
    root.write_text(store.credentials["rootCertificate"])
    # With --store the root is trusted for the store's app only; this setting trusts it for every app, as Apple's.
    server = SubscriptionServer(
        tmp_path / "serve.log", proxy.url, tmp_path / "perennial.db",
        environment={"PERENNIAL_TRUSTED_ROOTS": str(root)},
    )
    try:
        order, bought = order_of(store)
        store.advance("PT1M")

        def look_up(number):
            response = server.call("POST", "/v1/lookups/order", {"order_id": number})
            assert response.status_code == 200, response.text
            return response.json()

        (transaction,) = look_up(order)["transactions"]
        assert (look_up(order)["status"], transaction["transaction_id"]) == ("valid", bought["transactionId"])
        assert (transaction["held"], transaction["app_user_id"]) == (True, None)

        def not_found(number):
            shown = run(server, "customer", "--order", number)
            assert (shown.returncode, shown.stdout) == (1, ""), shown
            assert shown.stderr.startswith("error: customer_not_found: "), shown
            return shown.stderr

        purchase = bought["originalTransactionId"]
        unowned = not_found(order)
        assert f"The order is valid, for the purchase {purchase} (pro.weekly). This server has it" in unowned, unowned
        assert "belongs to another app" in not_found("FOREIGN")
        assert "Apple knows no such order" in not_found("MVXXXXXXXX")
        server.submit("u_1", bought["signedTransactionInfo"])
        assert [found["app_user_id"] for found in look_up(order)["transactions"]] == ["u_1"]
        assert look_up("FOREIGN") == {
            "object": "order_lookup", "order_id": "FOREIGN", "status": "foreign", "transactions": []
        }
        assert (look_up("MVXXXXXXXX")["status"], look_up("MVXXXXXXXX")["transactions"]) == ("unknown", [])
        assert look_up(f" {order}\n")["order_id"] == order, "spaces of a mail are no part of it"
        for wrong in ["MVXX-XXXXXX", "MV XXXXXXXX", "../MVXXXXXX", " "]:
            response = server.call("POST", "/v1/lookups/order", {"order_id": wrong})
            assert (response.status_code, response.json()["error"]["code"]) == (400, "parameter_invalid"), wrong
        shown = run(server, "customer", "--order", order)
        assert shown.returncode == 0 and shown.stdout.startswith("Customer u_1, "), shown
    finally:
        server.stop()
        proxy.stop()


def test_orders_cannot_be_looked_up_in_the_sandbox(store, start_server):  # noqa: F811
    refused = start_server(store).call("POST", "/v1/lookups/order", {"order_id": "MVXXXXXXXX"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "order_lookup_not_available")


# What can be done


@pytest.fixture
def customer(start_store, start_server):  # noqa: F811
    """A server with a subscriber u_1, and the subscriber's store and account."""
    store = start_store(environment="production")
    server = start_server(store)
    account = store.new_account()
    server.submit("u_1", store.buy(account, "pro.weekly")["signedTransactionInfo"])
    store.advance("PT1M")
    return store, server, account


def actions(server, name="u_1"):
    shown = run(server, "customer", name, "--json")
    assert shown.returncode == 0, shown
    return json.loads(shown.stdout)["actions"]


def carry_out(server, command):
    """Runs a command, or makes a call, as it is printed."""
    if command.startswith("perennial "):
        done = run(server, *shlex.split(command)[1:])
        assert done.returncode == 0, done
        return done.stdout
    method, path, body = command.split(" ", 2)
    response = server.call(method, path, json.loads(body))
    assert response.ok, response.text
    return response.text


def test_the_printed_commands_can_be_carried_out_as_they_are(customer):
    store, server, account = customer
    (longer,) = actions(server)
    assert longer["action"] == "Lengthen the period of pro.weekly by 1 to 90 days"
    text = run(server, "customer", "u_1").stdout
    assert f"What can be done\n  {longer['action']}\n    {longer['command']}\n    {longer['because']}\n" in text
    assert " extended: the period ends " in carry_out(server, longer["command"])

    store.set_payment(account, "declined")
    store.advance("P20D")
    payment, refresh, grant = actions(server)
    assert payment["command"] is None
    assert payment["action"].endswith(": https://apps.apple.com/account/billing"), payment
    assert carry_out(server, refresh["command"]).startswith("Customer u_1, ")
    carry_out(server, grant["command"])
    entitlements = server.get("/v1/customers/u_1")["entitlements"]
    assert [value["source"] for value in entitlements.values() if value["active"]] == ["grant"], entitlements


def test_a_refunded_subscription_names_the_reversal_and_a_grant(customer):
    store, server, account = customer
    (transaction,) = store.get(f"accounts/{account}")["transactions"]
    store.refund(transaction["transactionId"])
    store.advance("PT1M")
    reversal, grant = actions(server)
    assert "REFUND_REVERSED" in reversal["because"] and reversal["command"] is None
    assert grant["command"].startswith("POST /v1/customers/u_1/grants "), grant


def test_a_purchase_of_another_customer_can_be_moved(customer):
    store, server, account = customer
    signed = store.client().get_transaction_info(
        store.get(f"accounts/{account}")["transactions"][0]["transactionId"]
    ).signedTransactionInfo
    body = {"app_user_id": "u 2", "signed_transaction": signed}
    assert server.call("POST", "/v1/transactions", body).status_code == 409
    transfer, join = actions(server, "u 2")
    assert join["command"] == 'POST /v1/customers/u_1/aliases {"alias":"u 2"}'
    carry_out(server, transfer["command"])
    assert len(server.get("/v1/customers/u%202")["subscriptions"]) == 1
