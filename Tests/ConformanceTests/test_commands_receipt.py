"""`perennial receipt`: verifies real receipts offline, and explains why other input has no transaction id."""

import base64
import json
import os
from pathlib import Path

import pytest

from perennial_command import perennial


@pytest.fixture
def vectors():
    """The folder with real receipts. If PERENNIAL_VECTORS is set, a missing file is a failure."""
    folder = os.environ.get("PERENNIAL_VECTORS")
    if not folder:
        pytest.skip("PERENNIAL_VECTORS does not name the folder of test vectors")
    return Path(folder)


@pytest.fixture
def real_receipt(vectors):
    return (vectors / "receipts/sandbox-app-receipt.base64.txt").read_bytes()


def test_a_real_sandbox_receipt_is_verified_offline(real_receipt):
    ended = perennial("receipt", "-", "--json", stdin=real_receipt)
    assert ended.status == 0, ended
    answer = ended.json
    assert answer["verified"] is True
    assert answer["environment"] == "Sandbox"
    assert answer["bundleId"]
    assert answer["transactionIds"] and "absence" not in answer
    for transaction in answer["transactionIds"]:
        assert set(transaction) == {"transactionId", "originalTransactionId", "productId"}
        assert transaction["transactionId"].isdigit()


@pytest.mark.parametrize("form", ["bytes", "wrapped", "receipt-data", "quoted"])
def test_a_receipt_is_accepted_as_bytes_as_base64_and_as_json(real_receipt, tmp_path, form):
    text = real_receipt.decode().strip()
    content = {
        "bytes": base64.b64decode(text),
        "wrapped": b"\n".join(text[i:i + 64].encode() for i in range(0, len(text), 64)) + b"\n",
        "receipt-data": json.dumps({"receipt-data": text, "password": "secret"}).encode(),
        "quoted": json.dumps(text).encode(),
    }[form]
    file = tmp_path / "receipt"
    file.write_bytes(content)
    ended = perennial("receipt", file, "--json")
    assert ended.status == 0, ended
    assert ended.json == perennial("receipt", "-", "--json", stdin=real_receipt).json


def test_readable_output_shows_the_result_and_the_purchases(real_receipt):
    ended = perennial("receipt", "-", stdin=real_receipt)
    first = perennial("receipt", "-", "--json", stdin=real_receipt).json["transactionIds"][0]
    assert ended.stdout.startswith("verified: receipt\n")
    assert f"transaction {first['transactionId']} of {first['productId']}" in ended.stdout


def refusal(ended, reason):
    assert ended.status == 1, ended
    answer = ended.json
    assert answer["verified"] is False
    assert answer["reason"] == reason, answer
    assert answer["message"]
    return answer


def test_another_root_app_or_environment_is_refused_and_the_fields_are_shown(real_receipt, vectors):
    bundle_id = perennial("receipt", "-", "--json", stdin=real_receipt).json["bundleId"]
    for options, reason in [
        (("--root", vectors / "apple-pki/AppleRootCA-G3.der"), "chain_not_trusted"),
        (("--bundle-id", "com.example.other"), "bundle_id_mismatch"),
        (("--environment", "production"), "environment_mismatch"),
    ]:
        answer = refusal(perennial("receipt", "-", "--json", *options, stdin=real_receipt), reason)
        assert answer["bundleId"] == bundle_id and answer["transactionIds"]
    accepted = perennial("receipt", "-", "--bundle-id", bundle_id, "--environment", "sandbox", stdin=real_receipt)
    assert accepted.status == 0, accepted


def test_the_certificates_can_be_checked_at_another_time(real_receipt):
    assert perennial("receipt", "-", "--at", "2020-07-23", stdin=real_receipt).status == 0
    for time in ("1990-01-01", "4102444800000000"):
        ended = perennial("receipt", "-", "--json", "--at", time, stdin=real_receipt)
        assert ended.status == 1 and ended.json["reason"] == "certificate_not_valid", ended


