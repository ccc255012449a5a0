"""Exports and imports of a whole database with the real programs: from SQLite to PostgreSQL, while a server runs."""

import csv
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import threading
import time
from urllib.parse import quote

import pytest
import requests

from local_store import CALL_SECONDS_MAX, STOP_SECONDS_MAX, binary
from postgresql_server import PostgreSQLServer, allow_other_users
from served_answers import answers, differences
from subscription_server import SubscriptionServer
from webhook_receiver import WebhookReceiver

EXPORT_SECONDS_MAX = 300
DEMO_SECONDS_MAX = 900
DELIVERY_SECONDS_MAX = 180


@pytest.fixture
def postgresql(tmp_path_factory):
    server = PostgreSQLServer(allow_other_users(tmp_path_factory.mktemp("postgresql")))
    yield server
    server.stop()


@pytest.fixture
def receiver():
    receiver = WebhookReceiver()
    yield receiver
    receiver.stop()


@pytest.fixture
def demo(tmp_path):
    """A year of the demo. Its programs stay running."""
    database = f"sqlite:{tmp_path}/demo.db"
    log = tmp_path / "demo.log"
    with open(log, "wb") as progress:
        process = subprocess.Popen(
            [str(binary()), "demo", "--port", "0", "--accounts", "40", "--months", "12", "--database", database],
            stdout=subprocess.PIPE, stderr=progress, text=True, env=os.environ | {"TMPDIR": str(tmp_path)},
        )
    watchdog = threading.Timer(DEMO_SECONDS_MAX, process.kill)
    watchdog.start()
    shown = []
    while not (shown and shown[-1].startswith("Ctrl-C")):
        line = process.stdout.readline()
        assert line, log.read_text()
        shown.append(line)
    watchdog.cancel()
    text = "".join(shown)
    yield {
        "database": database,
        "store": re.search(r"^local App Store +(\S+)$", text, re.M).group(1),
        "server": re.search(r"^server +(\S+)$", text, re.M).group(1),
        "key": re.search(r"^secret key +(\S+)$", text, re.M).group(1),
    }
    process.terminate()
    process.wait(STOP_SECONDS_MAX)
    process.stdout.close()


def run(*arguments, **options):
    return subprocess.run(
        [str(binary()), *map(str, arguments)], capture_output=True, text=True, timeout=EXPORT_SECONDS_MAX, check=False,
        **options,
    )


def done(*arguments, **options):
    completed = run(*arguments, **options)
    assert completed.returncode == 0, completed.stderr
    return json.loads(completed.stdout)


def lines(folder, table):
    return [json.loads(line) for line in (folder / f"{table}.ndjson").read_text().splitlines()]


