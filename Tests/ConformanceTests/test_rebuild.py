"""`perennial rebuild` finds and repairs damaged rows while a server runs on SQLite and on PostgreSQL."""

import contextlib
import json
import signal
import sqlite3
import subprocess
import threading

import pytest
import requests

from local_store import CALL_SECONDS_MAX, REPOSITORY, binary
from perennial_command import perennial
from subscription_server import SECRET_KEY, SubscriptionServer
from test_postgresql_process import postgresql  # noqa: F401

ACCOUNTS = 8


class SQLiteFile:
    """The database file, which the test changes beside the server."""

    def __init__(self, folder):
        self.address = folder / "perennial.db"

    @property
    def option(self):
        return f"sqlite:{self.address}"

    def run(self, statement):
        with contextlib.closing(sqlite3.connect(self.address, timeout=30)) as connection, connection:
            return connection.execute(statement).rowcount


class PostgreSQLDatabase:
    """The database of a PostgreSQL server."""

    def __init__(self, server):
        self._server = server
        self.address = self.option = server.url

    def run(self, statement):
        return int(self._server.query(f"WITH changed AS ({statement} RETURNING 1) SELECT count(*) FROM changed"))

    def execute(self, statement):
        self._server.query(statement)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    if request.param == "sqlite":
        return SQLiteFile(tmp_path)
    return PostgreSQLDatabase(request.getfixturevalue("postgresql"))


@pytest.fixture
def server(store, database, tmp_path):
    server = SubscriptionServer(tmp_path / "serve.log", store.url, database.address)
    yield server
    server.stop()


def rebuild(database, *arguments):
    """Runs the command and returns its status, the differences, and the counts."""
    ended = perennial("rebuild", *arguments, "--json", "--database", database.option)
    assert ended.status in (0, 1) and ended.stdout, ended
    *differences, counts = [json.loads(line) for line in ended.stdout.splitlines()]
    return ended.status, differences, counts


def buy(store, server):
    accounts = [store.new_account() for _ in range(ACCOUNTS)]
    purchases = {}
    for account in accounts:
        bought = store.buy(account, "pro.monthly")
        server.submit(account, bought["signedTransactionInfo"])
        purchases[account] = bought["originalTransactionId"]
    store.advance("P3M")
    return purchases


def answers(server, accounts):
    """The responses about customers, without what counts changes."""
    found = {}
    for account in accounts:
        customer = server.get(f"/v1/customers/{account}")
        found[account] = {name: customer[name] for name in ("subscriptions", "entitlements", "purchases")}
    return found


DAMAGES = {
    "state_differs": "UPDATE purchases SET state = NULL, next_change_at = NULL WHERE original_transaction_id = '{}'",
    "due_time_differs": (
        "UPDATE purchases SET next_change_at = next_change_at + 86400000 WHERE original_transaction_id = '{}'"
    ),
    "fact_missing": "UPDATE purchases SET facts = NULL WHERE original_transaction_id = '{}'",
    "purchase_unreadable": "UPDATE purchases SET facts = {blob} WHERE original_transaction_id = '{}'",
    "owner_differs": "UPDATE purchases SET customer_id = 'somebody' WHERE original_transaction_id = '{}'",
}


@pytest.mark.parametrize("code", DAMAGES)
def test_a_damaged_row_is_found_and_repaired_while_the_server_runs(store, server, database, code):
    purchases = buy(store, server)
    before = answers(server, purchases)
    status, differences, counts = rebuild(database, "--verify")
    assert (status, differences, counts["differences"]) == (0, [], 0)
    assert counts["purchases"] == ACCOUNTS and counts["facts"] > 3 * ACCOUNTS

    damaged = list(purchases.values())[3]
    blob = "x'ff00'" if isinstance(database, SQLiteFile) else "'\\xff00'"
    statement = DAMAGES[code].replace("{blob}", blob).format(damaged)
    assert database.run(statement) == 1
    status, differences, counts = rebuild(database, "--verify")
    assert status == 1 and counts["differences"] == len(differences) > 0
    assert {difference["purchase"] for difference in differences} == {damaged}
    assert code in {difference["code"] for difference in differences}
    assert rebuild(database, "--verify")[1] == differences
    if code == "purchase_unreadable":
        (unreadable,) = [difference for difference in differences if difference["code"] == code]
        assert unreadable["stored"] == "facts, a state or a reason for the owner that cannot be read"
        assert unreadable["derived"] == "the facts of its signed inputs, and a state from them"

    status, found, counts = rebuild(database, "--apply")
    assert (status, counts["repaired_purchases"], counts["remaining"]) == (0, 1, 0), found
    # A purchase is repaired with its first differences.
    assert {difference["code"] for difference in found} <= {difference["code"] for difference in differences}
    assert rebuild(database, "--verify")[0] == 0
    assert answers(server, purchases) == before

    store.advance("P2M")
    assert rebuild(database, "--verify")[0] == 0
    assert all(entitlement["active"] for answer in answers(server, purchases).values()
               for entitlement in answer["entitlements"].values())


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_verification_changes_no_row(store, server, database):
    def rows():
        with contextlib.closing(sqlite3.connect(database.address)) as connection:
            return list(connection.iterdump())

    purchases = list(buy(store, server).values())
    server.stop()
    whole = rows()
    assert rebuild(database, "--verify")[0] == 0
    assert rows() == whole
    for number, code in enumerate(DAMAGES):
        statement = DAMAGES[code].replace("{blob}", "x'ff00'").format(purchases[number])
        assert database.run(statement) == 1
    damaged = rows()
    assert damaged != whole
    status, differences, _ = rebuild(database, "--verify")
    assert status == 1
    assert {difference["purchase"] for difference in differences} == set(purchases[: len(DAMAGES)])
    assert rows() == damaged


