#!/usr/bin/env python3
"""Measures Perennial's verifier and Apple's Python library on data of the same kind, in one run.

Run it with the Python of the conformance tests, which has Apple's library:

    make release test
    PERENNIAL_BINARY=.build/release/perennial .venv/bin/python scripts/compare-with-apples-library.py

Apple's library verifies a notification and a transaction that a local store of the same binary signed, without online
checks; Perennial's figures come from `perennial bench verify --json`. Times are CPU time on one core. Prints a
Markdown table.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "ConformanceTests"))

from local_store import LocalStore, binary  # noqa: E402

MEASURED_SECONDS = 3.0


def per_second(work):
    """How often `work` is done per second of CPU time, after a first round that warms up."""
    work()
    rounds, start = 0, time.process_time()
    while (spent := time.process_time() - start) < MEASURED_SECONDS:
        work()
        rounds += 1
    return rounds / spent


def signed_samples(store):
    """A transaction, and a notification with a transaction and renewal information inside."""
    sale = store.buy(store.new_account(), "pro.monthly")
    notification = store.notifications()[0]
    return sale["signedTransactionInfo"], notification["signedPayload"]


def apples_figures():
    """Verified transactions and notifications per second with Apple's library."""
    with tempfile.NamedTemporaryFile() as log:
        store = LocalStore(log.name)
        try:
            transaction, notification = signed_samples(store)
            verifier = store.verifier()
        finally:
            store.stop()

    def whole_notification():
        payload = verifier.verify_and_decode_notification(notification)
        verifier.verify_and_decode_signed_transaction(payload.data.signedTransactionInfo)
        verifier.verify_and_decode_renewal_info(payload.data.signedRenewalInfo)

    return (
        per_second(lambda: verifier.verify_and_decode_signed_transaction(transaction)),
        per_second(whole_notification),
    )


def our_figures():
    """The same of this program, and the raw P-256 checks of the same run."""
    output = subprocess.run(
        [str(binary()), "bench", "verify", "--json"], check=True, capture_output=True, text=True, timeout=600
    ).stdout
    return json.loads(output)


def main():
    ours = our_figures()
    transactions, notifications = apples_figures()
    print("| CPU time on one core | Perennial | Apple's Python library 3.1.2 | ratio |")
    print("| --- | ---: | ---: | ---: |")
    for name, mine, theirs in [
        ("verified transactions per second", ours["transactions_per_second"], transactions),
        ("verified notifications per second, inner payloads included", ours["notifications_per_second"], notifications),
    ]:
        print(f"| {name} | {mine:,.0f} | {theirs:,.0f} | {mine / theirs:,.0f} |")


if __name__ == "__main__":
    main()
