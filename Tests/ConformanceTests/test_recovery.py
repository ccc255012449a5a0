"""A server that missed notifications finds them in the store's notification history."""

import contextlib
import re
import shutil
import sqlite3
import subprocess
import threading
import time

import pytest

from local_store import REPOSITORY, binary
from loopback_ports import reserved_port
from perennial_command import perennial
from subscription_server import SECRET_KEY
from test_postgresql_process import postgresql  # noqa: F401
from test_server_process import assert_agreement, create_customers, start_server  # noqa: F401

RECOVERY_SECONDS_MAX = 180
ATTEMPTS_MAX = 5
KEY = {"PERENNIAL_API_SECRET_KEY": SECRET_KEY}


def windows(server, **parameters):
    return server.get("/v1/recovery/windows", **parameters)["data"]


def finished_window(server, reason, but=None):
    """The newest window with a reason, when it is finished; another one than `but`."""
    deadline = time.monotonic() + RECOVERY_SECONDS_MAX
    while time.monotonic() < deadline:
        found = [w for w in windows(server) if w["reason"] == reason and w["id"] != but]
        if found and found[0]["state"] == "finished":
            return found[0]
        time.sleep(0.2)
    raise AssertionError(f"no finished window: {windows(server)}")


@pytest.fixture
def database(request, tmp_path):
    """The address of an empty database: of SQLite, unless a test is parametrized with another engine."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return tmp_path / "perennial.db"
    return request.getfixturevalue("postgresql").url


@pytest.mark.parametrize(
    ("environment", "database"),
    [("sandbox", "sqlite"), ("production", "sqlite"), ("production", "postgresql")],
    indirect=["database"],
)
def test_a_server_recovers_what_was_sent_while_it_was_stopped(
    start_store, start_server, environment, database  # noqa: F811
):
    store = start_store(environment=environment)
    server = start_server(store, database)
    accounts = create_customers(store, server)
    held = len(server.notifications())
    server.stop()
    store.set_payment(accounts[0], "declined")
    store.set_auto_renew(store.get(f"accounts/{accounts[1]}")["subscriptions"][0]["originalTransactionId"], False)
    store.advance("P20D")
    server.start()
    window = finished_window(server, "start")
    sent = len(store.notifications())
    assert sent > held
    assert (window["sent"], window["missing"], window["refused"]) == (window["held"] + window["recovered"], 0, 0)
    assert window["recovered"] == sent - held
    assert_agreement(store, server, accounts)
    types = [event["type"] for event in server.get("/v1/events", limit=1000)["data"]]
    assert types.count("recovery.gap_found") == 1


def stored_inputs(database):
    """The number of signed inputs. While a server has the file open, this changes nothing in it."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT count(*) FROM evidence").fetchone()[0]


def damage_a_purchase(store, database, account, postgresql=None):  # noqa: F811
    """Makes the stored facts of the account's subscription unreadable. Returns its identifier."""
    damaged = store.get(f"accounts/{account}")["subscriptions"][0]["originalTransactionId"]
    if postgresql is not None:
        update = f"UPDATE purchases SET facts = '\\xff00' WHERE original_transaction_id = '{damaged}' RETURNING 1"
        count = f"WITH changed AS ({update}) SELECT count(*) FROM changed"
        assert postgresql.query(count).strip() == "1"
        return damaged
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        statement = "UPDATE purchases SET facts = x'ff00' WHERE original_transaction_id = ?"
        assert connection.execute(statement, [damaged]).rowcount == 1
    return damaged


