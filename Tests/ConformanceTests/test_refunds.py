"""Refunds that a server lists and counts, compared with the ledger of the store that it follows."""

import json
from collections import Counter

import pytest

from perennial_command import perennial
from subscription_server import SECRET_KEY
from test_server_process import start_server  # noqa: F401

ACCOUNTS = 4
# The notification history of the store would tell the same as its refund history.
QUIET = {"PERENNIAL_RECOVERY_ENABLED": "false"}


@pytest.fixture
def both(start_store, start_server, tmp_path):  # noqa: F811
    """A store with customers who paid for some months and coins, and a server that heard everything."""
    store = start_store(environment="production")
    server = start_server(store, database=tmp_path / "perennial.db")
    accounts = [store.new_account("DEU" if number % 2 else "USA") for number in range(ACCOUNTS)]
    for number, account in enumerate(accounts):
        for product in ("pro.monthly", "coins.100"):
            server.submit(f"u_{number}", store.buy(account, product)["signedTransactionInfo"])
    for _ in range(3):
        store.advance("P31D")
    return store, server, accounts


def transactions(store, account, product=None):
    """The account's transactions, oldest first."""
    found = store.get(f"accounts/{account}")["transactions"]
    chosen = [transaction for transaction in found if product in (None, transaction["productId"])]
    return sorted(chosen, key=lambda transaction: transaction["purchaseDate"])


def all_refunds(server, **parameters):
    found, cursor = [], None
    while True:
        page = server.get("/v1/refunds", limit=2, **parameters, **({"after": cursor} if cursor else {}))
        found += page["data"]
        cursor = page["next_cursor"]
        if not page["has_more"]:
            return found


def ask(store, transaction, reason="UNINTENDED_PURCHASE"):
    store.post(f"transactions/{transaction['transactionId']}/refund-request", {"consumptionRequestReason": reason})


def act(store, accounts):
    """Refunds of every kind: asked for, in part, declined, and reversed."""
    months = [transactions(store, account, "pro.monthly") for account in accounts]
    coins = [transactions(store, account, "coins.100")[0] for account in accounts]
    # The first period is a free trial.
    assert all(periods[0]["price"] == 0 and len(periods) == 4 for periods in months)
    ask(store, months[0][-1])
    store.refund(months[0][-1]["transactionId"], reason=1)
    store.refund(months[0][1]["transactionId"])
    store.refund(coins[1]["transactionId"], percentage=50_000)
    ask(store, coins[2], "LEGAL")
    store.refund(coins[2]["transactionId"])
    store.advance("PT1H")
    store.post(f"transactions/{coins[2]['transactionId']}/refund-reverse", {})
    ask(store, months[2][-1])
    store.post(f"transactions/{months[2][-1]['transactionId']}/refund-decline", {})
    store.advance("PT1H")


def command(server, *arguments):
    ended = perennial(*arguments, "--server", server.url, environment={"PERENNIAL_API_SECRET_KEY": SECRET_KEY})
    assert ended.status == 0, ended
    return ended.stdout


