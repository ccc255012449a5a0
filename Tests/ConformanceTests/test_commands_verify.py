"""`perennial verify`: accepts data that the local store signed, with the store's root, and refuses other data."""

import base64
import json

import jwt
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from perennial_command import perennial


def decoded_payload(signed):
    return jwt.decode(signed, options={"verify_signature": False})


class SignedSamples:
    """The signed data of a store with one purchase, and the options that verify it."""

    def __init__(self, store, folder):
        self.store = store
        self.credentials = store.credentials
        self.root = folder / "root.pem"
        self.root.write_text(self.credentials["rootCertificate"])
        self.purchase = store.buy(store.new_account(), "pro.monthly")
        self.notification = store.notifications()[0]["signedPayload"]

    def signed(self, kind):
        return {
            "transaction": self.purchase["signedTransactionInfo"],
            "renewal": self.purchase["signedRenewalInfo"],
            "notification": self.notification,
        }[kind]

    def options(self, **changed):
        given = {
            "bundle-id": self.credentials["bundleId"],
            "environment": self.credentials["environment"],
            "app-apple-id": self.credentials["appAppleId"],
            "root": self.root,
        } | changed
        return [argument for name, value in given.items() if value is not None for argument in (f"--{name}", value)]

    def verify(self, signed, *arguments, **changed):
        return perennial("verify", "-", *self.options(**changed), *arguments, stdin=signed)


@pytest.fixture
def samples(store, tmp_path):
    return SignedSamples(store, tmp_path)


KINDS = ["transaction", "renewal", "notification"]


@pytest.mark.parametrize("kind", KINDS)
def test_data_that_the_store_signs_is_verified_and_decoded(store_of_each_environment, tmp_path, kind):
    samples = SignedSamples(store_of_each_environment, tmp_path)
    signed = samples.signed(kind)
    ended = samples.verify(signed, "--json")
    assert ended.status == 0, ended
    assert ended.json == {"verified": True, "kind": kind, "payload": decoded_payload(signed)}
    assert perennial("decode", "-", "--json", stdin=signed).json["payload"] == ended.json["payload"]


def test_a_root_can_be_in_der_and_several_roots_can_be_given(samples, tmp_path):
    der = tmp_path / "root.der"
    der.write_bytes(x509.load_pem_x509_certificate(samples.root.read_bytes()).public_bytes(Encoding.DER))
    signed = samples.signed("transaction")
    assert samples.verify(signed, root=der).status == 0
    two_roots = tmp_path / "foreign.pem"
    two_roots.write_text(samples.root.read_text() + samples.root.read_text())
    assert samples.verify(signed, "--root", two_roots, root=der).status == 0


def refusal(ended, reason):
    assert ended.status == 1, ended
    answer = ended.json
    assert answer["verified"] is False and "payload" not in answer
    assert answer["reason"] == reason, answer
    assert answer["message"]
    return answer


def test_without_the_stores_root_the_chain_is_not_trusted(samples):
    refusal(samples.verify(samples.signed("transaction"), "--json", root=None), "chain_not_trusted")


def test_a_changed_byte_is_refused(samples):
    header, payload, signature = samples.signed("transaction").split(".")
    changed = base64.urlsafe_b64decode(payload + "==").replace(b"PURCHASED", b"PURCHASEE")
    forged = ".".join([header, base64.urlsafe_b64encode(changed).rstrip(b"=").decode(), signature])
    refusal(samples.verify(forged, "--json"), "signature_invalid")


@pytest.mark.parametrize("changed, reason", [
    ({"bundle-id": "com.example.other"}, "bundle_id_mismatch"),
    ({"environment": "production"}, "environment_mismatch"),
    ({"environment": "xcode"}, "environment_mismatch"),
])
def test_data_of_another_app_or_environment_is_refused(samples, changed, reason):
    refusal(samples.verify(samples.signed("transaction"), "--json", **changed), reason)


