"""Existing subscribers from files into a running server, which asks the local store about each."""

import csv
import json
import resource
import signal
import subprocess
import time
from urllib.parse import quote

import pytest

from killed_import import kill_until_done
from local_store import binary
from loopback_ports import reserved_port
from perennial_command import perennial
from subscription_server import SECRET_KEY, SubscriptionServer
from test_postgresql_process import postgresql  # noqa: F401
from test_recovery import database  # noqa: F401

IMPORT_SECONDS_MAX = 300
INTAKE_SECONDS_MAX = 120


@pytest.fixture
def server(store, database, tmp_path):  # noqa: F811
    server = SubscriptionServer(tmp_path / "serve.log", store.url, database)
    yield server
    server.stop()


def sold(store, count):
    """Purchases from before the server: it gets no notification about them."""
    return [store.buy(store.new_account(), "pro.monthly")["originalTransactionId"] for _ in range(count)]


@pytest.fixture
def old_purchases(store, server):
    store.put("notification-endpoint", {"url": None})
    return sold(store, 12)


def import_(server, file, *options, key=SECRET_KEY, **process):
    return subprocess.run(
        [str(binary()), "import", "subscribers", str(file), "--server", server.url, "--json", *options],
        env={"PERENNIAL_API_SECRET_KEY": key}, capture_output=True, text=True, timeout=IMPORT_SECONDS_MAX, check=False,
        **process,
    )


def rejected(file):
    with open(f"{file}.rejected.csv", newline="", encoding="utf-8") as rows:
        return list(csv.DictReader(rows))


def expect_access(server, users):
    for user in users:
        entitlements = server.get(f"/v1/customers/{quote(user, safe='')}")["entitlements"]
        assert [value["active"] for value in entitlements.values()] == [True], (user, entitlements)


def events(server):
    return server.get("/v1/events", limit=1000)["data"]


@pytest.mark.parametrize(
    ("form", "database"),
    [
        ("plain", "sqlite"), ("plain", "postgresql"), ("windows", "sqlite"), ("revenuecat", "sqlite"),
        ("ndjson", "sqlite"), ("capitals", "sqlite"), ("semicolons", "sqlite"),
    ],
    indirect=["database"],
)
def test_each_form_of_a_file_gives_its_users_their_purchases(server, old_purchases, tmp_path, form):
    rows = [(f"u_{number}", purchase) for number, purchase in enumerate(old_purchases)]
    file = tmp_path / "users"
    text = {
        "plain": "user,original_transaction_id\n" + "".join(f"{user},{purchase}\n" for user, purchase in rows),
        "windows": "\ufeff\"User\",\"Original_Transaction_Id\"\r\n"
                   + "\r\n".join(f'"{user}","{purchase}"' for user, purchase in rows),
        "revenuecat": "rc_original_app_user_id,country,store,original_store_transaction_id\n"
                      + "".join(f"{user},US,app_store,{purchase}\n" for user, purchase in rows)
                      + "u_play,US,play_store,GPA.1\n",
        "ndjson": "".join(
            json.dumps({"app_id": "a", "customer_id": user, "original_transaction_id": purchase}) + "\n"
            for user, purchase in rows
        ),
        "capitals": "".join(
            json.dumps({"User": user, "Transaction_ID": int(purchase)}) + "\n" for user, purchase in rows
        ),
        "semicolons": "\"user\";\"transaction_id\"\n" + "".join(f'"{user}";"{purchase}"\n' for user, purchase in rows),
    }[form]
    file.write_bytes(text.encode())
    checked = import_(server, file, "--dry-run")
    assert json.loads(checked.stdout)["valid"] == 12 and checked.returncode == 0, checked
    assert events(server) == []
    completed = import_(server, file)
    assert completed.returncode == 0, completed
    expected = {"dry_run": False, "imported": 12, "rejected": 0, "skipped": 1 if form == "revenuecat" else 0}
    assert json.loads(completed.stdout) == expected
    expect_access(server, [user for user, _ in rows])
    before = events(server)
    assert sum(event["type"] == "subscription.started" for event in before) == 12
    # Again: nothing twice.
    assert json.loads(import_(server, file).stdout) == expected
    assert events(server) == before
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("users")) == ["users"]


def exported(database, folder, form):
    """The file of purchases of an export."""
    done = perennial("export", folder, "--database", database, "--format", form)
    assert done.status == 0, done
    return folder / f"purchases.{'csv' if form == 'csv' else 'ndjson'}"


