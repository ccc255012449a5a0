"""Which database a server may use, who may read its files, and which root certificates it trusts for which app."""

import queue
import subprocess
import threading

import pytest
import requests

from local_store import CALL_SECONDS_MAX, START_SECONDS_MAX, STOP_SECONDS_MAX, binary
from subscription_server import SubscriptionServer

WRONG_CONFIGURATION = 78
BUNDLE_ID = "com.example.perennial"


def refused(*arguments):
    """Runs a server that must not start, and returns its standard error."""
    ended = subprocess.run(
        [str(binary()), "serve", "--port", "0", *arguments],
        capture_output=True, text=True, timeout=START_SECONDS_MAX, check=False,
    )
    assert ended.returncode == WRONG_CONFIGURATION, ended
    return ended.stderr


@pytest.fixture
def start_serve(tmp_path):
    """Starts a server with the given options and returns its address, its log and its process."""
    processes = []

    def start(*arguments):
        log = tmp_path / f"plain-{len(processes)}.log"
        with open(log, "wb") as file:
            process = subprocess.Popen(
                [str(binary()), "serve", "--port", "0", *arguments], stdout=subprocess.PIPE, stderr=file, text=True
            )
        processes.append(process)
        lines = queue.Queue()
        threading.Thread(target=lambda: lines.put(process.stdout.readline()), daemon=True).start()
        line = lines.get(timeout=START_SECONDS_MAX)
        assert line.startswith("listening on "), log.read_text()
        return line.removeprefix("listening on ").strip(), log, process

    yield start
    for process in processes:
        process.terminate()
        process.wait(STOP_SECONDS_MAX)
        process.stdout.close()


def test_the_database_of_real_apps_is_refused_with_a_store(store, start_serve, tmp_path):
    database = f"sqlite:{tmp_path}/real.db"
    _, _, process = start_serve("--app", "com.example.real:1234567890", "--database", database)
    process.terminate()
    process.wait(STOP_SECONDS_MAX)
    error = refused("--store", store.url, "--database", database)
    assert "database_of_real_apps" in error and "--database" in error


def test_a_database_of_another_store_is_refused(start_store, tmp_path):
    database = tmp_path / "perennial.db"
    SubscriptionServer(tmp_path / "serve.log", start_store().url, database).stop()
    error = refused("--store", start_store(seed=8).url, "--database", f"sqlite:{database}")
    assert "database_of_another_store" in error and "--data FILE" in error


def test_a_database_is_refused_after_its_store_returned_to_an_earlier_time(store, tmp_path):
    database = tmp_path / "perennial.db"
    server = SubscriptionServer(tmp_path / "serve.log", store.url, database)
    snapshot = store.post("snapshots", {})["id"]
    account = store.new_account()
    server.submit(account, store.buy(account, "pro.monthly")["signedTransactionInfo"])
    store.advance("P40D")
    server.stop()
    store.post(f"snapshots/{snapshot}/restore", {})
    error = refused("--store", store.url, "--database", f"sqlite:{database}")
    assert "database_ahead_of_store" in error and "--data FILE" in error and "2026-03" in error


def test_database_files_are_readable_by_the_owner_only_and_other_modes_cause_a_warning(start_serve, tmp_path):
    database = tmp_path / "own.db"
    _, log, process = start_serve("--app", BUNDLE_ID, "--database", f"sqlite:{database}")
    modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.glob("own.db*")}
    assert modes == {"own.db": 0o600, "own.db-wal": 0o600, "own.db-shm": 0o600}
    assert "chmod" not in log.read_text()
    process.terminate()
    process.wait(STOP_SECONDS_MAX)
    database.chmod(0o644)
    _, log, _ = start_serve("--app", BUNDLE_ID, "--database", f"sqlite:{database}")
    assert str(database) in log.read_text() and "chmod 600" in log.read_text()


@pytest.mark.parametrize("scope, status", [("", 200), ("{app}:sandbox=", 200), ("{app}:production=", 400)])
def test_a_root_is_trusted_for_its_app_and_environment(store, start_serve, tmp_path, scope, status):
    credentials = store.get("credentials")
    root = tmp_path / "root.pem"
    root.write_text(credentials["rootCertificate"])
    store.send_notifications_to("http://127.0.0.1:9/")
    store.buy(store.new_account(), "pro.monthly")
    notification = store.notifications()[0]["signedPayload"]
    url, _, _ = start_serve(
        "--app", credentials["bundleId"], "--root", scope.format(app=credentials["bundleId"]) + str(root),
        "--database", f"sqlite:{tmp_path}/own.db",
    )
    answer = requests.post(
        f"{url}/v1/apple/notifications", json={"signedPayload": notification}, timeout=CALL_SECONDS_MAX
    )
    assert answer.status_code == status, answer.text
    if status != 200:
        assert answer.json()["error"]["code"] == "chain_not_trusted"
