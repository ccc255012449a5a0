#!/usr/bin/env python3
"""Makes the seeds of the fuzzers from the published fixtures: `scripts/fuzz-corpus.py FOLDER`."""

import base64
import hashlib
import json
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KINDS = ["notification", "transaction", "renewal", "app_transaction", "realtime_request"]


def whole_text(kind: str) -> bytes:
    """The byte by which FuzzJWS takes the rest as a whole text of that kind."""
    return bytes([2 * KINDS.index(kind)])


def signed_payload(kind: str) -> bytes:
    """The byte by which FuzzJWS signs the rest as a payload of that kind."""
    return bytes([2 * KINDS.index(kind) + 1])


def decoded(segment: str) -> bytes | None:
    try:
        return base64.urlsafe_b64decode(segment + "=" * (-len(segment) % 4))
    except ValueError:
        return None


def certificates(header: bytes) -> bytes | None:
    """A chain as FuzzChain reads it: each certificate after its length."""
    try:
        chain = [base64.b64decode(item, validate=True) for item in json.loads(header)["x5c"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return b"".join(len(item).to_bytes(2, "big") + item for item in chain if len(item) < 1 << 16)


def seeds_of(case: dict) -> list[tuple[str, bytes]]:
    text = case["input"].encode()
    if case["kind"] == "receipt":
        try:
            return [("FuzzReceipt", base64.b64decode(text, validate=True)), ("FuzzReceipt", text)]
        except ValueError:
            return [("FuzzReceipt", text)]
    seeds = [("FuzzJWS", whole_text(case["kind"]) + text)]
    segments = case["input"].split(".")
    if len(segments) == 3:
        header, payload = decoded(segments[0]), decoded(segments[1])
        if header and (chain := certificates(header)):
            seeds.append(("FuzzChain", chain))
        if payload:
            seeds += [("FuzzJWS", signed_payload(case["kind"]) + payload), ("FuzzNotification", payload)]
    return seeds


def main() -> int:
    folder = Path(sys.argv[1])
    seeds: list[tuple[str, bytes]] = []
    roots: set[str] = set()
    for path in sorted((ROOT / "Fixtures" / "adversarial").glob("*/*.json")):
        case = json.loads(path.read_text())
        seeds += seeds_of(case)
        if case["kind"] == "receipt" and case["expected"]["verdict"] == "verified":
            roots.update(case["trust"]["roots"])
    catalogues = [ROOT / "Fuzzing" / "Seeds"]
    if vectors := os.environ.get("PERENNIAL_VECTORS"):
        catalogues.append(Path(vectors) / "storekit")
    seeds += [("FuzzCatalog", path.read_bytes()) for catalogue in catalogues for path in catalogue.glob("*.storekit")]
    for target, content in seeds:
        target_folder = folder / target
        target_folder.mkdir(parents=True, exist_ok=True)
        (target_folder / hashlib.sha256(content).hexdigest()[:16]).write_bytes(content)
    (folder / "receipt-root.pem").write_text(sorted(roots)[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
