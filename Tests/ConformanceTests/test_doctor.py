"""`perennial doctor` finds what is wrong with a server that follows a store, and says what to do."""

import contextlib
import re
import sqlite3
import subprocess

import pytest

from local_store import STOP_SECONDS_MAX, binary
from perennial_command import perennial
from subscription_server import SubscriptionServer
from test_postgresql_process import postgresql  # noqa: F401

CHECKS = {
    "configuration", "store", "database", "disk", "root", "clock", "key", "test_notification", "last_notification",
    "recovery", "sample",
}


on_sqlite = pytest.mark.parametrize("new_database", ["sqlite"], indirect=True)


@pytest.fixture
def database(new_database):
    return new_database()


@pytest.fixture
def update(database, request):
    """Runs an `UPDATE` in the database, and returns the number of changed rows."""

    def run(statement):
        if str(database).startswith("postgres"):
            server = request.getfixturevalue("shared_postgresql")
            counting = f"WITH changed AS ({statement} RETURNING 1) SELECT count(*) FROM changed"
            return int(server.query(counting, database.rsplit("/", 1)[1]))
        with contextlib.closing(sqlite3.connect(database, timeout=30)) as connection, connection:
            return connection.execute(statement).rowcount

    return run


@pytest.fixture
def server(store, database, tmp_path):
    server = SubscriptionServer(tmp_path / "serve.log", store.url, database)
    yield server
    server.stop()


def doctor(store, database, *options):
    """Runs the command and returns its exit status and the findings by check."""
    address = database if str(database).startswith("postgres") else f"sqlite:{database}"
    ended = perennial("doctor", "--json", "--database", address, "--store", store.url, *options)
    assert ended.status in (0, 1), ended
    report = ended.json
    worst = {"problem"} & {finding["status"] for finding in report["findings"]}
    assert (ended.status == 1) == bool(worst) == (report["status"] == "problem"), report
    found = {}
    for finding in report["findings"]:
        has_remedy = finding["status"] in ("warning", "problem")
        assert bool(finding["code"]) == bool(finding["remedy"]) == has_remedy, finding
        found.setdefault(finding["check"], []).append(finding)
    return ended.status, found


def statuses(found):
    return {check: {finding["status"] for finding in findings} for check, findings in found.items()}


def codes(found):
    return {finding["code"] for findings in found.values() for finding in findings if finding["code"]}


def buy(store, server):
    account = store.new_account()
    bought = store.buy(account, "pro.monthly")
    server.submit(account, bought["signedTransactionInfo"])
    return bought["originalTransactionId"]


@on_sqlite
def test_a_new_server_is_all_green(store, server, database):
    status, found = doctor(store, database)
    assert status == 0, found
    assert statuses(found) == {check: {"ok"} for check in CHECKS}, found
    # The same a year later, and the notification was received each time.
    buy(store, server)
    store.advance("P1Y")
    status, found = doctor(store, database)
    assert statuses(found) == {check: {"ok"} for check in CHECKS}, found
    assert [line["type"] for line in server.notifications()].count("TEST") == 2


def test_postgresql_is_all_green_but_its_disk_is_not_checked(store, postgresql, tmp_path):  # noqa: F811
    server = SubscriptionServer(tmp_path / "serve.log", store.url, postgresql.url)
    try:
        buy(store, server)
        status, found = doctor(store, postgresql.url)
        assert status == 0, found
        assert statuses(found) == {check: {"skipped" if check == "disk" else "ok"} for check in CHECKS}, found
        # The store's clock and PostgreSQL's.
        assert len(found["clock"]) == 2
    finally:
        server.stop()


@on_sqlite
def test_a_text_has_a_line_for_each_finding_with_the_remedy_below(store, server, database):
    server.stop()
    ended = perennial("doctor", "--database", f"sqlite:{database}", "--store", store.url)
    assert ended.status == 1
    lines = ended.stdout.splitlines()
    [failed] = [number for number, line in enumerate(lines) if line.startswith("FAIL test_notification ")]
    assert lines[failed + 1].startswith("     Check that the server runs"), ended
    assert lines[-1].startswith("1 problem, "), ended


def test_a_stopped_server_is_found(store, server, database):
    server.stop()
    status, found = doctor(store, database)
    assert status == 1
    assert [line["code"] for line in found["test_notification"]] == ["test_notification_undelivered"]
    assert [line["code"] for line in found["last_notification"]] == ["notification_never"]
    # The store is asked for nothing without a test notification.
    before = len(store.notifications())
    status, found = doctor(store, database, "--no-test-notification")
    assert (status, statuses(found)["test_notification"]) == (0, {"skipped"})
    assert len(store.notifications()) == before


def test_a_missing_url_is_found(store, server, database):
    store.put("notification-endpoint", {"url": None, "version": "V2"})
    status, found = doctor(store, database)
    assert (status, codes(found)) == (1, {"test_notification_no_url", "notification_never"})