@pytest.mark.parametrize(("engine", "database"), [(e, e) for e in ("sqlite", "postgresql")], indirect=["database"])
def test_what_the_database_cannot_store_is_missing_until_it_is_repaired(
    start_store, start_server, engine, database, request  # noqa: F811
):
    url = database if engine == "postgresql" else f"sqlite:{database}"
    store = start_store(environment="production")
    server = start_server(store, database)
    accounts = create_customers(store, server)
    server.stop()
    damage_a_purchase(
        store, database, accounts[0], request.getfixturevalue("postgresql") if engine == "postgresql" else None
    )
    store.advance("P32D")
    server.start()
    window = finished_window(server, "start")
    missing = window["missing"]
    assert missing >= 1 and window["problems"] == {"storage_corrupt": missing}
    assert window["recovered"] >= len(accounts) - 1
    assert window["sent"] == window["held"] + window["recovered"] + missing
    types = [event["type"] for event in server.get("/v1/events", limit=1000)["data"]]
    assert types.count("recovery.gap_found") == 1
    recover = ("notifications", "recover", "--server", server.url, "--from", "2026-01-31T09:00:00Z")
    incomplete = perennial(*recover, environment=KEY)
    assert incomplete.status == 1, incomplete
    assert f"missing: {missing}\n  storage_corrupt: {missing}\n" in incomplete.stdout
    # What is held stays held, even if it is about the damaged purchase.
    assert f"held: {len(server.notifications())}\n" in incomplete.stdout
    assert perennial("rebuild", "--apply", "--database", url).status == 0
    complete = perennial(*recover, "--json", environment=KEY)
    assert complete.status == 0, complete
    assert (complete.json["missing"], complete.json["recovered"]) == (0, missing)
    assert_agreement(store, server, accounts)


def doctor_codes(store, database):
    ended = perennial(
        "doctor", "--json", "--database", f"sqlite:{database}", "--store", store.url, "--no-test-notification"
    )
    assert ended.status in (0, 1), ended
    return {finding["code"] for finding in ended.json["findings"] if finding["code"]}


def test_missing_notifications_are_asked_for_again_every_day_until_they_are_here(
    start_store, start_server, database  # noqa: F811
):
    store = start_store(environment="sandbox")
    server = start_server(store, database)
    accounts = create_customers(store, server)
    server.stop()
    damaged = damage_a_purchase(store, database, accounts[0])
    # Sandbox notifications are sent once: only the history has the lost one.
    store.set_auto_renew(damaged, False)
    store.advance("P1D")
    server.start()
    assert finished_window(server, "start")["missing"] >= 1
    assert "recovery_missing" in doctor_codes(store, database)
    store.advance("P1DT1H")
    assert finished_window(server, "schedule")["missing"] >= 1
    assert "recovery_missing" in doctor_codes(store, database)
    assert perennial("rebuild", "--apply", "--database", f"sqlite:{database}").status == 0
    store.advance("P1DT1H")
    window = finished_window(server, "schedule")
    assert (window["missing"], window["recovered"] >= 1) == (0, True)
    assert "recovery_missing" not in doctor_codes(store, database)
    assert_agreement(store, server, accounts)


def test_a_span_that_is_no_longer_in_the_history_is_said(start_store, start_server, database):  # noqa: F811
    store = start_store(environment="sandbox")
    server = start_server(store, database)
    create_customers(store, server)
    finished_window(server, "start")
    server.stop()
    store.advance("P60D")
    server.start()
    deadline = time.monotonic() + RECOVERY_SECONDS_MAX
    while not (failed := [w for w in windows(server) if w["state"] == "failed"]):
        assert time.monotonic() < deadline, windows(server)
        time.sleep(0.2)
    [expired] = failed
    assert (expired["reason"], expired["error"]["code"]) == ("start", "history_expired")
    # The report is stored with the end of the comparison that begins after it.
    window = finished_window(server, "start", but=expired["id"])
    assert expired["from"] < expired["to"] == window["from"]
    events = [event for event in server.get("/v1/events", limit=1000)["data"] if event["type"] == "recovery.failed"]
    assert [event["details"]["code"] for event in events] == ["history_expired"]
    assert "recovery_history_expired" in doctor_codes(store, database)


