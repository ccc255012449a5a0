"""The server as a process: killed, without disk space, with a wrong configuration, and with an incomplete request."""

import datetime
import os
import socket
import subprocess
import threading
import time

import pytest
import requests

from local_store import CALL_SECONDS_MAX, START_SECONDS_MAX, STOP_SECONDS_MAX, binary
from subscription_server import SubscriptionServer

ACCOUNTS = 12
STORE_WAITS_SECONDS = 9
KEY_COLUMNS = ["KEY", "ID", "KIND", "SCOPE", "CREATED", "EXPIRES", "LAST", "USED", "LABEL"]


@pytest.fixture
def start_server(tmp_path):
    servers = []

    def start(store, database=None, **options):
        log = tmp_path / f"serve-{len(servers)}.log"
        server = SubscriptionServer(log, store.url, database or tmp_path / "perennial.db", **options)
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def small_disk(tmp_path):
    """A file system of sixteen megabytes, so that it can be filled."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small file system")
    folder = tmp_path / "disk"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", folder], check=True)
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def create_customers(store, server):
    accounts = [store.new_account() for _ in range(ACCOUNTS)]
    for account in accounts:
        purchase = store.buy(account, "pro.monthly")
        server.submit(account, purchase["signedTransactionInfo"])
    return accounts


def assert_agreement(store, server, accounts):
    """Asserts that each notification is stored once, and that each customer matches the store's ledger."""
    sent = sorted(n["notificationUUID"] for n in store.notifications())
    assert sorted(n["id"] for n in server.notifications()) == sent
    names = {1: "active", 2: "expired", 3: "in_billing_retry", 4: "in_grace_period", 5: "revoked"}
    for account in accounts:
        ledger = store.get(f"accounts/{account}")["subscriptions"]
        answer = server.get(f"/v1/customers/{account}")["subscriptions"]
        expected = [(s["originalTransactionId"], names[s["status"]], s["expiresDate"]) for s in ledger]
        assert [(s["id"], s["status"], s["current_period_ends_at"]) for s in answer] == expected


def test_a_server_that_is_killed_at_random_moments_loses_nothing(start_store, start_server):
    store = start_store(environment="production")
    server = start_server(store)
    accounts = create_customers(store, server)
    store.set_payment(accounts[0], "declined")
    answers = []
    advance = threading.Thread(target=lambda: answers.append(store.advance("P10M")))
    advance.start()
    absences = []
    for pause in (0.05, 0.11, 0.02, 0.17):
        time.sleep(pause)
        killed = time.monotonic()
        server.kill()
        server.start()
        absences.append(time.monotonic() - killed)
    advance.join()
    # The store goes on without a server that is away for ten seconds. On a busy machine a start can take longer.
    assert answers and (answers[0]["followers"]["lost"] == [] or max(absences) > STORE_WAITS_SECONDS), absences
    store.advance("P8D")
    assert_agreement(store, server, accounts)


def test_a_full_disk_causes_503_and_everything_is_stored_in_the_end(start_store, start_server, small_disk):
    store = start_store(environment="production")
    server = start_server(store, small_disk / "perennial.db")
    accounts = create_customers(store, server)
    filler = small_disk / "ballast"
    with open(filler, "wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
        while file.write(b"\0" * 512):
            pass
    # The deliveries fail because the disk is full. The store retries them later.
    first = store.advance("P8D")
    attempts = [a["sendAttemptResult"] for n in store.notifications() for a in n["attempts"]]
    assert "UNSUCCESSFUL_HTTP_RESPONSE_CODE" in attempts, first
    filler.unlink()
    store.advance("P8D")
    assert_agreement(store, server, accounts)


def test_after_a_kill_on_a_full_disk_the_server_answers_reads(small_disk):
    database = small_disk / "perennial.db"
    server, _ = start_server_without_store(database)
    key = run_keys("create", database).stdout.strip()
    server.terminate()
    assert server.wait(STOP_SECONDS_MAX) == 0
    server, _ = start_server_without_store(database)
    server.kill()
    server.wait(STOP_SECONDS_MAX)
    with open(small_disk / "ballast", "wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
        while file.write(b"\0" * 512):
            pass
    server, url = start_server_without_store(database)
    try:
        call = lambda method, path, **rest: requests.request(
            method, url + path, headers={"Authorization": f"Bearer {key}"}, timeout=CALL_SECONDS_MAX, **rest
        )
        assert call("GET", "/readyz").status_code == 200
        assert call("GET", "/v1/entitlements").status_code == 200
        assert call("GET", "/v1/customers/u_1").json()["error"]["code"] == "customer_not_found"
        grant = {"entitlement_id": "pro", "duration": "P1M", "reason": "for the test"}
        refused = call("POST", "/v1/customers/u_1/grants", json=grant)
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "storage_full")
        (small_disk / "ballast").unlink()
        assert call("POST", "/v1/customers/u_1/grants", json=grant).status_code == 200
    finally:
        server.terminate()
        assert server.wait(STOP_SECONDS_MAX) == 0


def test_while_the_database_file_is_missing_no_call_gets_a_200(start_store, start_server, tmp_path):
    store = start_store(environment="production")
    server = start_server(store, tmp_path / "moved.db")
    accounts = create_customers(store, server)
    (tmp_path / "moved.db").rename(tmp_path / "aside.db")
    account = store.new_account()
    purchase = store.buy(account, "pro.monthly")
    body = {"app_user_id": account, "signed_transaction": purchase["signedTransactionInfo"]}
    for answer in (
        server.call("POST", "/v1/transactions", body),
        server.call("GET", f"/v1/customers/{accounts[0]}"),
    ):
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "storage_file_replaced")
    assert server.call("GET", "/readyz", key=None).status_code == 503
    (tmp_path / "aside.db").rename(tmp_path / "moved.db")
    server.submit(account, purchase["signedTransactionInfo"])
    store.advance("P8D")
    assert_agreement(store, server, [*accounts, account])