def test_notifications_that_never_arrive_are_found_although_all_are_recovered(store, server, database):
    buy(store, server)
    store.put("faults", {"deliveries": [{"fault": "drop", "probability": 1}]})
    # The trial is renewed after 7 days.
    for _ in range(2):
        store.advance("P5D")
    store.advance("PT1H")
    assert len(server.notifications()) == len(store.notifications()) > 1
    status, found = doctor(store, database, "--no-test-notification")
    assert (status, codes(found)) == (0, {"recovery_needed"}), found
    store.put("faults", {})
    store.advance("P8D")
    status, found = doctor(store, database, "--no-test-notification")
    assert (status, codes(found)) == (0, set()), found


def test_a_server_with_another_database_is_found(store, server, database, new_database, tmp_path):
    other = SubscriptionServer(tmp_path / "other.log", store.url, new_database())
    try:
        status, found = doctor(store, database)
        assert (status, codes(found)) == (1, {"test_notification_elsewhere", "notification_never"})
    finally:
        other.stop()


def test_a_damaged_row_is_found(store, server, database, update):
    purchase = buy(store, server)
    assert update("UPDATE purchases SET state = NULL, next_change_at = NULL") == 1
    status, found = doctor(store, database)
    assert (status, codes(found)) == (1, {"sample_differs"})
    assert purchase in found["sample"][0]["message"]


def test_faults_of_the_api_are_found_and_say_nothing_about_keys(store, server, database):
    store.put("faults", {"api": [{"fault": "server_error", "probability": 1}]})
    status, found = doctor(store, database)
    assert (status, codes(found)) == (1, {"test_notification_refused", "notification_never"})
    assert statuses(found)["key"] == {"skipped"}


@on_sqlite
def test_a_missing_database_is_found_and_not_made(store, server, tmp_path):
    missing = tmp_path / "missing.db"
    status, found = doctor(store, missing)
    assert (status, codes(found)) == (1, {"database_not_found"})
    assert not missing.exists()


def test_an_unreachable_store_is_found(store, server, database):
    buy(store, server)
    store.kill()
    status, found = doctor(store, database)
    assert (status, codes(found)) == (1, {"store_unreachable"})
    assert statuses(found)["sample"] == {"ok"}


@on_sqlite
def test_a_database_of_a_store_without_the_store_is_found(store, server, database):
    address = ("--database", f"sqlite:{database}", "--no-test-notification")
    for apps, status in ((), "warning"), (("--app", "com.example.app:1234567890"), "problem"):
        ended = perennial("doctor", "--json", *address, *apps)
        [found] = [finding for finding in ended.json["findings"] if finding["code"] == "database_of_local_store"]
        assert (found["check"], found["status"]) == ("database", status), ended
        assert "database.url" in found["remedy"] and "--store" in found["remedy"]
    ended = perennial("doctor", *address, "--app", "com.example.app:1234567890")
    assert ended.status == 1, ended
    assert re.search(r"^FAIL database .* belongs to a local store", ended.stdout, re.MULTILINE), ended


@on_sqlite
def test_a_database_of_real_apps_or_another_store_is_found(start_store, store, server, database, tmp_path):
    real = tmp_path / "real.db"
    serving = subprocess.Popen(
        [binary(), "serve", "--port", "0", "--config", "/dev/null", "--database", f"sqlite:{real}"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )
    assert serving.stdout.readline().startswith("listening on ")
    serving.terminate()
    serving.communicate(timeout=STOP_SECONDS_MAX)
    status, found = doctor(store, real, "--no-test-notification")
    assert status == 1 and "database_of_real_apps" in codes(found), found
    # The store of a server that was used is another one than a new store of the same app.
    buy(store, server)
    status, found = doctor(start_store(), database, "--no-test-notification")
    assert status == 1 and "database_of_another_store" in codes(found), found


@on_sqlite
def test_two_stores_that_are_the_same_are_found(start_store, store, server, database):
    for other in (store, start_store()):
        status, found = doctor(store, database, "--store", other.url, "--no-test-notification")
        assert status == 1 and "stores_alike" in codes(found), found
        [problem] = [finding for finding in found["store"] if finding["code"] == "stores_alike"]
        assert problem["subject"] == other.url and problem["remedy"]
    status, found = doctor(
        store, database, "--store", start_store(environment="production").url, "--no-test-notification"
    )
    assert "stores_alike" not in codes(found) and statuses(found)["store"] == {"ok"}


@on_sqlite
def test_it_changes_nothing_in_the_database(store, server, database):
    buy(store, server)
    server.stop()

    def rows():
        with contextlib.closing(sqlite3.connect(database)) as connection:
            return list(connection.iterdump())

    before = rows()
    doctor(store, database)
    assert rows() == before


def test_an_invalid_configuration_is_reported_as_findings(tmp_path):
    ended = perennial("doctor", "--json", environment={
        "PERENNIAL_APP_STORE_KEY_FILE": "", "PERENNIAL_POLLING_AFTER_END_MS": "never", "PERENNIAL_HOST": "",
    })
    assert ended.status == 78, ended
    assert "problem" in {finding["status"] for finding in ended.json["findings"]}
    assert {finding["check"] for finding in ended.json["findings"]} == {"configuration"}
