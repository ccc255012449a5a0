"""Stored receipts of a verifyReceipt backend into a running server: verified offline, then asked about at the store."""

import base64
import csv
import json
import os
import subprocess
from pathlib import Path

import pytest

from killed_import import kill_until_done
from local_store import binary
from perennial_command import perennial
from subscription_server import SECRET_KEY, SubscriptionServer

SECONDS_MAX = 300


@pytest.fixture
def server(store, tmp_path, new_database):
    # The store's notification history would tell the same; these tests are about Apple's other answers.
    quiet = {"PERENNIAL_RECOVERY_ENABLED": "false"}
    server = SubscriptionServer(tmp_path / "serve.log", store.url, new_database(), environment=quiet)
    yield server
    server.stop()


@pytest.fixture
def root(store, tmp_path):
    """The file with the root certificate of the store's receipts."""
    file = tmp_path / "root.pem"
    file.write_text(store.credentials.get("receiptRootCertificate") or store.credentials["rootCertificate"])
    return file


def sold(store, count):
    """Purchases from before the server, with a receipt for each."""
    store.put("notification-endpoint", {"url": None})
    return [store.buy(store.new_account(), "pro.monthly") for _ in range(count)]


def command(server, file, root, *options):
    address = ["--server", server.url] if server else []
    return [
        str(binary()), "migrate-receipts", str(file), *address, *(["--root", str(root)] if root else []), *options,
    ]


def migrate(server, file, root, *options):
    completed = subprocess.run(
        command(server, file, root, "--json", *options),
        env={"PERENNIAL_API_SECRET_KEY": SECRET_KEY}, capture_output=True, text=True, timeout=SECONDS_MAX, check=False,
    )
    assert completed.stdout, completed
    return completed.returncode, json.loads(completed.stdout)


def rejected(file):
    with open(f"{file}.receipts.rejected.csv", newline="", encoding="utf-8") as rows:
        return list(csv.DictReader(rows))


def expect_access(server, users):
    for user in users:
        entitlements = server.get(f"/v1/customers/{user}")["entitlements"]
        assert [value["active"] for value in entitlements.values()] == [True], (user, entitlements)


@pytest.mark.parametrize("form", ["csv", "ndjson"])
def test_receipts_give_their_users_access_and_history(store, server, root, tmp_path, form):
    purchases = sold(store, 6)
    # The receipts are of the first month; the history at Apple has three.
    store.advance("P2M")
    file = tmp_path / "receipts"
    rows = [(f"u_{number}", purchase["receipt"]) for number, purchase in enumerate(purchases)]
    file.write_text({
        "csv": "user,receipt\n" + "".join(f"{user},{receipt}\n" for user, receipt in rows),
        "ndjson": "".join(json.dumps({"user": user, "receipt-data": receipt}) + "\n" for user, receipt in rows),
    }[form])
    assert migrate(None, file, root, "--dry-run") == (0, {"dry_run": True, "valid": 6, "rejected": 0, "skipped": 0})
    assert server.get("/v1/events", limit=1000)["data"] == []
    assert migrate(server, file, root) == (0, {"dry_run": False, "imported": 6, "rejected": 0, "skipped": 0})
    expect_access(server, [user for user, _ in rows])
    events = server.get("/v1/events", limit=1000)["data"]
    assert sum(event["type"] == "subscription.renewed" for event in events) == 12
    # Again: nothing twice, and no file is left beside it.
    assert migrate(server, file, root)[1]["imported"] == 6
    assert server.get("/v1/events", limit=1000)["data"] == events
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("receipts")) == ["receipts"]


def test_finished_consumables_and_their_refunds_come_with_the_history(store, server, root, tmp_path):
    store.put("notification-endpoint", {"url": None})
    account = store.new_account()
    store.buy(account, "pro.monthly")
    coins = [store.buy(account, "coins.100")["transactionId"] for _ in range(2)]
    for coin in coins:
        store.post(f"transactions/{coin}/finish", {})
    store.advance("P70D")
    store.refund(coins[0])
    file = tmp_path / "receipts.csv"
    file.write_text(f"user,receipt\nu_1,{store.get(f'accounts/{account}/receipt')['receipt']}\n")
    assert migrate(server, file, root)[1]["imported"] == 1
    found = [
        (event["type"], event["transaction_id"])
        for event in server.get("/v1/events", limit=1000)["data"] if event["type"].startswith("purchase.")
    ]
    assert sorted(found) == sorted(
        [("purchase.made", coin) for coin in coins] + [("purchase.refunded", coins[0])]
    )
    # The receipt does not list them, so the customer does not get them.
    assert server.get("/v1/customers/u_1")["purchases"] == []


def test_without_events_the_feed_stays_empty(store, server, root, tmp_path):
    (purchase,) = sold(store, 1)
    file = tmp_path / "receipts.csv"
    file.write_text(f"user,receipt\nu_1,{purchase['receipt']}\n")
    assert migrate(server, file, root, "--events", "none")[0] == 0
    expect_access(server, ["u_1"])
    assert server.get("/v1/events", limit=1000)["data"] == []


