"""The server, the demo and the migration as processes on PostgreSQL."""

import json
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from local_store import binary
from perennial_command import migrate_four_times_at_once
from postgresql_server import PostgreSQLServer, allow_other_users
from subscription_server import SubscriptionServer
from test_demo_process import assert_campaigns, assert_webhooks
from test_server_process import assert_agreement, create_customers

END_SECONDS_MAX = 60


@pytest.fixture
def postgresql(tmp_path_factory):
    folder = tmp_path_factory.mktemp("postgresql")
    server = allow_other_users(folder) and PostgreSQLServer(folder)
    yield server
    server.stop()


def run(*arguments):
    return subprocess.run([binary(), *arguments], capture_output=True, text=True, timeout=900)


def test_with_every_fault_the_demo_finds_nothing_missing_and_no_differences(postgresql):
    # At 60 accounts one in ten of both campaigns is more than one member.
    demo = run(
        "demo", "--once", "--json", "--accounts", "60", "--months", "3", "--faults", "--database", postgresql.url
    )
    assert demo.returncode == 0, demo.stderr
    report = json.loads(demo.stdout)
    assert report["notifications"]["missing"] == 0 and report["disagreements"] == 0
    assert report["notifications"]["sent"] > 0 and report["compared"] > 0 and sum(report["faults"].values()) > 0
    for campaign in assert_campaigns(report):
        assert campaign["failures"] >= 1, campaign
    assert_webhooks(report)
    again = run("demo", "--once", "--json", "--accounts", "1", "--months", "1", "--database", postgresql.url)
    assert again.returncode == 1 and "database_in_use" in again.stderr


def test_concurrent_submissions_of_a_shared_purchase_cause_no_deadlock(store, postgresql, tmp_path):
    server = SubscriptionServer(tmp_path / "serve.log", store.url, postgresql.url)
    try:
        assert server.call("PATCH", "/v1/app", {"transfer_policy": "share"}).ok
        signed = [store.buy(store.new_account(), "pro.monthly")["signedTransactionInfo"] for _ in range(2)]
        customers = ["u_1", "u_2", "u_3", "u_4"]
        for transaction, order in zip(signed, (customers, customers[::-1])):
            for customer in order:
                server.submit(customer, transaction)
        work = [(customer, transaction) for _ in range(15) for customer in customers for transaction in signed]
        with ThreadPoolExecutor(8) as pool:
            assert len(list(pool.map(lambda item: server.submit(*item), work))) == len(work)
        for customer in customers:
            assert len(server.get(f"/v1/customers/{customer}")["subscriptions"]) == 2
    finally:
        server.stop()
    # A connection reports its statistics before it leaves the list of connections.
    deadline = time.monotonic() + END_SECONDS_MAX
    connections = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
    while postgresql.query(connections).strip() != "1":
        assert time.monotonic() < deadline, "the connections of the stopped server do not end"
    assert postgresql.query("SELECT sum(deadlocks) FROM pg_stat_database").strip() == "0"


def test_concurrent_migrations_all_succeed(postgresql):
    migrated, steps = migrate_four_times_at_once(postgresql.url)
    assert migrated == [0, 0, 0, steps]
    assert run("migrate", "--status", "--database", postgresql.url).returncode == 0


def test_a_full_disk_of_the_database_causes_503_and_everything_is_stored_in_the_end(start_store, tmp_path_factory):
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small file system")
    folder = allow_other_users(tmp_path_factory.mktemp("small")) / "disk"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=192m", "tmpfs", folder], check=True)
    database = server = None
    try:
        database = PostgreSQLServer(folder)
        store = start_store(environment="production")
        server = SubscriptionServer(folder.parent / "serve.log", store.url, database.url)
        accounts = create_customers(store, server)
        filler = folder / "ballast"
        with open(filler, "wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
            while file.write(b"\0" * 4096):
                pass
        # The database first uses the space that it already has. Then deliveries fail, and the store retries them later.
        for _ in range(20):
            store.advance("P1D")
            refused = [a for n in store.notifications() for a in n["attempts"]
                       if a["sendAttemptResult"] == "UNSUCCESSFUL_HTTP_RESPONSE_CODE"]
            if refused:
                break
            for account in accounts:
                store.buy(account, "coins.100")
        assert refused, "the disk did not get full enough"
        assert server.call("GET", "/healthz").ok
        filler.unlink()
        # A PostgreSQL server that cannot write its log ends. The test starts it again, as an operator would.
        database.restart_if_ended()
        store.advance("P8D")
        assert_agreement(store, server, accounts)
    finally:
        if server:
            server.stop()
        if database:
            database.stop()
        subprocess.run(["umount", "--lazy", folder], check=True)
