"""The two judges of the adversarial vectors: this project's program, and Apple's Python library."""

import base64
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.receipt_utility import ReceiptUtility
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException

VERIFIED, REFUSED, CRASHED = "verified", "refused", "crashed"
# Apple's library is asked by the method for the kind; it has no verification of receipts.
METHODS = {
    "notification": "verify_and_decode_notification",
    "transaction": "verify_and_decode_signed_transaction",
    "renewal": "verify_and_decode_renewal_info",
    "app_transaction": "verify_and_decode_app_transaction",
    "realtime_request": "verify_and_decode_realtime_request",
}


@dataclass(frozen=True)
class Judgement:
    """What a judge says of a case."""

    verdict: str
    reason: str | None = None


def certificate(pem: str) -> bytes:
    return base64.b64decode("".join(line for line in pem.splitlines() if not line.startswith("-----")))


def judge_by_apple(case: dict) -> Judgement | None:
    """Apple's verdict without online checks; None where its library has no such check."""
    trust = case["trust"]
    if case["kind"] == "receipt" or "at" in trust:
        return None
    verifier = SignedDataVerifier(
        [certificate(pem) for pem in trust["roots"]],
        False,
        Environment(trust["environment"]),
        trust["bundleId"],
        trust.get("appAppleId"),
    )
    try:
        getattr(verifier, METHODS[case["kind"]])(case["input"])
    except VerificationException as refused:
        return Judgement(REFUSED, refused.status.name)
    except Exception as undocumented:  # its documentation names VerificationException only
        return Judgement(REFUSED, f"{type(undocumented).__name__} (undocumented)")
    return Judgement(VERIFIED)


def identifier_by_apple(case: dict) -> str:
    """What Apple's ReceiptUtility answers, which verifies nothing."""
    try:
        found = ReceiptUtility().extract_transaction_id_from_app_receipt(case["input"])
    except ValueError:
        return "refused"
    return "none" if found is None else "identifier"


def judge_by_program(program: Path, case: dict, folder: Path) -> Judgement:
    """The verdict of `perennial verify` or `perennial receipt`."""
    trust = case["trust"]
    with tempfile.TemporaryDirectory(dir=folder) as name:
        own = Path(name)
        (own / "input").write_text(case["input"], newline="")
        command = [str(program), "receipt" if case["kind"] == "receipt" else "verify", str(own / "input"), "--json"]
        for number, pem in enumerate(trust["roots"]):
            (own / f"root-{number}.pem").write_text(pem)
            command += ["--root", str(own / f"root-{number}.pem")]
        if case["kind"] != "receipt":
            command += ["--bundle-id", trust["bundleId"], "--environment", trust["environment"], "--kind", case["kind"]]
            command += ["--app-apple-id", str(trust["appAppleId"])] if "appAppleId" in trust else []
            command += ["--at", str(trust["at"])] if "at" in trust else []
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60, env=_environment())
    if done.returncode == 1 and not done.stdout and (error := re.match(r"error: ([a-z_]+):", done.stderr)):
        return Judgement(REFUSED, error[1])  # nothing was read, so there is no verdict to print
    try:
        answer = json.loads(done.stdout)
        verified = answer["verified"]
    except (ValueError, KeyError, TypeError):
        print(f"{case['name']}: exit status {done.returncode}: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return Judgement(CRASHED, f"exit status {done.returncode}")
    if done.returncode != (0 if verified else 1):
        return Judgement(CRASHED, f"exit status {done.returncode} beside verified: {verified}")
    return Judgement(VERIFIED) if verified else Judgement(REFUSED, answer.get("reason"))


def _environment() -> dict:
    """No configuration of the caller's reaches the program."""
    return {key: value for key, value in os.environ.items() if not key.startswith("PERENNIAL_")}