def test_refunds_rates_and_patterns_are_those_of_the_stores_ledger(both, tmp_path):
    store, server, accounts = both
    act(store, accounts)
    owned = {account: transactions(store, account) for account in accounts}
    ledger = [transaction for account in accounts for transaction in owned[account]]
    standing = {t["transactionId"]: t for t in ledger if t.get("revocationDate")}
    assert len(standing) == 3

    listed = all_refunds(server)
    assert [refund["refunded_at"] for refund in listed] == sorted((r["refunded_at"] for r in listed), reverse=True)
    stands = {refund["transaction_id"]: refund for refund in listed if refund["reversed_at"] is None}
    assert stands.keys() == standing.keys()
    customers = {t["transactionId"]: f"u_{number}" for number, account in enumerate(accounts) for t in owned[account]}
    for identifier, refund in stands.items():
        transaction = standing[identifier]
        assert refund["refunded_at"] == transaction["revocationDate"]
        assert (refund["price"], refund["currency"]) == (transaction["price"], transaction["currency"])
        assert refund["product_id"] == transaction["productId"]
        assert refund["app_user_id"] == customers[identifier]
    (reversed_one,) = [refund for refund in listed if refund["reversed_at"] is not None]
    assert reversed_one["requested_because"] == "legal"
    assert reversed_one["reversed_at"] > reversed_one["refunded_at"]
    (asked,) = [refund for refund in stands.values() if refund["reason"] == "app_issue"]
    assert asked["requested_because"] == "unintended_purchase"
    (half,) = [refund for refund in stands.values() if refund["type"] == "prorated_refund"]
    assert half["amount"] == half["price"] // 2
    assert all_refunds(server, app_user_id="u_0") == [r for r in listed if r["app_user_id"] == "u_0"]
    assert all_refunds(server, product_id="coins.100") == [r for r in listed if r["product_id"] == "coins.100"]

    now = store.get("clock")["now"]
    span = {"from": 0, "to": now + 1}
    rates = server.get("/v1/refunds/rates", by="product", **span)
    assert rates["complete"]
    charged = Counter(t["productId"] for t in ledger if t["price"] > 0)
    assert {group["product_id"]: group["charged"] for group in rates["data"]} == charged
    for group in rates["data"]:
        count = sum(t["productId"] == group["product_id"] for t in standing.values())
        assert (group["refunds"], group["share"]) == (count, count * 100_000 // group["charged"])
    storefronts = {group["storefront"]: group for group in server.get("/v1/refunds/rates", by="storefront", **span)["data"]}
    for storefront, first in (("USA", 0), ("DEU", 1)):
        mine = [t for account in accounts[first::2] for t in owned[account]]
        assert storefronts[storefront]["charged"] == sum(t["price"] > 0 for t in mine)
        assert storefronts[storefront]["refunds"] == sum(t["transactionId"] in standing for t in mine)
    reasons = {group["reason"]: group for group in server.get("/v1/refunds/rates", by="reason", **span)["data"]}
    assert (reasons["app_issue"]["refunds"], reasons["other"]["refunds"], reasons["other"]["reversed"]) == (1, 2, 1)

    patterns = [server.get(f"/v1/customers/u_{number}/refunds") for number in range(ACCOUNTS)]
    for account, pattern in zip(accounts, patterns):
        assert pattern["charged"] == sum(t["price"] > 0 for t in owned[account])
        assert pattern["refunds"] == sum(t["transactionId"] in standing for t in owned[account])
    assert [(p["requested"], p["declined"], p["reversed"]) for p in patterns] == [
        (1, 0, 0), (0, 0, 0), (2, 1, 1), (0, 0, 0),
    ]

    printed = [json.loads(line) for line in command(server, "refunds", "list", "--json").splitlines()]
    assert printed == listed
    text = command(server, "refunds", "list", "--customer", "u_0")
    assert len(text.splitlines()) == 2 and "app issue, requested: unintended purchase" in text, text
    shown = command(server, "refunds", "rates", "--from", "0")
    assert "coins.100: 1 of 4 charges refunded (25.0 %)" in shown, shown
    assert json.loads(command(server, "refunds", "rates", "--from", "0", "--json"))["data"] == rates["data"]
    customer = command(server, "customer", "u_2")
    section = "\nRefunds\n  0 of 4 charges refunded (0.0 %)\n  reversed: 1\n  requested: 2, declined: 1\n"
    assert section in customer, customer
    assert json.loads(command(server, "customer", "u_2", "--json"))["refunds"] == patterns[2]

    verified = perennial("rebuild", "--verify", "--database", f"sqlite:{tmp_path / 'perennial.db'}")
    assert verified.status == 0, verified


def test_a_refresh_reads_every_page_of_apples_refund_history(start_store, start_server, tmp_path):  # noqa: F811
    store = start_store(environment="production")
    server = start_server(store, database=tmp_path / "perennial.db", environment=QUIET)
    account = store.new_account()
    bought = []
    for _ in range(45):
        coins = store.buy(account, "coins.100")
        store.post(f"transactions/{coins['transactionId']}/finish", {})
        server.submit("u_1", coins["signedTransactionInfo"])
        bought.append(coins["transactionId"])
    store.put("notification-endpoint", {"url": None})
    for transaction in bought:
        store.refund(transaction)
    assert server.get("/v1/refunds")["data"] == []
    assert server.call("POST", "/v1/customers/u_1/refresh").ok
    assert {refund["transaction_id"] for refund in all_refunds(server)} == set(bought)
    pattern = server.get("/v1/customers/u_1/refunds")
    assert (pattern["refunds"], pattern["charged"], pattern["share"]) == (45, 45, 100_000)