def test_an_incomplete_body_changes_nothing(store, start_server):
    server = start_server(store)
    before = server.notifications()
    with socket.create_connection(("127.0.0.1", server.port), timeout=CALL_SECONDS_MAX) as connection:
        connection.sendall(
            b"POST /v1/apple/notifications HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 20000\r\n\r\n{\"signedPayload\":\"eyJ"
        )
        connection.shutdown(socket.SHUT_WR)
        answer = connection.recv(4096)
    assert answer == b"" or b" 400 " in answer.split(b"\r\n", 1)[0]
    assert server.notifications() == before
    assert server.get("/healthz") == {"status": "ok"}


def test_a_port_in_use_is_reported(store, tmp_path):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = str(listener.getsockname()[1])
        ended = run_serve("--port", port, "--store", store.url, "--database", f"sqlite:{tmp_path}/p.db")
    assert ended.returncode == 1
    assert "port_in_use" in ended.stderr and port in ended.stderr


def test_an_unreachable_store_is_reported(tmp_path):
    ended = run_serve("--port", "0", "--store", "http://127.0.0.1:1", "--database", f"sqlite:{tmp_path}/p.db")
    assert ended.returncode == 1
    assert "store_unreachable" in ended.stderr and "perennial store" in ended.stderr


def test_a_server_that_waits_for_its_store_stops_on_sigterm(tmp_path):
    server = subprocess.Popen(
        [binary(), "serve", "--port", "0", "--store", "http://127.0.0.1:1", "--database", f"sqlite:{tmp_path}/p.db"],
        stderr=subprocess.PIPE, text=True,
    )
    with server.stderr:
        assert any("Waiting for the local App Store" in line for line in server.stderr)
        server.terminate()
        rest = server.stderr.read()
    # If the signal did not end the wait, the server would give up with an error.
    assert server.wait(STOP_SECONDS_MAX) == 0
    assert "error" not in rest


