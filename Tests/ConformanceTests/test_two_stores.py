"""One server that follows two stores: sandbox and production."""

import os
import queue
import subprocess
import threading

import requests

from local_store import START_SECONDS_MAX, STOP_SECONDS_MAX, binary
from subscription_server import database_option

KEYS = ["sk_sandbox_0123456789abcdef", "sk_production_0123456789abc"]


class Server:
    def __init__(self, stores, database, keys=KEYS):
        options = [option for store in stores for option in ("--store", store.url)]
        self.process = subprocess.Popen(
            [str(binary()), "serve", "--port", "0", *options, "--database", database_option(database)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=os.environ | {"PERENNIAL_DEV_SECRET_KEY": ",".join(keys)},
        )
        lines = queue.Queue()
        threading.Thread(target=lambda: lines.put(self.process.stdout.readline()), daemon=True).start()
        line = lines.get(timeout=START_SECONDS_MAX)
        self.url = line.removeprefix("listening on ").strip()

    def call(self, method, path, key, body=None):
        headers = {"Authorization": f"Bearer {key}"}
        return requests.request(method, self.url + path, json=body, headers=headers, timeout=60)

    def entitlement(self, key):
        (found,) = self.call("GET", "/v1/customers/u_1", key).json()["entitlements"].values()
        return found

    def stop(self):
        self.process.terminate()
        return self.process.communicate(timeout=STOP_SECONDS_MAX)


def both(start_store):
    return start_store(environment="sandbox"), start_store(environment="production")


def test_each_environment_has_its_own_customers_and_both_clocks_are_followed(start_store, new_database):
    stores = both(start_store)
    database = new_database()
    server = Server(stores, database)
    try:
        for store, key in zip(stores, KEYS):
            bought = store.buy(store.new_account(), "pro.monthly")
            body = {"app_user_id": "u_1", "transaction_id": bought["transactionId"]}
            assert server.call("POST", "/v1/transactions", key, body).status_code == 200
        ends = [server.entitlement(key)["expires_at"] for key in KEYS]
        # Nothing ends before its own store had the chance to renew it.
        stores[1].advance("P40D")
        assert [server.entitlement(key)["active"] for key in KEYS] == [True, True]
        assert [server.entitlement(key)["expires_at"] for key in KEYS] == ends
        # When both have reached a time, everything due has happened on both.
        stores[0].advance("P40D")
        assert all(server.entitlement(key)["active"] for key in KEYS)
        later = [server.entitlement(key)["expires_at"] for key in KEYS]
        assert all(new > old for new, old in zip(later, ends))
    finally:
        server.stop()
    # The same stores again, and one of them alone.
    for some, keys in ((stores, KEYS), (stores[1:], KEYS[1:])):
        server = Server(some, database, keys)
        assert server.entitlement(keys[-1])["active"] is True
        server.stop()


def test_a_store_of_the_same_app_is_refused(start_store, new_database):
    stores = [start_store(environment="sandbox"), start_store(environment="sandbox")]
    server = Server(stores, new_database())
    _, error = server.process.communicate(timeout=STOP_SECONDS_MAX)
    assert server.process.returncode == 78
    assert "stores_alike" in error and "another --environment" in error


def test_a_second_store_can_join_a_database_but_not_take_an_app_over(start_store, new_database):
    sandbox, production = both(start_store)
    database = new_database()
    server = Server([sandbox], database, KEYS[:1])
    bought = sandbox.buy(sandbox.new_account(), "pro.monthly")
    body = {"app_user_id": "u_1", "transaction_id": bought["transactionId"]}
    assert server.call("POST", "/v1/transactions", KEYS[0], body).status_code == 200
    server.stop()
    server = Server([sandbox, production], database)
    assert server.entitlement(KEYS[0])["active"] is True
    server.stop()
    other = start_store(environment="sandbox", seed=9)
    server = Server([other, production], database)
    _, error = server.process.communicate(timeout=STOP_SECONDS_MAX)
    assert server.process.returncode == 78
    assert "database_of_another_store" in error
