"""`perennial receipt`: a real receipt verifies offline, and what is none says why there is no transaction id."""

import base64
import json
import os
from pathlib import Path

import pytest

from perennial_command import perennial


@pytest.fixture
def vectors():
    """Real receipts; where the folder is named, a missing file is a failure."""
    folder = os.environ.get("PERENNIAL_VECTORS")
    if not folder:
        pytest.skip("PERENNIAL_VECTORS does not name the folder of test vectors")
    return Path(folder)


@pytest.fixture
def real(vectors):
    return (vectors / "receipts/sandbox-app-receipt.base64.txt").read_bytes()


def test_a_real_receipt_of_the_sandbox_verifies_without_asking_apple(real):
    ended = perennial("receipt", "-", "--json", stdin=real)
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
def test_the_receipt_may_come_as_its_file_or_in_a_body(real, tmp_path, form):
    text = real.decode().strip()
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
    assert ended.json == perennial("receipt", "-", "--json", stdin=real).json


def test_people_read_the_verdict_and_the_purchases(real):
    ended = perennial("receipt", "-", stdin=real)
    first = perennial("receipt", "-", "--json", stdin=real).json["transactionIds"][0]
    assert ended.stdout.startswith("verified: receipt\n")
    assert f"transaction {first['transactionId']} of {first['productId']}" in ended.stdout


def refusal(ended, reason):
    assert ended.status == 1, ended
    answer = ended.json
    assert answer["verified"] is False
    assert answer["reason"] == reason, answer
    assert answer["message"]
    return answer


def test_another_root_app_or_environment_is_refused_and_the_fields_are_shown(real, vectors):
    bundle_id = perennial("receipt", "-", "--json", stdin=real).json["bundleId"]
    for options, reason in [
        (("--root", vectors / "apple-pki/AppleRootCA-G3.der"), "chain_not_trusted"),
        (("--bundle-id", "com.example.other"), "bundle_id_mismatch"),
        (("--environment", "production"), "environment_mismatch"),
    ]:
        answer = refusal(perennial("receipt", "-", "--json", *options, stdin=real), reason)
        assert answer["bundleId"] == bundle_id and answer["transactionIds"]
    accepted = perennial("receipt", "-", "--bundle-id", bundle_id, "--environment", "sandbox", stdin=real)
    assert accepted.status == 0, accepted


def test_the_certificates_may_be_asked_to_be_valid_at_another_time(real):
    assert perennial("receipt", "-", "--at", "2020-07-23", stdin=real).status == 0
    for time in ("1990-01-01", "4102444800000000"):
        ended = perennial("receipt", "-", "--json", "--at", time, stdin=real)
        assert ended.status == 1 and ended.json["reason"] == "certificate_not_valid", ended


def test_a_changed_byte_is_refused(real):
    receipt = bytearray(base64.b64decode(real))
    position = receipt.find(b"P7MTransaction") if b"P7MTransaction" in receipt else receipt.find(b"\x0c") + 4
    receipt[position] ^= 1
    ended = perennial("receipt", "-", "--json", stdin=bytes(receipt))
    assert ended.status == 1 and ended.json["verified"] is False


@pytest.mark.parametrize("name", ["xcode-app-receipt-empty", "xcode-app-receipt-with-transaction"])
def test_receipts_of_xcode_decode_and_are_refused(vectors, name):
    answer = refusal(perennial("receipt", vectors / "xcode" / name, "--json"), "receipt_from_xcode")
    assert answer["bundleId"] and answer["environment"] == "Xcode"
    assert answer["absence"]["reason"] == "xcode_receipt" and answer["transactionIds"] == []


OLD = base64.b64encode(
    b'{\n\t"signature" = "AAAA";\n\t"purchase-info" = "'
    + base64.b64encode(b'{\n\t"transaction-id" = "33993399";\n\t"original-transaction-id" = "1000";\n'
                       b'\t"product-id" = "pro.monthly";\n\t"bid" = "com.example.app";\n}')
    + b'";\n\t"environment" = "Sandbox";\n\t"pod" = "100";\n\t"signing-status" = "0";\n}'
)


def test_an_old_transaction_receipt_gives_its_id_and_is_not_verified():
    answer = refusal(perennial("receipt", "-", "--json", stdin=OLD), "receipt_malformed")
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
    (base64.b64encode(OLD), "doubly_encoded"),
    (b"\x30\x82\xff\xff" + b"\x00" * 64, "truncated"),
    (bytes(range(128, 256)) * 50, "not_base64"),
])
def test_what_is_no_receipt_says_why_there_is_no_id(content, absence):
    ended = perennial("receipt", "-", "--json", stdin=content)
    assert ended.status == 1, ended
    answer = ended.json
    assert answer["verified"] is False and answer["reason"]
    assert answer["bundleId"] is None and answer["environment"] is None and answer["transactionIds"] == []
    assert answer["absence"]["reason"] == absence and answer["absence"]["message"]


def test_a_receipt_that_was_cut_off_says_so(real):
    answer = perennial("receipt", "-", "--json", stdin=real.strip()[:2000]).json
    assert answer["reason"] == "receipt_truncated" and answer["absence"]["reason"] == "truncated"


def test_inputs_that_are_not_there_are_named(tmp_path):
    missing = perennial("receipt", tmp_path / "missing", "--json")
    assert missing.status == 1 and "input_not_found" in missing.stderr and missing.stdout == ""
    assert "input_is_a_folder" in perennial("receipt", tmp_path).stderr
    assert "input_empty" in perennial("receipt", "-").stderr


def test_a_root_that_is_none_is_a_wrong_configuration(tmp_path):
    file = tmp_path / "root"
    file.write_text("hello")
    assert perennial("receipt", "-", "--root", file, stdin=OLD).status == 78
    assert perennial("receipt", "-", "--root", tmp_path / "missing", stdin=OLD).status == 78


@pytest.mark.parametrize("arguments", [(), ("-", "extra"), ("-", "--environment", "moon"), ("-", "--at", "noon")])
def test_wrong_usage_ends_with_64(arguments):
    ended = perennial("receipt", *arguments, stdin=OLD)
    assert ended.status == 64 and ended.stdout == ""


def test_the_help_has_an_example():
    ended = perennial("receipt", "--help")
    assert ended.status == 0 and "Example:" in ended.stdout
