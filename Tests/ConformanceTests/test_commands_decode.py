"""`perennial decode`: shows the content of a signed text and never verifies it."""

import json

import jwt
import pytest

from perennial_command import perennial

NOT_VERIFIED = "not verified"


@pytest.fixture
def purchase(store):
    return store.buy(store.new_account(), "pro.monthly")


def decoded_payload(signed):
    return jwt.decode(signed, options={"verify_signature": False})


def test_the_header_and_the_payload_of_a_signed_text_are_printed(purchase, tmp_path):
    signed = purchase["signedTransactionInfo"]
    file = tmp_path / "transaction.jws"
    file.write_text(signed)
    ended = perennial("decode", file, "--json")
    assert ended.status == 0, ended
    assert ended.json == {"header": jwt.get_unverified_header(signed), "payload": decoded_payload(signed)}
    assert NOT_VERIFIED in ended.stderr


@pytest.mark.parametrize("form", ["{}", "  {}\r\n\t", "\ufeff{}\n", '"{}"', '{{"signedPayload": "{}"}}',
                                  ' {{"other": 1, "signedTransactionInfo": "{}"}}\n'])
def test_white_space_and_json_around_the_text_do_not_matter(purchase, form):
    signed = purchase["signedTransactionInfo"]
    ended = perennial("decode", "-", "--json", stdin=form.format(signed))
    assert ended.status == 0, ended
    assert ended.json["payload"] == decoded_payload(signed)


def test_nested_signed_data_of_a_notification_is_shown_on_request(store, purchase):
    notification = store.notifications()[0]["signedPayload"]
    plain = perennial("decode", "-", "--json", stdin=notification)
    assert set(plain.json) == {"header", "payload"}
    nested = perennial("decode", "-", "--json", "--nested", stdin=notification).json
    assert nested["payload"] == decoded_payload(notification)
    for name in ("signedTransactionInfo", "signedRenewalInfo"):
        inside = nested["payload"]["data"][name]
        assert nested["nested"][f"data.{name}"]["payload"] == decoded_payload(inside)


def test_readable_output_shows_certificates_dates_and_nested_data(store, purchase):
    ended = perennial("decode", "-", stdin=store.notifications()[0]["signedPayload"])
    assert ended.status == 0, ended
    assert "valid from" in ended.stdout
    assert "data.signedTransactionInfo {" in ended.stdout
    assert "(2026-01-31T09:00:00Z)" in ended.stdout
    assert NOT_VERIFIED in ended.stderr


def test_an_unsigned_text_is_decoded_too():
    forged = jwt.encode({"anything": "at all\x1b[2J\u009b2J"}, None, algorithm="none") + "AA"
    ended = perennial("decode", "-", "--json", stdin=forged)
    assert ended.json["header"]["alg"] == "none"
    readable = perennial("decode", "-", stdin=forged)
    assert "\x1b" not in readable.stdout and "\u009b" not in readable.stdout


@pytest.mark.parametrize("bad, code", [
    (b"one.two", "malformed_jws"),
    (b"a.b.c", "malformed_jws"),
    (bytes(range(256)), "malformed_jws"),
    (b"\x00" * 100_000, "malformed_jws"),
    (b"{" * 100_000, "malformed_jws"),
    (json.dumps({"signedPayload": 7}).encode(), "malformed_jws"),
    (b"eyJhbGciOiJFUzI1NiJ9.W10.AA", "payload_malformed"),
])
def test_input_other_than_a_signed_text_is_refused_with_a_reason(bad, code):
    ended = perennial("decode", "-", "--json", stdin=bad)
    assert ended.status == 1
    assert ended.stdout == ""
    assert f"error: {code}: " in ended.stderr
    assert ("This is JSON without a signed text" in ended.stderr) == (b"signedPayload" in bad)


def test_an_empty_input_is_reported_with_its_name(tmp_path):
    empty = tmp_path / "empty.jws"
    empty.touch()
    for arguments, name in [((empty,), "empty.jws"), (("-",), "standard input")]:
        ended = perennial("decode", *arguments)
        assert ended.status == 1
        assert "input_empty" in ended.stderr and name in ended.stderr


def test_a_missing_file_and_a_folder_are_reported(tmp_path):
    missing = perennial("decode", tmp_path / "missing.jws")
    assert missing.status == 1 and "input_not_found" in missing.stderr and "missing.jws" in missing.stderr
    folder = perennial("decode", tmp_path)
    assert folder.status == 1 and "input_is_a_folder" in folder.stderr


def test_an_endless_input_is_refused_before_it_fills_the_memory():
    ended = perennial("decode", "/dev/zero")
    assert ended.status == 1 and "input_too_large" in ended.stderr


@pytest.mark.parametrize("arguments", [(), ("a", "b"), ("--unknown", "a"), ("",)])
def test_wrong_usage_exits_with_64(arguments):
    ended = perennial("decode", *arguments)
    assert ended.status == 64
    assert ended.stdout == ""


def test_the_help_has_an_example():
    ended = perennial("decode", "--help")
    assert ended.status == 0
    assert "Example:" in ended.stdout and "never checks" in ended.stdout