def owners(database, folder):
    """The customer of each purchase; None without one."""
    lines = exported(database, folder, "ndjson").read_text(encoding="utf-8").splitlines()
    return {row["id"]: row.get("app_user_id") for row in map(json.loads, lines)}


@pytest.mark.parametrize("form", ["csv", "ndjson", "archive"])
def test_the_purchases_of_an_export_go_to_the_same_users_of_a_new_server(store, server, tmp_path, form):
    for user in ["=1+1", "-4", "'=1", "''-4", " u_5 ", "u,\"6\"", "u_é\n7"]:
        server.submit(user, store.buy(store.new_account(), "pro.monthly")["signedTransactionInfo"])
    server.submit("u_8", store.buy(store.new_account(), "coins.100")["signedTransactionInfo"])
    unclaimed = store.buy(store.new_account(), "pro.monthly")["originalTransactionId"]
    deadline = time.monotonic() + INTAKE_SECONDS_MAX
    while not server.call("GET", f"/v1/purchases/{unclaimed}").ok:
        assert time.monotonic() < deadline, "the notification about the purchase has not arrived"
        time.sleep(0.1)
    server.stop()
    before = owners(f"sqlite:{tmp_path}/perennial.db", tmp_path / "before")
    assert len(before) == 9 and before[unclaimed] is None
    file = exported(f"sqlite:{tmp_path}/perennial.db", tmp_path / "export", form)
    new = SubscriptionServer(
        tmp_path / "new.log",
        store.url,
        tmp_path / "new.db",
        # Apple's notification history would tell of the purchases too.
        environment={"PERENNIAL_RECOVERY_ENABLED": "false"},
    )
    try:
        completed = import_(new, file)
        assert completed.returncode == 0, completed
        assert json.loads(completed.stdout) == {"dry_run": False, "imported": 8, "rejected": 0, "skipped": 1}
    finally:
        new.stop()
    after = owners(f"sqlite:{tmp_path}/new.db", tmp_path / "after")
    assert after == {purchase: user for purchase, user in before.items() if user is not None}


def test_other_files_of_an_export_are_rejected(server, old_purchases, tmp_path):
    rows = "".join(f"u_{number},{purchase}\n" for number, purchase in enumerate(old_purchases))
    (tmp_path / "users.csv").write_text("user,transaction_id\n" + rows)
    assert import_(server, tmp_path / "users.csv").returncode == 0
    server.stop()
    for form in ("ndjson", "archive"):
        purchases = exported(f"sqlite:{tmp_path}/perennial.db", tmp_path / form, form)
        for table in ("customers", "evidence"):
            checked = perennial("import", "subscribers", purchases.parent / f"{table}.ndjson", "--dry-run", "--json")
            counts = checked.json
            assert checked.status == 1 and counts["rejected"] > 0, (form, table, checked)
            assert counts["valid"] == counts["skipped"] == 0, (form, table, checked)
            assert "columns_missing" in checked.stderr and "--user-column" in checked.stderr


def test_an_import_says_that_the_server_does_not_answer(tmp_path):
    file = tmp_path / "users.csv"
    file.write_text("user,transaction_id\nu_1,2000000000000001\n")
    importing = subprocess.Popen(
        [str(binary()), "import", "subscribers", str(file), "--server", f"http://127.0.0.1:{reserved_port()}"],
        env={"PERENNIAL_API_SECRET_KEY": SECRET_KEY}, stderr=subprocess.PIPE, text=True,
    )
    try:
        line = importing.stderr.readline()
    finally:
        importing.kill()
        importing.communicate()
    assert line.startswith("waiting 1 s: server_unreachable: ") and "check --server" in line, line


def test_an_import_without_events_gives_access_and_no_event(server, store, old_purchases, tmp_path):
    file = tmp_path / "users.csv"
    file.write_text("user,transaction_id\n" + "".join(f"u_{i},{id}\n" for i, id in enumerate(old_purchases)))
    completed = import_(server, file, "--events", "none")
    assert json.loads(completed.stdout)["imported"] == 12, completed
    expect_access(server, [f"u_{number}" for number in range(12)])
    assert events(server) == []
    store.put("notification-endpoint", {"url": f"{server.url}/v1/apple/notifications", "version": "V2"})
    store.advance("P32D")
    assert sum(event["type"] == "subscription.renewed" for event in events(server)) == 12