def test_a_killed_recovery_continues_and_loses_nothing(start_store, start_server, tmp_path):  # noqa: F811
    store = start_store(environment="production")
    database = tmp_path / "perennial.db"
    server = start_server(store, database)
    store.post("population", {"accounts": 1500, "months": 2, "seed": 3})
    server.stop()
    store.advance("P12D")
    sent = len(store.notifications())
    assert sent > 500
    for file in tmp_path.glob("perennial.db*"):
        shutil.copy(file, tmp_path / f"kept-{file.name}")

    def start_and_be_killed():
        # A server that is killed before it listens reports no address.
        try:
            server.start()
        except AssertionError as error:
            not_started.append(error)

    held = stored_inputs(database)
    for _ in range(ATTEMPTS_MAX):
        not_started = []
        starting = threading.Thread(target=start_and_be_killed)
        starting.start()
        # It is killed after the first part of the history, which may be before it listens.
        deadline = time.monotonic() + RECOVERY_SECONDS_MAX
        while (stored := stored_inputs(database)) == held:
            assert not not_started and time.monotonic() < deadline, f"nothing is recovered: {not_started}"
        server.kill()
        starting.join()
        if stored < sent:
            break
        # The test was stalled, and the recovery was faster. It is tried again from the same database.
        for file in tmp_path.glob("perennial.db*"):
            file.unlink()
        for file in tmp_path.glob("kept-perennial.db*"):
            shutil.copy(file, tmp_path / file.name.removeprefix("kept-"))
    assert held < stored < sent
    server.start()
    window = finished_window(server, "start")
    assert (window["sent"], window["missing"]) == (sent, 0)
    assert window["held"] + window["recovered"] == sent
    assert len(server.notifications()) == sent


def test_lost_deliveries_and_a_failing_history_are_recovered_while_the_clock_advances(
    start_store, start_server  # noqa: F811
):
    store = start_store(environment="sandbox")
    server = start_server(store)
    accounts = create_customers(store, server)
    store.put(
        "faults",
        {
            "deliveries": [{"fault": "drop", "probability": 0.4}],
            "api": [{"fault": "server_error", "probability": 0.2}, {"fault": "rate_limit", "by": "PT10M", "count": 3}],
        },
    )
    # The sandbox's history goes back 30 days, so that the clock moves in smaller steps.
    for _ in range(12):
        store.advance("P5D")
    store.put("faults", {})
    # Sandbox notifications are sent once: only the history has the lost ones.
    failed = [n for n in store.notifications() if n["attempts"][-1]["sendAttemptResult"] != "SUCCESS"]
    assert failed
    store.advance("P2D")
    assert_agreement(store, server, accounts)


def test_a_rate_limit_of_an_hour_delays_a_recovery_and_loses_nothing(
    start_store, start_server, database  # noqa: F811
):
    # Sandbox notifications are sent once: only the history has what was sent while the server was stopped.
    store = start_store(environment="sandbox")
    server = start_server(store, database)
    accounts = create_customers(store, server)
    finished_window(server, "start")
    held = len(server.notifications())
    earlier = {window["id"] for window in windows(server)}
    server.stop()
    store.advance("P10D")
    sent = len(store.notifications())
    assert sent > held
    limit = {"fault": "rate_limit", "by": "PT1H", "endpoint": "getNotificationHistory"}
    store.put("faults", {"api": [limit]})
    server.start()

    def waiting_window():
        """The window that the server made at its second start."""
        found = [window for window in windows(server) if window["id"] not in earlier]
        assert all(window["state"] == "running" for window in found), found
        return found[0] if found else None

    deadline = time.monotonic() + RECOVERY_SECONDS_MAX
    while not (waiting := waiting_window()) or waiting["error"] is None:
        assert time.monotonic() < deadline, windows(server)
        time.sleep(0.2)
    for _ in range(60):
        store.advance("PT1M")
    limited = waiting_window()
    assert (limited["id"], limited["reason"]) == (waiting["id"], "start")
    assert (limited["error"]["code"], limited["sent"]) == ("app_store_rate_limited", 0)
    assert limited["retry_at"] > waiting["retry_at"]
    # The pauses grow from 30 seconds to 15 minutes: about ten queries of one call each.
    [rule] = store.get("faults")["api"]
    assert 1 < rule["happened"] <= 40
    assert "recovery_failing" in doctor_codes(store, database)

    store.put("faults", {})
    # The last answer may forbid calls for another hour.
    for _ in range(24):
        store.advance("PT5M")
        [window] = [window for window in windows(server) if window["id"] == waiting["id"]]
        if window["state"] == "finished":
            break
    window = finished_window(server, "start")
    assert (window["id"], window["missing"], window["refused"]) == (waiting["id"], 0, 0)
    assert (window["recovered"], window["error"]) == (sent - held, None)
    assert window["sent"] == window["held"] + window["recovered"]
    assert len(server.notifications()) == len(store.notifications())
    types = [event["type"] for event in server.get("/v1/events", limit=1000)["data"]]
    assert types.count("recovery.gap_found") == 1 and "recovery.failed" not in types
    assert_agreement(store, server, accounts)


