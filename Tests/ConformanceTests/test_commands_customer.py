"""`perennial customer`: what support sees of a customer of a running server."""

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


def test_it_prints_state_why_and_the_story(store, server):
    account = store.new_account()
    bought = store.buy(account, "pro.monthly")
    server.submit("u 42/ü", bought["signedTransactionInfo"])
    shown = show(server, "u 42/ü")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith("Customer u 42/ü, known since ")
    for words in ("Entitlements\n", "Access: ", "manage: https://apps.apple.com/account/subscriptions", "subscribed: pro.monthly"):
        assert words in shown.stdout, shown.stdout

    store.set_payment(account, "declined")
    store.advance("P40D")
    failed = show(server, "--transaction", bought["transactionId"])
    assert "No access: the renewal due on " in failed.stdout, failed.stdout
    assert "payment method: https://apps.apple.com/account/billing" in failed.stdout

    answer = json.loads(show(server, "u 42/ü", "--json").stdout)
    assert answer["customer"]["app_user_id"] == "u 42/ü"
    assert answer["timeline"][0]["type"] == "subscription.started"


def test_a_purchase_without_a_customer_is_named_with_its_product(store, server):
    bought = store.buy(store.new_account(), "pro.monthly")
    unclaimed = show(server, "--transaction", bought["transactionId"])
    assert unclaimed.returncode == 1, unclaimed.stdout
    assert f"The purchase {bought['originalTransactionId']} (pro.monthly) is known" in unclaimed.stderr, unclaimed.stderr


def test_it_says_what_to_do_where_there_is_no_answer(server):
    nobody = show(server, "nobody")
    assert nobody.returncode == 1 and nobody.stderr.startswith("error: customer_not_found: "), nobody.stderr
    keyless = show(server, "nobody", PERENNIAL_DEV_SECRET_KEY="")
    assert keyless.returncode == 78 and keyless.stderr.startswith("error: secret_key_missing: ")
    away = subprocess.run(
        [binary(), "customer", "u_1", "--server", "http://127.0.0.1:1"],
        capture_output=True, text=True, timeout=60, env=os.environ | {"PERENNIAL_DEV_SECRET_KEY": SECRET_KEY},
    )
    assert away.returncode == 1 and away.stderr.startswith("error: server_unreachable: ")