def test_the_tables_beside_the_purchases_are_compared(store, server, database):
    buy(store, server)
    assert database.run("DELETE FROM transaction_ids WHERE 1 = 1") > ACCOUNTS
    assert database.run("DELETE FROM sold_products WHERE 1 = 1") == 1
    app = "(SELECT min(app_id) FROM purchases)"
    assert database.run(
        "INSERT INTO unknown_notifications (app_id, type, subtype, count, last_received_at) "
        f"VALUES ({app}, 'INVENTED', '', 2, 1770000000000)"
    ) == 1
    status, differences, counts = rebuild(database, "--verify")
    assert status == 1 and counts["differences"] == len(differences)
    assert {difference["code"] for difference in differences} == {
        "transaction_index_differs", "sold_product_differs", "unknown_notifications_differ"
    }
    assert {difference.get("product") for difference in differences} == {None, "pro.monthly"}

    # The count belongs to no purchase.
    status, found, counts = rebuild(database, "--apply")
    assert (status, counts["remaining"]) == (1, 1)
    assert [difference["code"] for difference in found if "remains" in difference] == ["unknown_notifications_differ"]
    ended = perennial("rebuild", "--apply", "--database", database.option)
    assert "not repaired: the count belongs to no purchase" in ended.stdout + ended.stderr
    assert database.run("DELETE FROM unknown_notifications WHERE type = 'INVENTED'") == 1
    assert rebuild(database, "--verify")[0] == 0


def test_a_lost_row_is_derived_again_with_its_owner_and_timeline(store, server, database):
    purchases = buy(store, server)
    account, purchase = list(purchases.items())[2]
    before = answers(server, purchases)
    timeline = server.get(f"/v1/customers/{account}/timeline")
    assert database.run(f"DELETE FROM purchases WHERE original_transaction_id = '{purchase}'") == 1
    assert server.get(f"/v1/customers/{account}")["entitlements"] == {}
    status, differences, _ = rebuild(database, "--verify")
    codes = {difference["code"] for difference in differences}
    assert status == 1 and codes == {"fact_missing", "transaction_index_differs"}
    assert rebuild(database, "--apply")[0] == 0
    assert answers(server, purchases) == before
    assert server.get(f"/v1/customers/{account}/timeline") == timeline


def test_a_response_is_not_cached_beyond_a_repair(store, server, database):
    purchases = buy(store, server)
    account, purchase = list(purchases.items())[0]
    url = f"{server.url}/v1/customers/{account}/entitlements"
    headers = {"Authorization": f"Bearer {SECRET_KEY}"}
    database.run(DAMAGES["state_differs"].format(purchase))
    damaged = requests.get(url, headers=headers, timeout=CALL_SECONDS_MAX)
    assert damaged.json()["entitlements"] == {}
    headers["If-None-Match"] = damaged.headers["ETag"]
    assert requests.get(url, headers=headers, timeout=CALL_SECONDS_MAX).status_code == 304
    assert rebuild(database, "--apply")[0] == 0
    repaired = requests.get(url, headers=headers, timeout=CALL_SECONDS_MAX)
    assert repaired.status_code == 200
    assert [entitlement["active"] for entitlement in repaired.json()["entitlements"].values()] == [True]


