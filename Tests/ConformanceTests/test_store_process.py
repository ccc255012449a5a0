"""The program itself: what the same seed gives, and how it starts and stops."""

import socket
import subprocess

import jwt
import requests

from local_store import binary


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