def test_a_file_that_is_not_a_database_is_refused_and_not_changed(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("shopping list\n" * 1000)
    ended = run_serve("--port", "0", "--app", "com.example.app", "--database", f"sqlite:{file}")
    assert ended.returncode == 1
    assert "storage_not_a_database" in ended.stderr
    assert file.read_text() == "shopping list\n" * 1000


def test_a_read_only_database_is_refused(tmp_path_factory):
    folder = tmp_path_factory.mktemp("readonly")
    database = folder / "perennial.db"
    server, _ = start_server_without_store(database)
    server.terminate()
    assert server.wait(60) == 0
    # Root can write to every file, so the server runs as nobody. This user must be able to enter the parent folders.
    database.chmod(0o444)
    folder.chmod(0o555)
    for parent in folder.parents:
        # Each process of parallel tests has a folder popen-gwN.
        if ("pytest" in parent.name or parent.name.startswith("popen-")) and parent.stat().st_uid == os.geteuid():
            parent.chmod(0o755)
    ended = run_serve(
        "--port", "0", "--app", "com.example.app", "--database", f"sqlite:{database}",
        user="nobody" if os.geteuid() == 0 else None,
    )
    folder.chmod(0o755)
    assert ended.returncode == 1
    assert "storage_read_only" in ended.stderr


def test_an_unsupported_database_is_a_wrong_configuration():
    ended = run_serve("--port", "0", "--app", "com.example.app", "--database", "mysql://localhost/x")
    assert ended.returncode == 78
    assert "database_not_supported" in ended.stderr


def test_a_host_without_an_address_is_reported(tmp_path):
    database = f"sqlite:{tmp_path}/p.db"
    ended = run_serve(
        "--port", "0", "--app", "com.example.app", "--host", "no.such.host.invalid", "--database", database
    )
    assert ended.returncode == 78
    assert '"code":"address_unusable"' in ended.stderr and "no.such.host.invalid" in ended.stderr


def test_keys_are_created_and_listed_for_an_app_in_the_database(tmp_path):
    database = tmp_path / "perennial.db"
    server, _ = start_server_without_store(database)
    server.terminate()
    assert server.wait(60) == 0
    new_key = run_keys("create", database, "--label", "the backend")
    assert new_key.returncode == 0 and new_key.stdout.startswith("sk_"), new_key.stderr
    listed = run_keys("list", database)
    assert listed.returncode == 0, listed.stderr
    header, line = listed.stdout.splitlines()
    assert header.split() == KEY_COLUMNS
    key, name, kind, scope, created, expires, used, label = line.split(maxsplit=7)
    assert (key, kind, label) == (f"sk_…{new_key.stdout.strip()[-4:]}", "secret", "the backend")
    assert name.startswith("key_") and (scope, expires, used) == ("admin", "-", "-")
    assert datetime.datetime.fromisoformat(created.replace("Z", "+00:00")).year >= 2025
    for command in ("create", "list"):
        unknown = run_keys(command, database, bundle_id="com.example.other")
        assert unknown.returncode == 78
        assert unknown.stderr.startswith("error: app_not_configured: ") and unknown.stdout == ""


@pytest.mark.parametrize("command", ["create", "list"])
def test_the_key_commands_never_create_a_database(command, tmp_path):
    ended = run_keys(command, tmp_path / "mistyped.db")
    assert ended.returncode == 78
    assert ended.stderr.startswith("error: database_not_found: ") and "mistyped.db" in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_server_stops_on_sigterm(store, start_server):
    assert start_server(store).stop() == 0


def test_a_revoked_key_is_refused_while_the_server_runs(tmp_path):
    database = tmp_path / "keys.db"
    server, url = start_server_without_store(database)
    try:
        leaked = run_keys("create", database).stdout.strip()
        # The leaked one is named by its last characters, which both would rarely share.
        while (kept := run_keys("create", database).stdout.strip())[-4:] == leaked[-4:]:
            assert run_keys("revoke", database, kept).returncode == 0
        status = lambda key: requests.get(
            url + "/v1/entitlements", headers={"Authorization": f"Bearer {key}"}, timeout=CALL_SECONDS_MAX
        ).status_code
        assert (status(leaked), status(kept)) == (200, 200)
        masked = f"sk_…{leaked[-4:]}"
        revoked = run_keys("revoke", database, masked)
        assert (revoked.returncode, revoked.stdout) == (0, f"revoked {masked}\n"), revoked.stderr
        end = time.monotonic() + CALL_SECONDS_MAX
        while status(leaked) != 401 and time.monotonic() < end:
            time.sleep(0.2)
        assert (status(leaked), status(kept)) == (401, 200)
        assert kept[-4:] in run_keys("list", database).stdout
        again = run_keys("revoke", database, leaked)
        assert again.returncode == 1 and again.stdout == "" and "key_not_found" in again.stderr
        assert run_keys("revoke", database, kept).returncode == 0
        assert run_keys("list", database).stdout.split() == KEY_COLUMNS
    finally:
        server.terminate()
        server.wait(STOP_SECONDS_MAX)


def start_server_without_store(database):
    """Starts a server for one app without a store. Its database exists when this function returns."""
    server = subprocess.Popen(
        [binary(), "serve", "--port", "0", "--app", "com.example.app", "--database", f"sqlite:{database}"],
        stdout=subprocess.PIPE, text=True,
    )
    with server.stdout:
        line = server.stdout.readline()
        assert line.startswith("listening on ")
    return server, line.removeprefix("listening on ").strip()


def run_keys(command, database, *key, bundle_id="com.example.app"):
    return subprocess.run(
        [binary(), "keys", command, *key, "--bundle-id", bundle_id, "--database", f"sqlite:{database}"],
        capture_output=True, text=True, timeout=START_SECONDS_MAX,
    )


def run_serve(*arguments, user=None):
    return subprocess.run(
        [binary(), "serve", *arguments], capture_output=True, text=True, timeout=START_SECONDS_MAX, user=user, cwd="/"
    )