def test_a_changed_byte_is_refused(real_receipt):
    receipt = bytearray(base64.b64decode(real_receipt))
    position = receipt.find(b"P7MTransaction") if b"P7MTransaction" in receipt else receipt.find(b"\x0c") + 4
    receipt[position] ^= 1
    ended = perennial("receipt", "-", "--json", stdin=bytes(receipt))
    assert ended.status == 1 and ended.json["verified"] is False


@pytest.mark.parametrize("name", ["xcode-app-receipt-empty", "xcode-app-receipt-with-transaction"])
def test_xcode_receipts_are_decoded_and_refused(vectors, name):
    answer = refusal(perennial("receipt", vectors / "xcode" / name, "--json"), "receipt_from_xcode")
    assert answer["bundleId"] and answer["environment"] == "Xcode"
    assert answer["absence"]["reason"] == "xcode_receipt" and answer["transactionIds"] == []


OLD_RECEIPT = base64.b64encode(
    b'{\n\t"signature" = "AAAA";\n\t"purchase-info" = "'
    + base64.b64encode(b'{\n\t"transaction-id" = "33993399";\n\t"original-transaction-id" = "1000";\n'
                       b'\t"product-id" = "pro.monthly";\n\t"bid" = "com.example.app";\n}')
    + b'";\n\t"environment" = "Sandbox";\n\t"pod" = "100";\n\t"signing-status" = "0";\n}'
)


def test_an_old_transaction_receipt_is_decoded_and_not_verified():
    answer = refusal(perennial("receipt", "-", "--json", stdin=OLD_RECEIPT), "receipt_malformed")
    assert "transaction receipt" in answer["message"]
    assert answer["transactionIds"] == [
        {"transactionId": "33993399", "originalTransactionId": "1000", "productId": "pro.monthly"}
    ]
    assert "absence" not in answer


@pytest.mark.parametrize("content, absence", [
    (b"hello, world", "not_base64"),
    (b"aGVsbG8=", "not_a_receipt"),
    (b" \n", "empty"),
    (b"eyJhbGciOiJFUzI1NiJ9.e30.AA", "jws"),
    (base64.b64encode(OLD_RECEIPT), "doubly_encoded"),
    (b"\x30\x82\xff\xff" + b"\x00" * 64, "truncated"),
    (bytes(range(128, 256)) * 50, "not_base64"),
])
def test_input_other_than_a_receipt_has_a_reason_for_the_missing_id(content, absence):
    ended = perennial("receipt", "-", "--json", stdin=content)
    assert ended.status == 1, ended
    answer = ended.json
    assert answer["verified"] is False and answer["reason"]
    assert answer["bundleId"] is None and answer["environment"] is None and answer["transactionIds"] == []
    assert answer["absence"]["reason"] == absence and answer["absence"]["message"]


def test_a_truncated_receipt_is_reported_as_truncated(real_receipt):
    answer = perennial("receipt", "-", "--json", stdin=real_receipt.strip()[:2000]).json
    assert answer["reason"] == "receipt_truncated" and answer["absence"]["reason"] == "truncated"


def test_missing_inputs_folders_and_empty_inputs_are_reported(tmp_path):
    missing = perennial("receipt", tmp_path / "missing", "--json")
    assert missing.status == 1 and "input_not_found" in missing.stderr and missing.stdout == ""
    assert "input_is_a_folder" in perennial("receipt", tmp_path).stderr
    assert "input_empty" in perennial("receipt", "-").stderr


def test_an_invalid_root_is_a_wrong_configuration(tmp_path):
    file = tmp_path / "root"
    file.write_text("hello")
    assert perennial("receipt", "-", "--root", file, stdin=OLD_RECEIPT).status == 78
    assert perennial("receipt", "-", "--root", tmp_path / "missing", stdin=OLD_RECEIPT).status == 78


@pytest.mark.parametrize("arguments", [(), ("-", "extra"), ("-", "--environment", "moon"), ("-", "--at", "noon")])
def test_wrong_usage_exits_with_64(arguments):
    ended = perennial("receipt", *arguments, stdin=OLD_RECEIPT)
    assert ended.status == 64 and ended.stdout == ""


def test_the_help_has_an_example():
    ended = perennial("receipt", "--help")
    assert ended.status == 0 and "Example:" in ended.stdout
