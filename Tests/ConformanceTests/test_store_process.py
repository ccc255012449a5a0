"""The store as a process: its seed, its start, its stop and its data file."""

import socket
import subprocess
import threading
import time

import jwt
import pytest
import requests

from local_store import CALL_SECONDS_MAX, binary
from subscription_server import SubscriptionServer


def decoded_payload(signed):
    return jwt.decode(signed, options={"verify_signature": False})


def test_the_same_seed_gives_the_same_payloads(start_store):
    def run(store):
        account = store.new_account()
        purchase = store.buy(account, "pro.monthly")
        store.advance("P3M")
        payloads = [decoded_payload(n["signedPayload"]) for n in store.notifications()]
        for payload in payloads:
            for name in ("signedTransactionInfo", "signedRenewalInfo"):
                payload["data"][name] = decoded_payload(payload["data"][name])
        return account, decoded_payload(purchase["signedTransactionInfo"]), payloads

    assert run(start_store(seed=42)) == run(start_store(seed=42))


def test_a_store_stops_on_sigterm(start_store):
    store = start_store()
    assert store.stop() == 0


def test_a_port_in_use_is_reported_on_standard_error():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = str(listener.getsockname()[1])
        ended = subprocess.run([binary(), "store", "--port", port], capture_output=True, text=True, timeout=60)
    assert ended.returncode != 0
    assert ended.stdout == ""
    assert port in ended.stderr


def test_a_host_without_an_address_is_reported():
    ended = subprocess.run(
        [binary(), "store", "--port", "0", "--host", "no.such.host.invalid"],
        # Without a network the look-up of a name can take long.
        capture_output=True, text=True, timeout=CALL_SECONDS_MAX,
    )
    assert ended.returncode == 1 and ended.stdout == ""
    assert ended.stderr.splitlines()[-1].startswith("error: listen_failed: ") and "no.such.host" in ended.stderr


def has_ipv6_loopback():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.skipif(not has_ipv6_loopback(), reason="this machine has no address ::1")
def test_an_ipv6_address_is_printed_in_brackets():
    store = subprocess.Popen([binary(), "store", "--port", "0", "--host", "::1"], stdout=subprocess.PIPE, text=True)
    with store.stdout:
        line = store.stdout.readline()
        assert line.startswith("listening on http://[::1]:")
        assert requests.get(line.split()[-1] + "/_store/clock", timeout=60).ok
        store.terminate()
    assert store.wait(60) == 0