@pytest.mark.parametrize("column", ["transaction_id", "original_transaction_id"])
def test_an_import_after_four_months_has_every_renewal_in_the_feed(start_store, tmp_path, column):
    store = start_store(environment="production")
    accounts = [store.new_account() for _ in range(6)]
    purchases = [store.buy(account, "pro.monthly")["originalTransactionId"] for account in accounts]
    for _ in range(4):
        store.advance("P31D")
    server = SubscriptionServer(
        tmp_path / "late.log",
        store.url,
        tmp_path / "late.db",
        # Apple's notification history would tell the same.
        environment={"PERENNIAL_RECOVERY_ENABLED": "false"},
    )
    try:
        file = tmp_path / "users.csv"
        rows = [f"u_{number},{purchase}" for number, purchase in enumerate(purchases)]
        file.write_text("\n".join([f"user,{column}", *rows, ""]))
        done = import_(server, file, "--events", "backfill")
        assert done.returncode == 0, done.stderr
        store.advance("PT5M")
        kinds = [event["type"] for event in events(server)]
        assert kinds.count("subscription.started") == 6
        assert kinds.count("subscription.renewed") == 6 * 4
        # The subscriptions were never over.
        assert not {"subscription.expired", "subscription.entered_billing_retry"} & set(kinds), kinds
        transactions = {
            transaction["transactionId"]
            for account in accounts
            for transaction in store.get(f"accounts/{account}")["transactions"]
        }
        # The first period is a free trial.
        paid = transactions - set(purchases)
        assert {event["transaction_id"] for event in events(server) if event["price"]} == paid
    finally:
        server.stop()


def test_bad_rows_are_listed_with_their_reasons_and_the_others_are_imported(server, old_purchases, tmp_path):
    file = tmp_path / "users.csv"
    file.write_bytes(
        b"user,original_transaction_id\n"
        + f"u_1,{old_purchases[0]}\n".encode()
        + b"u_2,999999999999\n"
        + b",2000000000000001\n"
        + b"u_4,2E+15\n"
        + b"u_5\n"
        + b"u\"6,2\n"
        + b"\xff,3\n"
        + f"u_8,{old_purchases[0]}\n".encode()
        + f"u_9,{old_purchases[1]}\n".encode()
        + f"u_9,{old_purchases[1]}\n".encode()
        + b"\"u_10,4\n"
    )
    completed = import_(server, file)
    assert completed.returncode == 1, completed
    assert json.loads(completed.stdout) == {"dry_run": False, "imported": 3, "rejected": 8, "skipped": 0}
    found = rejected(file)
    assert [(row["line"], row["code"]) for row in found] == [
        ("3", "transaction_not_found"), ("4", "user_missing"), ("5", "transaction_malformed"),
        ("6", "field_count_wrong"), ("7", "csv_stray_quote"), ("8", "csv_not_utf8"),
        ("9", "purchase_owned_by_another_customer"), ("12", "csv_unclosed_quote"),
    ]
    assert all(row["reason"] for row in found) and found[0]["user"] == "u_2"
    expect_access(server, ["u_1", "u_9"])


def test_files_and_keys_that_cannot_be_used_are_refused(server, old_purchases, tmp_path):
    file = tmp_path / "users.csv"
    file.write_text(f"member,purchase\nu_1,{old_purchases[0]}\n")
    wrong = import_(server, file)
    assert wrong.returncode == 1 and "--user-column" in wrong.stderr and "member, purchase" in wrong.stderr
    named = import_(server, file, "--user-column", "member", "--transaction-column", "purchase")
    assert json.loads(named.stdout)["imported"] == 1
    unknown = import_(server, file, "--user-column", "member", "--transaction-column", "purchase", key="sk_" + 24 * "0")
    assert unknown.returncode == 1 and "key_invalid" in unknown.stderr
    capitals = tmp_path / "users.ndjson"
    capitals.write_text(json.dumps({"appUserId": "u_1", "originalTransactionId": old_purchases[0]}) + "\n")
    options = ["--user-column", "appUserId", "--transaction-column", "originalTransactionId"]
    assert json.loads(import_(server, capitals, *options).stdout)["imported"] == 1
    missing = import_(server, tmp_path / "none.csv")
    assert missing.returncode == 1 and "input_not_found" in missing.stderr


def test_rejected_rows_have_no_formulas_and_can_be_corrected_and_imported(server, old_purchases, tmp_path):
    users = ["=1+1", "-4", "'=1"]
    file = tmp_path / "users.csv"
    file.write_text("user,transaction_id\n" + "".join(f"{user},2E+15\n" for user in users))
    assert import_(server, file).returncode == 1
    rows = rejected(file)
    assert [row["user"] for row in rows] == ["'=1+1", "'-4", "''=1"]
    corrected = tmp_path / "corrected.csv"
    with open(corrected, "w", newline="", encoding="utf-8") as text:
        writer = csv.DictWriter(text, list(rows[0]))
        writer.writeheader()
        writer.writerows(row | {"transaction_id": purchase} for row, purchase in zip(rows, old_purchases))
    completed = import_(server, corrected)
    assert json.loads(completed.stdout)["imported"] == 3, completed
    expect_access(server, users)


