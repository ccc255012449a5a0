"""`perennial customer`: shows a customer of a running server to support staff."""

import json
import os
import subprocess

import pytest

from local_store import binary
from subscription_server import SECRET_KEY, SubscriptionServer


@pytest.fixture
def server(store, tmp_path):
    server = SubscriptionServer(tmp_path / "serve.log", store.url, tmp_path / "perennial.db")
    yield server
    server.stop()


def show(server, *arguments, **environment):
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PERENNIAL_")}
    return subprocess.run(
        [binary(), "customer", *arguments, "--server", server.url],
        capture_output=True, text=True, timeout=60,
        env=variables | {"PERENNIAL_DEV_SECRET_KEY": SECRET_KEY, "TZ": "UTC"} | environment,
    )


def test_it_prints_the_state_its_reason_and_the_timeline(store, server):
    account = store.new_account()
    bought = store.buy(account, "pro.monthly")
    server.submit("u 42/ü", bought["signedTransactionInfo"])
    shown = show(server, "u 42/ü")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith("Customer u 42/ü, known since ")
    for text in (
        "Entitlements\n", "Access: ", "manage: https://apps.apple.com/account/subscriptions", "subscribed: pro.monthly",
    ):
        assert text in shown.stdout, shown.stdout

    store.set_payment(account, "declined")
    store.advance("P40D")
    failed = show(server, "--transaction", bought["transactionId"])
    assert "No access: the renewal due on " in failed.stdout, failed.stdout
    assert "payment method: https://apps.apple.com/account/billing" in failed.stdout

    answer = json.loads(show(server, "u 42/ü", "--json").stdout)
    assert answer["customer"]["app_user_id"] == "u 42/ü"
    assert answer["timeline"][0]["type"] == "subscription.started"


def test_a_refresh_shows_what_apple_knows_now(store, server):
    store.put("notification-endpoint", {"url": None})
    account = store.new_account()
    bought = store.buy(account, "pro.monthly")
    server.submit("u_1", bought["signedTransactionInfo"])
    store.set_auto_renew(bought["originalTransactionId"], False)

    def renews(*arguments):
        shown = show(server, *arguments, "--json")
        assert shown.returncode == 0, shown.stderr
        (subscription,) = json.loads(shown.stdout)["customer"]["subscriptions"]
        return subscription["auto_renew"]

    assert renews("u_1") is not False
    assert renews("u_1", "--refresh") is False
    assert renews("--transaction", bought["transactionId"], "--refresh") is False


def test_a_refresh_that_fails_is_reported_and_shows_nothing(store, server):
    store.put("notification-endpoint", {"url": None})
    server.submit("u_1", store.buy(store.new_account(), "pro.monthly")["signedTransactionInfo"])
    unknown = show(server, "nobody", "--refresh")
    assert unknown.returncode == 1 and unknown.stderr.startswith("error: customer_not_found: "), unknown.stderr
    store.stop()
    away = show(server, "u_1", "--refresh")
    assert (away.returncode, away.stdout) == (1, "") and away.stderr.startswith("error: app_store_unavailable: "), away
    assert show(server, "u_1").returncode == 0


def test_a_purchase_without_a_customer_is_reported_with_its_product(store, server):
    bought = store.buy(store.new_account(), "pro.monthly")
    unclaimed = show(server, "--transaction", bought["transactionId"])
    assert unclaimed.returncode == 1, unclaimed.stdout
    known = f"The purchase {bought['originalTransactionId']} (pro.monthly) is known"
    assert known in unclaimed.stderr, unclaimed.stderr


def test_each_failure_is_reported_with_its_code(server):
    unknown = show(server, "nobody")
    assert unknown.returncode == 1 and unknown.stderr.startswith("error: customer_not_found: "), unknown.stderr
    without_key = show(server, "nobody", PERENNIAL_DEV_SECRET_KEY="")
    assert without_key.returncode == 78 and without_key.stderr.startswith("error: secret_key_missing: ")
    of_an_operator = show(server, "nobody", PERENNIAL_DEV_SECRET_KEY="ok_0123456789abcdef")
    assert of_an_operator.returncode == 78 and "works over HTTP only" in of_an_operator.stderr
    unreachable = subprocess.run(
        [binary(), "customer", "u_1", "--server", "http://127.0.0.1:1"],
        capture_output=True, text=True, timeout=60, env=os.environ | {"PERENNIAL_DEV_SECRET_KEY": SECRET_KEY},
    )
    assert unreachable.returncode == 1 and unreachable.stderr.startswith("error: server_unreachable: ")