def test_nothing_differs_while_notifications_arrive(store, server, database):
    buy(store, server)
    ended = threading.Event()
    failures = []

    def verify():
        while not ended.is_set():
            status, differences, _ = rebuild(database, "--verify")
            if status != 0:
                failures.append(differences)

    verifying = threading.Thread(target=verify)
    verifying.start()
    try:
        for _ in range(20):
            store.advance("P10D")
            account = store.new_account()
            server.submit(account, store.buy(account, "pro.monthly")["signedTransactionInfo"])
    finally:
        ended.set()
        verifying.join()
    assert failures == []
    assert rebuild(database, "--verify")[0] == 0


def test_a_killed_repair_leaves_whole_purchases_and_the_next_one_finishes(store, server, database):
    purchases = buy(store, server)
    before = answers(server, purchases)
    cleared = database.run("UPDATE purchases SET facts = NULL, state = NULL, next_change_at = NULL WHERE 1 = 1")
    assert cleared == ACCOUNTS
    for seconds in (0.05, 0.2, 0.5):
        process = subprocess.Popen(
            [binary(), "rebuild", "--apply", "--json", "--database", database.option],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        _, differences, _ = rebuild(database, "--verify")
        assert {difference["purchase"] for difference in differences} <= set(purchases.values())
    status, _, counts = rebuild(database, "--apply")
    assert (status, counts["remaining"]) == (0, 0)
    assert answers(server, purchases) == before


def test_facts_of_the_first_version_are_completed(tmp_path):
    database = SQLiteFile(tmp_path)
    dump = REPOSITORY / "Fixtures" / "databases" / "first-version-sqlite.sql"
    with contextlib.closing(sqlite3.connect(database.address)) as connection:
        connection.executescript(dump.read_text())
    assert perennial("migrate", "--database", database.option).status == 0

    status, differences, _ = rebuild(database, "--verify")
    assert status == 1
    assert {difference["code"] for difference in differences} == {"fact_differs", "state_differs", "due_time_differs"}
    facts = [difference for difference in differences if difference["code"] == "fact_differs"]
    assert [(fact["stored"], fact["derived"]) for fact in facts] == [
        ("chargeID: none", f"chargeID: 300000000000000{number}") for number in (2, 1, 4)
    ]

    status, _, counts = rebuild(database, "--apply")
    assert (status, counts["repaired_purchases"], counts["remaining"]) == (0, 2, 0)
    status, differences, _ = rebuild(database, "--verify")
    assert (status, differences) == (0, [])


# A remainder that cannot be decompressed, and one that is read as the payload {}, in which nothing is about a purchase.
UNREADABLE = {"damaged": "03ff", "foreign": "2e6533302e4141"}


def spoil(database, content, where="1 = 1"):
    """Makes signed inputs unreadable. A copy of the table stays in `spoiled`. Returns how many there are."""
    blob = f"x'{content}'" if isinstance(database, SQLiteFile) else f"'\\x{content}'"
    if isinstance(database, SQLiteFile):
        database.run("CREATE TABLE spoiled AS SELECT position AS place, remainder AS whole FROM evidence")
    else:
        database.execute("CREATE TABLE spoiled AS SELECT app_id || sequence AS place, remainder AS whole FROM evidence")
    return database.run(f"UPDATE evidence SET remainder = {blob} WHERE {where}")


def restore(database):
    place = "position" if isinstance(database, SQLiteFile) else "app_id || sequence"
    whole = f"(SELECT whole FROM spoiled WHERE place = {place})"
    database.run(f"UPDATE evidence SET remainder = {whole} WHERE {place} IN (SELECT place FROM spoiled)")


def events(server):
    """The events without what the server finds out about itself."""
    found = server.get("/v1/events", limit=1000)["data"]
    return [event for event in found if not event["type"].startswith("recovery.")]


@pytest.mark.parametrize("content", UNREADABLE)
def test_unreadable_evidence_takes_access_from_nobody(store, server, database, content):
    purchases = buy(store, server)
    before, announced = answers(server, purchases), events(server)
    spoiled = spoil(database, UNREADABLE[content])
    assert spoiled > 2 * ACCOUNTS
    status, differences, counts = rebuild(database, "--verify")
    assert status == 1 and counts["differences"] == len(differences) == counts["inputs"] == spoiled
    assert {difference["code"] for difference in differences} == {"evidence_unreadable"}
    assert len({difference["evidence"] for difference in differences}) == spoiled
    for difference in differences:
        assert difference["stored"].startswith("an input that cannot be read (")
        assert "from a backup" in difference["remedy"] and "derived" not in difference

    status, found, counts = rebuild(database, "--apply")
    assert (status, counts["repaired_purchases"], counts["remaining"]) == (1, 0, spoiled)
    assert [difference for difference in found if "remains" not in difference] == differences
    assert rebuild(database, "--verify")[1] == differences
    assert answers(server, purchases) == before
    assert all(entitlement["active"] for answer in before.values() for entitlement in answer["entitlements"].values())
    assert events(server) == announced
    ended = perennial("rebuild", "--apply", "--database", database.option)
    output = ended.stdout + ended.stderr
    assert ended.status == 1 and differences[0]["evidence"] in output
    assert "not repaired: only a backup has the input; copy the row of this input from a backup" in output

    restore(database)
    assert rebuild(database, "--verify")[:2] == (0, [])


def test_a_repair_beside_unreadable_evidence_repairs_what_it_can(store, server, database):
    purchases = buy(store, server)
    before = answers(server, purchases)
    lost, unreadable, both = list(purchases.values())[:3]
    where = f"original_transaction_id IN ('{unreadable}', '{both}')"
    spoiled = spoil(database, UNREADABLE["damaged"], where)
    assert spoiled > 2
    cleared = f"UPDATE purchases SET facts = NULL WHERE original_transaction_id IN ('{lost}', '{both}')"
    assert database.run(cleared) == 2
    status, found, counts = rebuild(database, "--apply")
    assert (status, counts["repaired_purchases"]) == (1, 1), found
    left = [difference for difference in found if "remains" in difference]
    assert len(left) == counts["remaining"] >= spoiled
    assert [difference for difference in left if difference["code"] == "evidence_unreadable"]
    assert {difference.get("purchase") for difference in left} <= {None, unreadable, both}
    after = answers(server, purchases)
    for account, purchase in purchases.items():
        assert after[account]["entitlements"] == before[account]["entitlements"], purchase

    restore(database)
    assert rebuild(database, "--apply")[0] == 0
    assert answers(server, purchases) == before


def test_unreadable_evidence_is_reported_with_its_number(store, server, database):
    buy(store, server)
    where = "position % 1099511627776 = 4" if isinstance(database, SQLiteFile) else "sequence = 4"
    assert spoil(database, UNREADABLE["damaged"], where) == 1
    status, differences, counts = rebuild(database, "--verify")
    assert status == 1 and counts["differences"] == len(differences) == 1
    assert differences[0]["code"] == "evidence_unreadable" and differences[0]["sequence"] == 4
    ended = perennial("rebuild", "--verify", "--database", database.option)
    assert f" evidence {differences[0]['evidence']} sequence 4: " in ended.stdout + ended.stderr


def test_an_input_with_a_damaged_kind_is_reported_with_its_identifier(store, server, database):
    buy(store, server)
    where = "position % 1099511627776 = 4" if isinstance(database, SQLiteFile) else "sequence = 4"
    assert database.run(f"UPDATE evidence SET kind = 'damaged' WHERE {where}") == 1
    _, [difference], _ = rebuild(database, "--verify")
    assert difference["code"] == "evidence_unreadable" and difference["sequence"] == 4
    assert difference["evidence"].split(":")[0] in ("notification", "transaction")


def test_an_answer_that_needs_an_unreadable_input_leads_to_its_name(store, server, database):
    account = list(buy(store, server))[0]
    assert spoil(database, UNREADABLE["damaged"]) > ACCOUNTS
    for path in ("timeline", "export"):
        refused = server.call("GET", f"/v1/customers/{account}/{path}")
        assert refused.status_code == 503
        error = refused.json()["error"]
        assert error["code"] == "storage_corrupt"
        assert "Run perennial rebuild --verify, which names it" in error["message"]
        assert 'operation.md, "Inputs that cannot be read"' in error["message"]
        assert "--apply" not in error["message"]


def unreadable(database):
    return "x'ff00'" if isinstance(database, SQLiteFile) else "'\\xff00'"


def charges(server, purchase=None):
    """Events with a price, of all purchases or of one."""
    return [event for event in events(server)
            if event.get("price") is not None and purchase in (None, event["purchase_id"])]


@pytest.mark.parametrize("is_refunded", [False, True])
@pytest.mark.parametrize("column", ["state", "facts"])
def test_a_repair_keeps_what_can_be_read_of_a_purchase(store, server, database, column, is_refunded):
    purchases = buy(store, server)
    account, purchase = list(purchases.items())[2]
    if is_refunded:
        store.refund(charges(server, purchase)[-1]["transaction_id"])
        store.advance("PT1M")
    before, charged = answers(server, purchases), charges(server)
    newest = (
        "(app_id, sequence) IN (SELECT app_id, sequence FROM evidence "
        f"WHERE original_transaction_id = '{purchase}' ORDER BY sequence DESC LIMIT 1)"
    )
    if isinstance(database, SQLiteFile):
        newest = f"position = (SELECT max(position) FROM evidence WHERE original_transaction_id = '{purchase}')"
    assert spoil(database, UNREADABLE["damaged"], newest) == 1
    where = f"original_transaction_id = '{purchase}'"
    assert database.run(f"UPDATE purchases SET {column} = {unreadable(database)} WHERE {where}") == 1

    status, found, counts = rebuild(database, "--apply")
    left = {difference["code"]: difference for difference in found if "remains" in difference}
    if column == "state":
        # It follows from the facts, which can be read.
        assert (status, counts["repaired_purchases"], list(left)) == (1, 1, ["evidence_unreadable"])
        assert answers(server, purchases) == before
    else:
        # The state shows a period, or a refund, that only the unreadable input has.
        assert (status, counts["repaired_purchases"]) == (1, 0)
        assert set(left) == {"evidence_unreadable", "purchase_unreadable"}
        assert "from a backup" in left["purchase_unreadable"]["remedy"]
        ended = perennial("rebuild", "--apply", "--database", database.option)
        assert "the customer could have less access without it; copy the rows" in ended.stdout + ended.stderr
    entitlements = server.get(f"/v1/customers/{account}/entitlements")["entitlements"]
    assert entitlements == before[account]["entitlements"]
    assert [entitlement["active"] for entitlement in entitlements.values()] == [not is_refunded]
    server.call("POST", f"/v1/customers/{account}/refresh")
    assert charges(server) == charged

    restore(database)
    assert rebuild(database, "--apply")[0] == 0
    assert answers(server, purchases) == before
    store.advance("P1M")
    announced = [(event["type"], event["transaction_id"]) for event in charges(server)]
    assert len(set(announced)) == len(announced) > len(charged)


@pytest.mark.parametrize("is_known", [True, False])
def test_a_purchase_of_which_nothing_can_be_read_is_repaired_if_its_inputs_give_access(
    store, server, database, is_known
):
    purchases = buy(store, server)
    purchase = list(purchases.values())[1]
    before = answers(server, purchases)
    blob, where = unreadable(database), f"original_transaction_id = '{purchase}'"
    if not is_known:
        assert spoil(database, UNREADABLE["damaged"], where) > 2
    assert database.run(f"UPDATE purchases SET facts = {blob}, state = {blob} WHERE {where}") == 1
    status, _, counts = rebuild(database, "--apply")
    assert (status, counts["repaired_purchases"]) == ((0, 1) if is_known else (1, 0))
    if not is_known:
        restore(database)
        assert rebuild(database, "--apply")[0] == 0
    assert answers(server, purchases) == before


def test_a_repair_announces_no_charge_again(store, server, database):
    buy(store, server)
    charged = [event for event in events(server) if event.get("price") is not None]
    assert len(charged) > ACCOUNTS
    assert database.run("UPDATE purchases SET facts = NULL WHERE 1 = 1") == ACCOUNTS
    assert rebuild(database, "--apply")[0] == 0
    cleared = "UPDATE purchases SET facts = NULL, state = NULL, next_change_at = NULL WHERE 1 = 1"
    assert database.run(cleared) == ACCOUNTS
    assert rebuild(database, "--apply")[0] == 0
    assert [event for event in events(server) if event.get("price") is not None] == charged


def test_an_absent_state_is_named_in_plain_text(store, server, database):
    purchase = list(buy(store, server).values())[0]
    assert database.run(DAMAGES["state_differs"].format(purchase)) == 1
    _, differences, _ = rebuild(database, "--verify")
    [state] = [difference for difference in differences if difference["code"] == "state_differs"]
    assert state["stored"] == "no state stored"
    assert f"id: {purchase}, productID: pro.monthly, " in state["derived"]
    assert "SubscriptionState" not in state["derived"] and "Timestamp" not in state["derived"]


def test_the_command_needs_a_choice_and_an_existing_database(tmp_path):
    assert perennial("rebuild").status == 64
    assert perennial("rebuild", "--verify", "--apply").status == 64
    ended = perennial("rebuild", "--verify", "--database", f"sqlite:{tmp_path}/none.db")
    assert ended.status == 78 and "database_not_found" in ended.stderr
    assert not (tmp_path / "none.db").exists()
