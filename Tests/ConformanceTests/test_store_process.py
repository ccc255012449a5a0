"""The program itself: what the same seed gives, and how it starts and stops."""

import socket
import subprocess
import threading
import time

import jwt
import requests

from local_store import binary
from subscription_server import SubscriptionServer


def unsigned(signed):
    return jwt.decode(signed, options={"verify_signature": False})


def test_the_same_seed_gives_the_same_payloads(start_store):
    def run(store):
        account = store.new_account()
        purchase = store.buy(account, "pro.monthly")
        store.advance("P3M")
        payloads = [unsigned(n["signedPayload"]) for n in store.notifications()]
        for payload in payloads:
            for name in ("signedTransactionInfo", "signedRenewalInfo"):
                payload["data"][name] = unsigned(payload["data"][name])
        return account, unsigned(purchase["signedTransactionInfo"]), payloads

    assert run(start_store(seed=42)) == run(start_store(seed=42))


def test_a_store_stops_when_it_is_told(start_store):
    store = start_store()
    assert store.stop() == 0


def test_a_port_that_is_taken_is_named_on_standard_error():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        ended = subprocess.run([binary(), "store", "--port", port], capture_output=True, text=True, timeout=60)
    assert ended.returncode != 0
    assert ended.stdout == ""
    assert port in ended.stderr


def test_a_host_that_has_no_address_is_named():
    ended = subprocess.run(
        [binary(), "store", "--port", "0", "--host", "no.such.host.invalid"], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 1 and ended.stdout == ""
    assert ended.stderr.splitlines()[-1].startswith("error: listen_failed: ") and "no.such.host" in ended.stderr


def test_an_address_of_ipv6_is_printed_in_brackets():
    store = subprocess.Popen([binary(), "store", "--port", "0", "--host", "::1"], stdout=subprocess.PIPE, text=True)
    with store.stdout:
        line = store.stdout.readline()
        assert line.startswith("listening on http://[::1]:")
        assert requests.get(line.split()[-1] + "/_store/clock", timeout=60).ok
        store.terminate()
    assert store.wait(60) == 0


def test_a_catalogue_file_that_is_missing_is_a_wrong_configuration(tmp_path):
    missing = tmp_path / "missing.storekit"
    ended = subprocess.run(
        [binary(), "store", "--port", "0", "--catalog", missing], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 78
    assert "missing.storekit" in ended.stderr


class Customers:
    """Customers who buy at the same time, and again and again, until the store is gone."""

    def __init__(self, store, count):
        self.answered = []
        self._store = store
        self._enough = threading.Semaphore(0)
        self._threads = [threading.Thread(target=self._buy) for _ in range(count)]

    def _buy(self):
        try:
            while True:
                account = self._store.new_account()
                purchase = unsigned(self._store.buy(account, "coins.100")["signedTransactionInfo"])
                self.answered.append((account, purchase["transactionId"]))
                self._enough.release()
        except requests.ConnectionError:
            pass

    def kill_store_amid_purchases(self, after):
        for thread in self._threads:
            thread.start()
        for _ in range(after):
            assert self._enough.acquire(timeout=60)
        self._store.kill()
        for thread in self._threads:
            thread.join(60)
            assert not thread.is_alive()


def test_what_was_answered_outlives_kill_9_and_identifiers_go_on(start_store, tmp_path):
    data = tmp_path / "store.data"
    answered = []
    for after in (1, 20, 50):
        store = start_store(data=data)
        before = store.get("status")["transactions"]
        customers = Customers(store, count=4)
        customers.kill_store_amid_purchases(after)
        answered += customers.answered
        assert before <= len(answered)

    store = start_store(data=data)
    client, verifier = store.client(), store.verifier()
    for account, transaction_id in answered:
        assert store.get(f"accounts/{account}")["accountId"] == account
        signed = client.get_transaction_info(transaction_id).signedTransactionInfo
        assert verifier.verify_and_decode_signed_transaction(signed).transactionId == transaction_id
    sold = store.get("status")["transactions"]
    # What the store was about to answer when it was killed may be there: one purchase of each customer, each time.
    assert len(answered) <= sold <= len(answered) + 3 * 4
    assert len({transaction_id for _, transaction_id in answered}) == len(answered)

    newest = max(int(transaction_id) for _, transaction_id in answered)
    again = unsigned(store.buy(store.new_account(), "coins.100")["signedTransactionInfo"])
    assert int(again["transactionId"]) > newest
    assert store.get("status")["transactions"] == sold + 1


def kill_store_amid_an_advance(store, receiver, after):
    """Kills the store when so many notifications of an advance have arrived."""
    wanted = len(receiver.bodies) + after

    def advance():
        try:
            store.advance("P3Y")
        except requests.ConnectionError:
            pass

    advancing = threading.Thread(target=advance)
    advancing.start()
    deadline = time.monotonic() + 60
    while len(receiver.bodies) < wanted:
        assert time.monotonic() < deadline
        time.sleep(0.001)
    store.kill()
    advancing.join(60)
    assert not advancing.is_alive()


def test_a_store_killed_in_the_middle_of_an_advance_stands_at_an_instant_before_or_after_it(
    start_store, receiver, tmp_path
):
    data = tmp_path / "store.data"
    store = start_store(data=data)
    purchase = unsigned(store.buy(store.new_account(), "pro.weekly")["signedTransactionInfo"])
    store.send_notifications_to(receiver.url)
    for after in (1, 10, 60):
        before = store.get("clock")["now"]
        kill_store_amid_an_advance(store, receiver, after)
        store = start_store(data=data)
        assert store.get("clock")["now"] >= before
        info = store.client().get_transaction_info(purchase["transactionId"])
        assert unsigned(info.signedTransactionInfo)["originalTransactionId"] == purchase["transactionId"]

    store.advance("P7D")
    notifications = store.notifications()
    assert [attempt["sendAttemptResult"] for attempt in notifications[-1]["attempts"]] == ["SUCCESS"]
    store.kill()
    store = start_store(data=data)
    assert store.notifications() == notifications


def test_an_entry_that_was_cut_off_is_left_out_and_a_changed_one_is_refused(start_store, tmp_path):
    data = tmp_path / "store.data"
    store = start_store(data=data)
    for _ in range(3):
        store.buy(store.new_account(), "coins.100")
    store.kill()
    whole = data.read_bytes()

    data.write_bytes(whole[:-1])
    store = start_store(data=data)
    assert store.get("status")["transactions"] == 2
    store.kill()

    changed = bytearray(whole)
    changed[-2] ^= 1
    data.write_bytes(changed)
    ended = subprocess.run([binary(), "store", "--port", "0", "--data", data], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 78 and "data_damaged" in ended.stderr
    assert data.read_bytes() == changed


def test_a_client_that_offers_http_2_is_answered_again_and_again(store):
    """As Java's own client does by default: each request says `Upgrade: h2c`."""
    assert_offers_are_survived(store.url, "/_store/clock")


def test_the_server_too_answers_a_client_that_offers_http_2(store, tmp_path):
    server = SubscriptionServer(tmp_path / "serve.log", store.url, tmp_path / "perennial.db")
    try:
        assert_offers_are_survived(server.url, "/healthz")
    finally:
        server.stop()


def assert_offers_are_survived(url, path):
    offer = {"Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c", "HTTP2-Settings": "AAMAAABkAAQAAP__"}
    with requests.Session() as session:
        for _ in range(3):
            response = session.get(url + path, headers=offer, timeout=10)
            assert response.status_code == 200 and response.headers["Connection"] == "close"