def test_the_command_reports_a_window(start_store, start_server):  # noqa: F811
    store = start_store(environment="production")
    server = start_server(store)
    accounts = create_customers(store, server)
    store.advance("P8D")
    recover = ("notifications", "recover", "--server", server.url, "--from", "2026-01-31T09:00:00Z")
    text = perennial(*recover, environment=KEY)
    assert text.status == 0, text
    lines = dict(line.split(": ", 1) for line in text.stdout.splitlines())
    assert lines["state"] == "finished"
    assert lines["sent"] == lines["held"] == str(len(store.notifications()))
    assert lines["missing"] == "0"
    window = perennial(*recover, "--json", environment=KEY).json
    assert window["object"] == "recovery_window"
    assert len(accounts) <= window["sent"]
    # A part of the time, without a wait for the report.
    part = perennial(*recover, "--to", "2026-02-02T00:00:00Z", "--no-wait", "--json", environment=KEY)
    assert part.status == 0, part
    assert (part.json["to"], part.json["only_failures"]) == (1769990400000, False)
    assert finished_window(server, "request")["sent"] <= window["sent"]
    # Every delivery succeeded.
    failures = perennial(*recover, "--only-failures", "--json", environment=KEY)
    assert failures.status == 0, failures
    assert (failures.json["only_failures"], failures.json["sent"]) == (True, 0)


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (["--from", "yesterday"], 64, "--from must be a time"),
        ([], 64, "Missing expected argument"),
        (["--from", "2020-01-01T00:00:00Z"], 1, "recovery_window_too_old"),
        (["--from", "2030-01-01T00:00:00Z"], 1, "recovery_window_invalid"),
    ],
)
def test_the_command_says_what_is_wrong(start_store, start_server, arguments, status, code):  # noqa: F811
    server = start_server(start_store())
    answer = perennial("notifications", "recover", "--server", server.url, *arguments, environment=KEY)
    assert answer.status == status, answer
    assert code in answer.stderr


def test_the_command_ends_if_the_clock_of_the_store_stands_still(start_store, start_server):  # noqa: F811
    store = start_store(environment="production")
    server = start_server(store)
    finished_window(server, "start")
    store.put("faults", {"api": [{"fault": "server_error", "probability": 1}]})
    recover = ("notifications", "recover", "--server", server.url, "--from", "2026-01-31T08:00:00Z")
    started = time.monotonic()
    ended = perennial(*recover, environment=KEY)
    # The query is repeated after 30 seconds or a little more, and the command waits 15 seconds longer.
    assert 30 < time.monotonic() - started < 100
    assert ended.status == 1, ended
    assert "state: running" in ended.stdout
    assert "error: recovery_clock_stands_still: " in ended.stderr and "/_store/clock/advance" in ended.stderr
    # The window is finished when the store's clock is advanced.
    store.put("faults", {})
    store.advance("PT1M")
    finished_window(server, "request")


def test_the_command_needs_a_running_server_and_a_secret_key():
    recover = ("notifications", "recover", "--server", "http://127.0.0.1:1", "--from", "2026-01-31T09:00:00Z")
    assert "server_unreachable" in perennial(*recover, environment=KEY).stderr
    missing = perennial(*recover)
    assert (missing.status, "secret_key_missing" in missing.stderr) == (78, True)


def test_the_outage_of_the_readme_ends_with_nothing_missing():
    section = (REPOSITORY / "README.md").read_text().split("## Rehearse an outage")[1]
    script = re.search(r"^```\n(.*?)^```$", section, flags=re.MULTILINE | re.DOTALL).group(1)
    ports = [str(reserved_port()) for _ in range(2)]
    script = script.replace("notifications recover", "notifications recover --server http://127.0.0.1:8080")
    script = script.replace("8080", ports[0]).replace("8081", ports[1])
    script = script.replace(".build/release/perennial", str(binary()))
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=300)
    # The answer to `advance`: the stopped server missed something.
    failed = re.findall(r'"failed": ?(\d+)', done.stdout)
    assert failed and int(failed[-1]) > 100, done
    report = dict(re.findall(r"^(\w+): (\w+)$", done.stdout, flags=re.MULTILINE))
    assert report["state"] == "finished", done
    assert report["missing"] == "0"
    assert int(report["held"]) > 100