def test_receipts_of_one_purchase_are_sent_for_their_transaction(store, server, root, tmp_path):
    (purchase,) = sold(store, 1)
    receipt = store.get(f"transactions/{purchase['transactionId']}/receipt")["receipt"]
    file = tmp_path / "receipts.csv"
    file.write_text(f"user,receipt\nu_1,{receipt}\n")
    assert migrate(server, file, root) == (0, {"dry_run": False, "imported": 1, "rejected": 0, "skipped": 0})
    expect_access(server, ["u_1"])


def test_each_failure_is_listed_with_line_and_reason(store, start_store, server, root, tmp_path):
    first, second = sold(store, 2)
    changed = bytearray(base64.b64decode(first["receipt"]))
    changed[-1] ^= 1
    empty = store.get(f"accounts/{store.new_account()}/receipt")["receipt"]
    other = start_store(seed=8)
    foreign = other.buy(other.new_account(), "pro.monthly")["receipt"]
    rows = [
        ("u_1", first["receipt"]), ("u_2", base64.b64encode(changed).decode()), ("u_3", empty), ("u_4", foreign),
        ("u_5", first["receipt"][:400]), ("u_6", "no receipt!"), ("u_7", ""), ("", second["receipt"]),
        ("u_9", first["receipt"]), ("u_10", second["receipt"]),
    ]
    file = tmp_path / "receipts.csv"
    file.write_text("user,receipt\n" + "".join(f"{user},{receipt}\n" for user, receipt in rows))
    offline = {"dry_run": True, "valid": 3, "rejected": 7, "skipped": 0}
    assert migrate(None, file, root, "--dry-run") == (1, offline)
    assert migrate(server, file, root) == (1, {"dry_run": False, "imported": 2, "rejected": 8, "skipped": 0})
    found = rejected(file)
    assert [(row["line"], row["code"]) for row in found] == [
        ("3", "signature_invalid"), ("4", "no_purchases"), ("5", "chain_not_trusted"), ("6", "truncated"),
        ("7", "not_base64"), ("8", "receipt_missing"), ("9", "user_missing"),
        ("10", "purchase_owned_by_another_customer"),
    ]
    assert all(row["reason"] for row in found)
    assert found[0]["user"] == "u_2" and found[0]["transaction_id"] == first["originalTransactionId"]
    expect_access(server, ["u_1", "u_10"])


def test_names_in_json_can_have_capitals_and_a_dry_run_describes_bad_receipts(store, root, tmp_path):
    (purchase,) = sold(store, 1)
    file = tmp_path / "receipts.ndjson"
    rows = [
        {"User": "u_1", "Receipt-Data": purchase["receipt"]}, {"User": "u_2", "Receipt-Data": "no receipt!"},
        {"app_id": "a", "Receipt-Data": purchase["receipt"]},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    checked = perennial("migrate-receipts", file, "--root", root, "--dry-run", "--json")
    assert checked.json == {"dry_run": True, "valid": 1, "rejected": 2, "skipped": 0}
    assert [line.split(": ")[:2] for line in checked.stderr.splitlines()] == [
        ["line 2", "not_base64"], ["line 3", "columns_missing"],
    ]
    file.write_text(json.dumps({"appUserId": "u_1", "latestReceipt": purchase["receipt"]}) + "\n")
    named = ["--user-column", "appUserId", "--receipt-column", "latestReceipt"]
    assert migrate(None, file, root, "--dry-run", *named)[1]["valid"] == 1


def test_a_killed_migration_continues_and_rejects_no_row_twice(store, server, root, tmp_path):
    purchases = sold(store, 130)
    file = tmp_path / "receipts.csv"
    rows = [f"u_{number},{sale['receipt']}\n,{sale['receipt']}\n" for number, sale in enumerate(purchases)]
    file.write_text("user,receipt\n" + "".join(rows))
    arguments = command(server, file, root, "--connections", "2")
    environment = {"PERENNIAL_API_SECRET_KEY": SECRET_KEY}
    assert kill_until_done(arguments, environment, tmp_path / "receipts.csv.receipts.json", server) > 0
    assert [int(row["line"]) for row in rejected(file)] == list(range(3, 2 * len(purchases) + 2, 2))
    expect_access(server, [f"u_{number}" for number in range(len(purchases))])
    events = server.get("/v1/events", limit=1000)["data"]
    assert sum(event["type"] == "subscription.started" for event in events) == len(purchases)
    assert not (tmp_path / "receipts.csv.receipts.json").exists()


def test_a_real_sandbox_receipt_is_valid_up_to_apples_root(tmp_path):
    folder = os.environ.get("PERENNIAL_VECTORS")
    if not folder:
        pytest.skip("PERENNIAL_VECTORS does not name the folder of test vectors")
    receipt = (Path(folder) / "receipts/sandbox-app-receipt.base64.txt").read_text().strip()
    file = tmp_path / "receipts.csv"
    file.write_text(f"user,receipt\nu_1,{receipt}\n")
    assert migrate(None, file, None, "--dry-run")[1]["valid"] == 1
    assert migrate(None, file, None, "--dry-run", "--environment", "production")[1]["rejected"] == 1