def test_a_dry_run_describes_the_first_bad_rows(tmp_path):
    file = tmp_path / "users.csv"
    file.write_text("user,transaction_id\nu_1,1\n" + 12 * "u_2,2E+15\n")
    checked = perennial("import", "subscribers", file, "--dry-run")
    assert checked.status == 1 and checked.stdout == "1 valid, 12 rejected, 0 skipped\n", checked
    described = checked.stderr.splitlines()
    assert len(described) == 11
    assert all(line.startswith(f"line {number}: transaction_malformed: A transaction id has digits only.")
               for number, line in enumerate(described[:10], start=3))
    assert described[10].startswith("rejected rows that are not shown here: 2.")
    assert described[10].endswith(f"{file}.rejected.csv")
    assert not (tmp_path / "users.csv.rejected.csv").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"us\"er;transaction_id\nu_1;1\n", "has no column names that can be read (csv_stray_quote)"),
        ("user,transaction_id\nu_1,1\n".encode("utf-16"), "has no column names that can be read (csv_zero_byte)"),
        (b"u_1,2000000000000001\n", "add a line with the names"),
        (b"", "is empty"),
    ],
)
def test_a_file_without_names_of_columns_is_refused_as_a_whole(tmp_path, text, message):
    file = tmp_path / "users.csv"
    file.write_bytes(text)
    checked = perennial("import", "subscribers", file, "--dry-run", "--json")
    assert checked.status == 1 and checked.stdout == "", checked
    assert checked.stderr.startswith("error: input_") and message in checked.stderr


def test_a_killed_import_continues_and_rejects_no_row_twice(server, store, old_purchases, tmp_path):
    purchases = old_purchases + sold(store, 148)
    file = tmp_path / "users.csv"
    rows = [f"u_{number},{purchase}\n,{purchase}\n" for number, purchase in enumerate(purchases)]
    file.write_text("user,original_transaction_id\n" + "".join(rows))
    arguments = [str(binary()), "import", "subscribers", str(file), "--server", server.url, "--connections", "2"]
    environment = {"PERENNIAL_API_SECRET_KEY": SECRET_KEY}
    assert kill_until_done(arguments, environment, tmp_path / "users.csv.import.json", server) > 0
    lines = [int(row["line"]) for row in rejected(file)]
    assert lines == list(range(3, 2 * len(purchases) + 2, 2))
    expect_access(server, [f"u_{number}" for number in range(len(purchases))])
    assert sum(event["type"] == "subscription.started" for event in events(server)) == len(purchases)
    assert not (tmp_path / "users.csv.import.json").exists()


def test_an_import_beside_a_full_disk_says_so_and_continues(server, tmp_path):
    file = tmp_path / "users.csv"
    file.write_text("user,original_transaction_id\n" + 2_000 * "u_1,not a number\n")

    def limit_files():
        # A write beyond the limit fails as on a full disk.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    full = import_(server, file, preexec_fn=limit_files)
    assert full.returncode == 1 and "import_not_written" in full.stderr, full
    completed = import_(server, file)
    assert json.loads(completed.stdout) == {"dry_run": False, "imported": 0, "rejected": 2_000, "skipped": 0}
    assert [int(row["line"]) for row in rejected(file)] == list(range(2, 2_002))


def test_a_million_bad_rows_are_read_with_bounded_memory(server, tmp_path):
    file = tmp_path / "users.csv"
    with open(file, "w", encoding="utf-8") as rows:
        rows.write("user,original_transaction_id\n")
        for number in range(1_000_000):
            rows.write(f"u_{number},not a number\n")
    start = time.monotonic()
    process = subprocess.Popen(
        [str(binary()), "import", "subscribers", str(file), "--dry-run", "--json"], stdout=subprocess.PIPE, text=True
    )
    output, peak = "", 0
    while process.poll() is None:
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            peak = max([peak, *(int(line.split()[1]) for line in status if line.startswith("VmRSS"))])
        time.sleep(0.1)
    output = process.stdout.read()
    process.stdout.close()
    assert json.loads(output) == {"dry_run": True, "valid": 0, "rejected": 1_000_000, "skipped": 0}
    print(f"{time.monotonic() - start:.1f} seconds, {peak} kB")
    assert 0 < peak < 200_000