def digest(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def call(method, url, body=None, key=None):
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    response = requests.request(method, url, json=body, headers=headers, timeout=CALL_SECONDS_MAX)
    assert response.ok, f"{method} {url}: {response.status_code} {response.text}"
    return response.json()


def add_what_the_demo_leaves_out(demo, receiver):
    """Lets every route have something to answer about. Returns the identifier of a transfer."""

    def server(method, path, body=None):
        return call(method, f"{demo['server']}/v1/{path}", body, demo["key"])

    def store(path, body):
        return call("POST", f"{demo['store']}/_store/{path}", body)

    def buy(customer):
        account = store("accounts", {"storefront": "USA"})["accountId"]
        bought = store(f"accounts/{account}/purchases", {"productId": "coins.100"})
        server("POST", "transactions", {"app_user_id": customer, "signed_transaction": bought["signedTransactionInfo"]})
        return bought["transactionId"]

    endpoint = server("POST", "webhook_endpoints", {"url": receiver.url})["id"]
    buy("u_moved")
    coins = buy("u_taker")  # a report about a purchase ends with its transfer
    entitlement = server("GET", "entitlements")["data"][0]["id"]
    server("POST", "customers/u_taker/grants", {"entitlement_id": entitlement, "duration": "P1M"})
    consumption = {"customer_consented": True, "delivery_status": "delivered", "consumption_percentage": 50_000}
    server("PUT", f"purchases/{coins}/consumption", consumption)
    store("clock/advance", {"by": "PT1M"})
    store(f"transactions/{coins}/refund-request", {"consumptionRequestReason": "UNINTENDED_PURCHASE"})
    store("clock/advance", {"by": "PT1M"})
    store(f"transactions/{coins}/refund-decline", {})
    store("clock/advance", {"by": "PT1M"})
    assert server("GET", "refund_requests")["data"][0]["outcome"] == "declined"
    server("POST", "api_keys", {"scope": "read", "label": "reports"})
    campaign = {"product_ids": ["pro.monthly"], "extend_by_days": 7, "reason": "outage"}
    server("POST", "extension_campaigns", campaign)
    transfer = server("POST", "transfers", {"from": "u_moved", "to": "u_taker", "reason": "the same person"})["id"]
    deadline = time.monotonic() + DELIVERY_SECONDS_MAX
    while True:
        shown = server("GET", f"webhook_endpoints/{endpoint}")
        after = f"&after={quote(shown['after'], safe='')}" if shown["after"] else ""
        behind = server("GET", f"events?limit=1{after}")["data"]
        if receiver.taken and not behind and shown["open_deliveries"] == 0:
            break
        assert time.monotonic() < deadline, "the webhooks do not arrive"
        time.sleep(0.1)
    # Now neither server sends anything.
    server("PATCH", f"webhook_endpoints/{endpoint}", {"enabled": False})
    return transfer


def test_a_year_of_the_demo_moves_from_sqlite_to_postgresql_with_every_answer(demo, postgresql, receiver, tmp_path):
    transfer = add_what_the_demo_leaves_out(demo, receiver)
    folder = tmp_path / "export"
    report = done("export", folder, "--database", demo["database"], "--with-keys", "--json")
    assert report["rows"] == sum(report["tables"].values()) and report["tables"]["evidence"] > 500
    customers = [row["customer_id"] for row in lines(folder, "customers")]
    assert len(customers) > 40
    purchases = [row["original_transaction_id"] for row in lines(folder, "purchases")]
    named = {
        "/v1/customers/": customers, "/v1/purchases/": purchases, "/v1/subscriptions/": purchases,
        "/v1/transfers/": [transfer],
    }
    before = answers(demo["server"], demo["key"], named)
    events, cursor = before["/v1/events"]["data"], before["/v1/events"]["next_cursor"]
    assert len(events) > 500
    imported = done("import", folder, "--database", postgresql.url, "--json")
    assert imported == report
    server = SubscriptionServer(
        tmp_path / "new.log", demo["store"], postgresql.url, environment={"PERENNIAL_DEV_SECRET_KEY": demo["key"]}
    )
    try:
        after = answers(server.url, demo["key"], named)
        assert differences(before, after) == []
        # The new server may have appended what it found out about itself. An old cursor stays valid.
        copied_events = after["/v1/events"]["data"]
        assert copied_events[:len(events)] == events
        assert all(event["type"].startswith("recovery.") for event in copied_events[len(events):])
        rest = server.call("GET", "/v1/events", key=demo["key"], after=cursor).json()["data"]
        assert rest == copied_events[len(events):]
    finally:
        server.stop()
    # And back again: the rows that an export writes are the same for both engines.
    back = tmp_path / "back"
    done("export", back, "--database", postgresql.url, "--with-keys", "--json")
    for table in ("evidence", "purchases", "customers", "events", "claims", "earlier_transactions"):
        assert (back / f"{table}.ndjson").read_bytes() == (folder / f"{table}.ndjson").read_bytes(), table


def filled_database(store, tmp_path, accounts=30):
    """A stopped server's database with notifications of some months."""
    database = tmp_path / "perennial.db"
    server = SubscriptionServer(tmp_path / "serve.log", store.url, database)
    for _ in range(accounts):
        account = store.new_account()
        server.submit(account, store.buy(account, "pro.monthly")["signedTransactionInfo"])
    store.advance("P6M")
    server.stop()
    return f"sqlite:{database}"


def limit_files():
    # A write beyond the limit fails as on a full disk. The limit also concerns the files of the database in memory.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))


def test_a_killed_export_continues_to_the_same_files(store, tmp_path):
    database = filled_database(store, tmp_path)
    undisturbed = tmp_path / "undisturbed"
    done("export", undisturbed, "--database", database, "--json")
    expected = digest(undisturbed)
    interrupted = 0
    for number in range(12):
        folder = tmp_path / f"export{number}"
        process = subprocess.Popen(
            [str(binary()), "export", str(folder), "--database", database, "--json"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        time.sleep(0.01 * number)
        process.send_signal(signal.SIGKILL)
        process.wait(STOP_SECONDS_MAX)
        if (folder / "manifest.json").exists():
            assert digest(folder) == expected
            continue
        interrupted += 1
        assert run("import", folder, "--dry-run").returncode == 1
        done("export", folder, "--database", database, "--json")
        assert digest(folder) == expected
    assert interrupted > 0


def test_an_export_onto_a_full_disk_says_so_and_continues(store, tmp_path):
    database = filled_database(store, tmp_path)
    folder = tmp_path / "export"

    full = run("export", folder, "--database", database, preexec_fn=limit_files)
    assert full.returncode == 1, full
    assert "export_disk_full" in full.stderr and "run the same command again" in full.stderr
    assert not (folder / "manifest.json").exists()
    refused = run("import", folder, "--database", f"sqlite:{tmp_path}/new.db")
    assert refused.returncode == 1 and "export_incomplete" in refused.stderr
    assert not (tmp_path / "new.db").exists()
    done("export", folder, "--database", database, "--json")
    undisturbed = tmp_path / "undisturbed"
    done("export", undisturbed, "--database", database, "--json")
    assert digest(folder) == digest(undisturbed)


@pytest.mark.parametrize("form", ["csv", "ndjson"])
def test_a_killed_or_full_readable_export_continues_to_the_same_files(store, tmp_path, form):
    database = filled_database(store, tmp_path)

    def arguments(folder):
        return ["export", folder, "--database", database, "--format", form]

    def partial(folder):
        return [path.name for path in folder.iterdir() if path.name.endswith(".partial")]

    undisturbed = tmp_path / "undisturbed"
    report = done(*arguments(undisturbed), "--json")
    assert partial(undisturbed) == [] and report["tables"]["evidence"] > 30
    expected = digest(undisturbed)
    for number in range(12):
        folder = tmp_path / f"export{number}"
        process = subprocess.Popen(
            [str(binary()), *map(str, arguments(folder))], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        time.sleep(0.01 * number)
        process.send_signal(signal.SIGKILL)
        process.wait(STOP_SECONDS_MAX)
        if folder.exists() and any(folder.iterdir()) and not partial(folder):
            # It was faster than the kill.
            assert digest(folder) == expected
            continue
        assert done(*arguments(folder), "--json") == report
        assert digest(folder) == expected
    full = run(*arguments(tmp_path / "full"), preexec_fn=limit_files)
    assert full.returncode == 1, full
    assert "export_disk_full" in full.stderr and "run the same command again" in full.stderr
    assert partial(tmp_path / "full")
    other = "ndjson" if form == "csv" else "csv"
    refused = run("export", tmp_path / "full", "--database", database, "--format", other)
    assert refused.returncode == 1 and "export_folder_in_use" in refused.stderr
    done(*arguments(tmp_path / "full"), "--json")
    assert digest(tmp_path / "full") == expected


def test_an_import_that_is_killed_leaves_an_empty_database(store, postgresql, tmp_path):
    database = filled_database(store, tmp_path)
    folder = tmp_path / "export"
    report = done("export", folder, "--database", database, "--json")
    for target in (postgresql.url, f"sqlite:{tmp_path}/new.db"):
        for number in range(6):
            process = subprocess.Popen(
                [str(binary()), "import", str(folder), "--database", target],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            time.sleep(0.02 * number)
            process.send_signal(signal.SIGKILL)
            process.wait(STOP_SECONDS_MAX)
        completed = run("import", folder, "--database", target, "--json")
        # An import that was faster than the kill is complete.
        assert completed.returncode == 0 or "database_not_empty" in completed.stderr, completed
        back = tmp_path / ("back-postgresql" if target.startswith("postgres") else "back-sqlite")
        assert done("export", back, "--database", target, "--json") == report
        assert digest(back) == digest(folder)


def test_wrong_uses_are_refused_with_a_reason(store, tmp_path):
    database = filled_database(store, tmp_path, accounts=1)
    missing = run("export", tmp_path / "a", "--database", f"sqlite:{tmp_path}/none.db")
    assert missing.returncode != 0 and "database_not_found" in missing.stderr
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "file").write_text("")
    used = run("export", tmp_path / "used", "--database", database)
    assert used.returncode == 1 and "export_folder_in_use" in used.stderr
    done("export", tmp_path / "b", "--database", database, "--json")
    again = run("export", tmp_path / "b", "--database", database)
    assert again.returncode == 1 and "export_finished" in again.stderr
    # A copy with a missing schema step: an export never migrates it.
    shutil.copy(tmp_path / "perennial.db", tmp_path / "old.db")
    with sqlite3.connect(tmp_path / "old.db") as old:
        old.execute("DELETE FROM grdb_migrations WHERE identifier = (SELECT max(identifier) FROM grdb_migrations)")
        before = list(old.iterdump())
    old.close()
    outdated = run("export", tmp_path / "c", "--database", f"sqlite:{tmp_path}/old.db")
    assert outdated.returncode == 1 and "storage_schema_outdated" in outdated.stderr
    with sqlite3.connect(tmp_path / "old.db") as old:
        assert list(old.iterdump()) == before
    old.close()
    full = run("import", tmp_path / "b", "--database", database)
    assert full.returncode == 1 and "database_not_empty" in full.stderr
    with open(tmp_path / "b" / "events.ndjson", "a") as file:
        file.write("{}\n")
    damaged = run("import", tmp_path / "b", "--database", f"sqlite:{tmp_path}/new.db")
    assert damaged.returncode == 1 and "export_damaged" in damaged.stderr and "events.ndjson" in damaged.stderr


def test_readable_files_have_what_the_api_answers(store, tmp_path):
    path = tmp_path / "perennial.db"
    server = SubscriptionServer(tmp_path / "serve.log", store.url, path)
    users = ["=1+1", "u,\"2\"", "u_é\n3", "-4"]
    for user in users:
        server.submit(user, store.buy(store.new_account(), "pro.monthly")["signedTransactionInfo"])
    server.submit("u_5", store.buy(store.new_account(), "coins.100")["signedTransactionInfo"])
    store.advance("P3M")
    database = f"sqlite:{path}"
    tables = ("customers", "purchases", "evidence", "events")
    report = {}
    for form in ("ndjson", "csv"):
        report[form] = done("export", tmp_path / form, "--database", database, "--format", form, "--json")
        assert sorted(file.name for file in (tmp_path / form).iterdir()) == sorted(f"{name}.{form}" for name in tables)
    assert report["csv"] == report["ndjson"] and report["csv"]["tables"]["customers"] == 5
    rows = {name: lines(tmp_path / "ndjson", name) for name in tables}
    events = server.get("/v1/events", limit=1000)["data"]
    assert [{key: event[key] for key in event if key != "app_id"} for event in rows["events"]] == events
    assert {row["app_user_id"] for row in rows["customers"]} == {*users, "u_5"}
    for purchase in rows["purchases"]:
        customer = server.get(f"/v1/customers/{quote(purchase['app_user_id'], safe='')}")
        [shown] = [*customer["subscriptions"], *customer["purchases"]]
        for key in ("id", "product_id", "gives_access", "price", "currency", "current_period_ends_at"):
            assert purchase.get(key) == shown.get(key), key
    notifications = {notification["id"]: notification for notification in server.notifications()}
    found = [row for row in rows["evidence"] if row["kind"] == "notification"]
    assert len(found) == len(notifications) > 10
    assert all(row["signed_payload"].count(".") == 2 for row in rows["evidence"])
    server.stop()
    for name in tables:
        with open(tmp_path / "csv" / f"{name}.csv", newline="", encoding="utf-8") as file:
            table = list(csv.DictReader(file, strict=True))
        assert len(table) == len(rows[name])
        for row, expected in zip(table, rows[name]):
            for key, value in row.items():
                value = value.removeprefix("'")
                wanted = expected.get(key)
                text = "" if wanted is None else wanted if isinstance(wanted, str) else json.dumps(
                    wanted, separators=(",", ":"), ensure_ascii=False)
                assert value == text, (name, key)
    with open(tmp_path / "csv" / "customers.csv", encoding="utf-8") as file:
        assert "'=1+1" in file.read()
    again = run("export", tmp_path / "csv", "--database", database, "--format", "csv")
    assert again.returncode == 1 and "export_finished" in again.stderr


def test_an_export_names_an_input_whose_identifier_cannot_be_read(store, tmp_path):
    database = filled_database(store, tmp_path, accounts=2)
    with sqlite3.connect(tmp_path / "perennial.db") as connection:
        connection.execute("UPDATE evidence SET evidence_id = x'ff' WHERE sequence = 4")
    for name, form in (("csv", ["--format", "csv"]), ("ndjson", ["--format", "ndjson"]), ("archive", [])):
        refused = run("export", tmp_path / name, "--database", database, *form)
        assert refused.returncode == 1, refused
        assert "storage_corrupt: The row of the signed input of app com.example.perennial/" in refused.stderr
        assert "with sequence number 4 cannot be read" in refused.stderr


@pytest.mark.parametrize("form", ["csv", "ndjson"])
# A remainder that cannot be decompressed, and one without anything about a purchase.
@pytest.mark.parametrize("content", ["03ff", "2e6533302e4141"])
def test_a_readable_export_names_an_input_that_cannot_be_read(store, tmp_path, form, content):
    database = filled_database(store, tmp_path, accounts=2)
    with sqlite3.connect(tmp_path / "perennial.db") as connection:
        [[whole]] = connection.execute("SELECT remainder FROM evidence WHERE sequence = 4").fetchall()
        connection.execute(f"UPDATE evidence SET remainder = x'{content}' WHERE sequence = 4")
    refused = run("export", tmp_path / "tables", "--database", database, "--format", form)
    assert refused.returncode == 1, refused
    assert "storage_corrupt: The signed input " in refused.stderr
    assert "with sequence number 4 cannot be read" in refused.stderr
    assert "Copy its row from a backup" in refused.stderr
    assert any(file.name.endswith(".partial") for file in (tmp_path / "tables").iterdir())
    done("export", tmp_path / "archive", "--database", database, "--json")

    with sqlite3.connect(tmp_path / "perennial.db") as connection:
        connection.execute("UPDATE evidence SET remainder = ? WHERE sequence = 4", (whole,))
    connection.close()
    done("export", tmp_path / "tables", "--database", database, "--format", form, "--json")
    assert not any(file.name.endswith(".partial") for file in (tmp_path / "tables").iterdir())
