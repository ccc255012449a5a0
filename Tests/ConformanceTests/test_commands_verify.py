"""`perennial verify`: what the local store signed is believed with its root, and nothing else is."""

import base64
import json

import jwt
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from perennial_command import perennial


def unsigned(signed):
    return jwt.decode(signed, options={"verify_signature": False})


class Shop:
    """A store with one purchase, and the options that make its data believed."""

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
        return [word for name, value in given.items() if value is not None for word in (f"--{name}", value)]

    def verify(self, signed, *arguments, **changed):
        return perennial("verify", "-", *self.options(**changed), *arguments, stdin=signed)


@pytest.fixture
def shop(store, tmp_path):
    return Shop(store, tmp_path)


KINDS = ["transaction", "renewal", "notification"]


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_store_signs_verifies_and_decodes(store_of_each_environment, tmp_path, kind):
    shop = Shop(store_of_each_environment, tmp_path)
    signed = shop.signed(kind)
    ended = shop.verify(signed, "--json")
    assert ended.status == 0, ended
    assert ended.json == {"verified": True, "kind": kind, "payload": unsigned(signed)}
    assert perennial("decode", "-", "--json", stdin=signed).json["payload"] == ended.json["payload"]


def test_a_root_may_be_in_der_and_beside_others(shop, tmp_path):
    der = tmp_path / "root.der"
    der.write_bytes(x509.load_pem_x509_certificate(shop.root.read_bytes()).public_bytes(Encoding.DER))
    signed = shop.signed("transaction")
    assert shop.verify(signed, root=der).status == 0
    foreign = tmp_path / "foreign.pem"
    foreign.write_text(shop.root.read_text() + shop.root.read_text())
    assert shop.verify(signed, "--root", foreign, root=der).status == 0


def refusal(ended, reason):
    assert ended.status == 1, ended
    answer = ended.json
    assert answer["verified"] is False and "payload" not in answer
    assert answer["reason"] == reason, answer
    assert answer["message"]
    return answer


def test_without_the_root_the_store_is_not_apple(shop):
    refusal(shop.verify(shop.signed("transaction"), "--json", root=None), "chain_not_trusted")


def test_a_changed_byte_is_refused(shop):
    header, payload, signature = shop.signed("transaction").split(".")
    changed = base64.urlsafe_b64decode(payload + "==").replace(b"PURCHASED", b"PURCHASEE")
    forged = ".".join([header, base64.urlsafe_b64encode(changed).rstrip(b"=").decode(), signature])
    refusal(shop.verify(forged, "--json"), "signature_invalid")


@pytest.mark.parametrize("changed, reason", [
    ({"bundle-id": "com.example.other"}, "bundle_id_mismatch"),
    ({"environment": "production"}, "environment_mismatch"),
    ({"environment": "xcode"}, "environment_mismatch"),
])
def test_data_of_another_app_or_environment_is_refused(shop, changed, reason):
    refusal(shop.verify(shop.signed("transaction"), "--json", **changed), reason)


def test_a_production_notification_needs_the_apps_number(start_store, tmp_path):
    shop = Shop(start_store(environment="production"), tmp_path)
    for number in (None, "1"):
        refusal(shop.verify(shop.notification, "--json", **{"app-apple-id": number}), "app_apple_id_mismatch")


def test_a_text_of_another_kind_than_asked_for_is_refused(shop):
    answer = refusal(shop.verify(shop.signed("renewal"), "--json", "--kind", "notification"), "payload_malformed")
    assert answer["kind"] == "notification"


@pytest.mark.parametrize("bad", [b"hello", b"\x00\xff" * 500, b"a.b.c", b"{}", b"[" * 5000, b"..", b" "])
def test_garbage_is_refused_with_a_reason(shop, bad):
    answer = refusal(shop.verify(bad, "--json"), "malformed_jws")
    assert answer["kind"] is None


def test_only_one_line_break_at_the_end_is_forgiven(shop):
    signed = shop.signed("transaction")
    for form in (signed + "\n", signed + "\r\n", json.dumps({"signedTransactionInfo": signed})):
        assert shop.verify(form).status == 0
    for form in (" " + signed, signed + " ", signed + "\n\n", signed + "\r"):
        refusal(shop.verify(form, "--json"), shop.verify(form, "--json").json["reason"])


def test_people_read_the_verdict_in_the_first_line(shop):
    verified = shop.verify(shop.signed("transaction"))
    assert verified.stdout.startswith("verified: transaction\n")
    refused = shop.verify(shop.signed("transaction"), root=None)
    assert refused.status == 1
    assert refused.stdout.startswith("refused: chain_not_trusted: ")


def test_the_decision_is_explained_check_by_check(shop):
    told = shop.verify(shop.signed("notification"), "--explain")
    assert told.status == 0 and told.stdout.startswith("verified: notification\n")
    steps = shop.verify(shop.signed("notification"), "--explain", "--json", root=None).json["steps"]
    outcomes = {step["name"]: step["outcome"] for step in steps}
    assert outcomes["form"] == "passed" and outcomes["root"] == "failed" and outcomes["app"] == "not_reached"


def test_the_certificates_may_be_asked_to_be_valid_at_another_time(shop):
    signed = shop.signed("transaction")
    assert shop.verify(signed, "--at", unsigned(signed)["signedDate"]).status == 0
    for time in ("4102444800000000", "1990-01-01"):
        refusal(shop.verify(signed, "--json", "--at", time), "certificate_not_valid")


@pytest.mark.parametrize("content", [
    None, b"", b"hello", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
])
def test_a_root_that_is_none_is_a_wrong_configuration(shop, tmp_path, content):
    file = tmp_path / "bad.pem"
    if content is not None:
        file.write_bytes(content)
    ended = shop.verify(shop.signed("transaction"), root=file)
    assert ended.status == 78 and ended.stdout == ""
    assert "error: " in ended.stderr


@pytest.mark.parametrize("changed", [
    {"bundle-id": None}, {"environment": None}, {"environment": "moon"}, {"app-apple-id": "x"}, {"kind": "receipt"},
    {"at": "noon"},
])
def test_wrong_usage_ends_with_64(shop, changed):
    ended = shop.verify(shop.signed("transaction"), **changed)
    assert ended.status == 64 and ended.stdout == ""


def test_inputs_that_are_not_there_are_named(shop, tmp_path):
    options = shop.options()
    missing = perennial("verify", tmp_path / "missing.jws", *options)
    assert missing.status == 1 and "input_not_found" in missing.stderr and missing.stdout == ""
    assert "input_is_a_folder" in perennial("verify", tmp_path, *options).stderr
    assert "input_empty" in perennial("verify", "-", *options).stderr


def test_the_help_has_an_example():
    ended = perennial("verify", "--help")
    assert ended.status == 0 and "Example:" in ended.stdout