def test_a_production_notification_requires_the_app_apple_id(start_store, tmp_path):
    samples = SignedSamples(start_store(environment="production"), tmp_path)
    for apple_id in (None, "1"):
        refusal(samples.verify(samples.notification, "--json", **{"app-apple-id": apple_id}), "app_apple_id_mismatch")


def test_a_text_of_another_kind_than_requested_is_refused(samples):
    answer = refusal(samples.verify(samples.signed("renewal"), "--json", "--kind", "notification"), "payload_malformed")
    assert answer["kind"] == "notification"


@pytest.mark.parametrize("bad", [b"hello", b"\x00\xff" * 500, b"a.b.c", b"{}", b"[" * 5000, b"..", b" "])
def test_malformed_input_is_refused_with_a_reason(samples, bad):
    answer = refusal(samples.verify(bad, "--json"), "malformed_jws")
    assert answer["kind"] is None


def test_only_one_line_break_at_the_end_is_accepted(samples):
    signed = samples.signed("transaction")
    for form in (signed + "\n", signed + "\r\n", json.dumps({"signedTransactionInfo": signed})):
        assert samples.verify(form).status == 0
    for form in (" " + signed, signed + " ", signed + "\n\n", signed + "\r"):
        refusal(samples.verify(form, "--json"), samples.verify(form, "--json").json["reason"])


def test_the_first_line_of_readable_output_is_the_result(samples):
    verified = samples.verify(samples.signed("transaction"))
    assert verified.stdout.startswith("verified: transaction\n")
    refused = samples.verify(samples.signed("transaction"), root=None)
    assert refused.status == 1
    assert refused.stdout.startswith("refused: chain_not_trusted: ")


def test_explain_shows_the_outcome_of_each_check(samples):
    explained = samples.verify(samples.signed("notification"), "--explain")
    assert explained.status == 0 and explained.stdout.startswith("verified: notification\n")
    steps = samples.verify(samples.signed("notification"), "--explain", "--json", root=None).json["steps"]
    outcomes = {step["name"]: step["outcome"] for step in steps}
    assert outcomes["form"] == "passed" and outcomes["root"] == "failed" and outcomes["app"] == "not_reached"


def test_the_certificates_can_be_checked_at_another_time(samples):
    signed = samples.signed("transaction")
    assert samples.verify(signed, "--at", decoded_payload(signed)["signedDate"]).status == 0
    for time in ("4102444800000000", "1990-01-01"):
        refusal(samples.verify(signed, "--json", "--at", time), "certificate_not_valid")


@pytest.mark.parametrize("content", [
    None, b"", b"hello", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
])
def test_an_invalid_root_is_a_wrong_configuration(samples, tmp_path, content):
    file = tmp_path / "bad.pem"
    if content is not None:
        file.write_bytes(content)
    ended = samples.verify(samples.signed("transaction"), root=file)
    assert ended.status == 78 and ended.stdout == ""
    assert "error: " in ended.stderr


@pytest.mark.parametrize("changed", [
    {"bundle-id": None}, {"environment": None}, {"environment": "moon"}, {"app-apple-id": "x"}, {"kind": "receipt"},
    {"at": "noon"},
])
def test_wrong_usage_exits_with_64(samples, changed):
    ended = samples.verify(samples.signed("transaction"), **changed)
    assert ended.status == 64 and ended.stdout == ""


def test_missing_inputs_folders_and_empty_inputs_are_reported(samples, tmp_path):
    options = samples.options()
    missing = perennial("verify", tmp_path / "missing.jws", *options)
    assert missing.status == 1 and "input_not_found" in missing.stderr and missing.stdout == ""
    assert "input_is_a_folder" in perennial("verify", tmp_path, *options).stderr
    assert "input_empty" in perennial("verify", "-", *options).stderr


def test_the_help_has_an_example():
    ended = perennial("verify", "--help")
    assert ended.status == 0 and "Example:" in ended.stdout