def test_a_missing_catalogue_file_is_a_wrong_configuration(tmp_path):
    missing = tmp_path / "missing.storekit"
    ended = subprocess.run(
        [binary(), "store", "--port", "0", "--catalog", missing], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 78
    assert "missing.storekit" in ended.stderr


class Customers:
    """Customers who buy concurrently and repeatedly until the store is killed."""

    def __init__(self, store, count):
        self.answered = []
        self._store = store
        self._purchase_count = threading.Semaphore(0)
        self._threads = [threading.Thread(target=self._buy) for _ in range(count)]

    def _buy(self):
        try:
            while True:
                account = self._store.new_account()
                purchase = decoded_payload(self._store.buy(account, "coins.100")["signedTransactionInfo"])
                self.answered.append((account, purchase["transactionId"]))
                self._purchase_count.release()
        except requests.ConnectionError:
            pass

    def kill_store_during_purchases(self, after):
        for thread in self._threads:
            thread.start()
        for _ in range(after):
            assert self._purchase_count.acquire(timeout=CALL_SECONDS_MAX)
        self._store.kill()
        for thread in self._threads:
            thread.join(CALL_SECONDS_MAX)
            assert not thread.is_alive()


def test_answered_purchases_survive_sigkill_and_identifiers_continue(start_store, tmp_path):
    data = tmp_path / "store.data"
    answered = []
    for after in (1, 20, 50):
        store = start_store(data=data)
        before = store.get("status")["transactions"]
        customers = Customers(store, count=4)
        customers.kill_store_during_purchases(after)
        answered += customers.answered
        assert before <= len(answered)

    store = start_store(data=data)
    client, verifier = store.client(), store.verifier()
    for account, transaction_id in answered:
        assert store.get(f"accounts/{account}")["accountId"] == account
        signed = client.get_transaction_info(transaction_id).signedTransactionInfo
        assert verifier.verify_and_decode_signed_transaction(signed).transactionId == transaction_id
    sold = store.get("status")["transactions"]
    # The store may also have purchases without a response: at most one for each customer and each kill.
    assert len(answered) <= sold <= len(answered) + 3 * 4
    assert len({transaction_id for _, transaction_id in answered}) == len(answered)

    newest = max(int(transaction_id) for _, transaction_id in answered)
    again = decoded_payload(store.buy(store.new_account(), "coins.100")["signedTransactionInfo"])
    assert int(again["transactionId"]) > newest
    assert store.get("status")["transactions"] == sold + 1


def kill_store_during_an_advance(store, receiver, after):
    """Kills the store during an advance, after the given number of notifications."""
    wanted = len(receiver.bodies) + after

    def advance():
        try:
            store.advance("P3Y")
        except requests.ConnectionError:
            pass

    advancing = threading.Thread(target=advance)
    advancing.start()
    deadline = time.monotonic() + CALL_SECONDS_MAX
    while len(receiver.bodies) < wanted:
        assert time.monotonic() < deadline
        time.sleep(0.001)
    store.kill()
    advancing.join(CALL_SECONDS_MAX)
    assert not advancing.is_alive()


def test_a_store_that_is_killed_during_an_advance_keeps_its_data(
    start_store, receiver, tmp_path
):
    data = tmp_path / "store.data"
    store = start_store(data=data)
    purchase = decoded_payload(store.buy(store.new_account(), "pro.weekly")["signedTransactionInfo"])
    store.send_notifications_to(receiver.url)
    for after in (1, 10, 60):
        before = store.get("clock")["now"]
        kill_store_during_an_advance(store, receiver, after)
        store = start_store(data=data)
        assert store.get("clock")["now"] >= before
        info = store.client().get_transaction_info(purchase["transactionId"])
        assert decoded_payload(info.signedTransactionInfo)["originalTransactionId"] == purchase["transactionId"]

    store.advance("P7D")
    notifications = store.notifications()
    assert [attempt["sendAttemptResult"] for attempt in notifications[-1]["attempts"]] == ["SUCCESS"]
    store.kill()
    store = start_store(data=data)
    assert store.notifications() == notifications


def test_a_truncated_entry_is_ignored_and_a_changed_entry_is_refused(start_store, tmp_path):
    data = tmp_path / "store.data"
    store = start_store(data=data)
    for _ in range(3):
        store.buy(store.new_account(), "coins.100")
    store.kill()
    complete = data.read_bytes()

    data.write_bytes(complete[:-1])
    store = start_store(data=data)
    assert store.get("status")["transactions"] == 2
    store.kill()

    changed = bytearray(complete)
    changed[-2] ^= 1
    data.write_bytes(changed)
    ended = subprocess.run(
        [binary(), "store", "--port", "0", "--data", data], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 78 and "data_damaged" in ended.stderr
    assert data.read_bytes() == changed


def test_the_store_answers_repeated_requests_that_offer_http_2(store):
    """Java's own client offers HTTP/2 by default: each request contains `Upgrade: h2c`."""
    assert_http_2_offers_are_answered(store.url, "/_store/clock")


def test_the_server_answers_repeated_requests_that_offer_http_2(store, tmp_path):
    server = SubscriptionServer(tmp_path / "serve.log", store.url, tmp_path / "perennial.db")
    try:
        assert_http_2_offers_are_answered(server.url, "/healthz")
    finally:
        server.stop()


def assert_http_2_offers_are_answered(url, path):
    offer = {"Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c", "HTTP2-Settings": "AAMAAABkAAQAAP__"}
    with requests.Session() as session:
        for _ in range(3):
            response = session.get(url + path, headers=offer, timeout=CALL_SECONDS_MAX)
            assert response.status_code == 200 and response.headers["Connection"] == "close"
