"""`perennial api`: every call, to a local store and to a server that records its requests."""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from perennial_command import perennial

PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 16
# A value that is valid for every path parameter.
VALUE = "2000000000000001"


def decoded_payload(signed):
    return jwt.decode(signed, options={"verify_signature": False})


class RecordingServer:
    """Records the requests and returns the responses that a test has set."""

    def __init__(self):
        self.requests = []
        self.answers = []
        recorder = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                recorder.requests.append((self.command, self.path, dict(self.headers), body))
                status, headers, content = recorder.answers.pop(0) if recorder.answers else (200, {}, b"{}")
                self.send_response(status)
                for name, value in ({"Content-Type": "application/json"} | headers).items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_DELETE = answer

            def log_message(self, *arguments):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def will_answer(self, status, body, **headers):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.answers.append((status, {name.replace("_", "-"): value for name, value in headers.items()}, content))

    def stop(self):
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def server():
    server = RecordingServer()
    yield server
    server.stop()


@pytest.fixture
def key_file(tmp_path):
    file = tmp_path / "key.p8"
    file.write_bytes(ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return file


@pytest.fixture
def settings(key_file):
    """The settings as environment variables."""
    return {
        "PERENNIAL_API_KEY_FILE": str(key_file),
        "PERENNIAL_API_KEY_ID": "ABC123DEFG",
        "PERENNIAL_API_ISSUER_ID": "57246542-96fe-1a63-e053-0824d011072a",
        "PERENNIAL_API_BUNDLE_ID": "com.example.app",
    }


CALLS = None


def calls():
    global CALLS
    if CALLS is None:
        CALLS = perennial("api", "--list", "--json").json
    return CALLS


# The list


def test_the_list_has_all_42_calls_with_method_path_and_limit():
    assert len(calls()) == 42
    assert len({(call["method"], call["path"]) for call in calls()}) == 42
    by_name = {call["name"]: call for call in calls()}
    assert by_name["get-transaction-info"]["path"] == "/inApps/v1/transactions/{transactionId}"
    assert by_name["get-transaction-info"]["productionCallsPerSecond"] == 50
    assert {"code": 4040010, "name": "TransactionIdNotFound"} in by_name["get-transaction-info"]["errors"]
    table = perennial("api", "--list").stdout
    for call in calls():
        assert re.search(rf"^{call['name']} +{call['method']} +\S+ +{re.escape(call['path'])}", table, re.M), call


def test_one_call_is_described():
    description = perennial("api", "--list", "get-notification-history")
    assert description.status == 0
    assert "POST /inApps/v1/notifications/history" in description.stdout
    assert "paginationToken" in description.stdout and "NotificationHistoryRequest" in description.stdout
    assert "    4000012 StartDateTooFarInPast\n" in description.stdout


# Every call


def arguments_for(call, folder):
    arguments = [call["name"], *[VALUE for _ in call["pathParameters"]]]
    if call["body"] == "json":
        arguments += ["--field", "anything=at all"]
    if call["body"] == "png":
        image = folder / "image.png"
        image.write_bytes(PNG)
        arguments += ["--body", image]
    return arguments


def test_every_call_is_sent_as_listed(server, settings, tmp_path):
    for call in calls():
        ended = perennial(
            "api", *arguments_for(call, tmp_path), "--base-url", server.url, "--json", environment=settings
        )
        assert ended.status == 0, (call, ended)
        assert ended.json == {}
        method, path, headers, body = server.requests.pop()
        assert not server.requests
        assert method == call["method"]
        assert path == re.sub(r"\{\w+\}", VALUE, call["path"])
        token = headers["Authorization"].removeprefix("Bearer ")
        assert decoded_payload(token)["bid"] == "com.example.app"
        assert token not in ended.stdout + ended.stderr
        content_type = {"none": None, "json": "application/json", "png": "image/png"}[call["body"]]
        assert headers.get("Content-Type") == content_type
        assert body == {"none": b"", "json": b'{"anything":"at all"}', "png": PNG}[call["body"]]


def test_the_store_answers_each_call_or_refuses_it_with_an_error(store, tmp_path):
    outcomes = {}
    for call in calls():
        ended = perennial("api", *arguments_for(call, tmp_path), "--store", store.url, "--json", "--deadline", "20")
        if ended.status == 0:
            outcomes[call["name"]] = "answered"
            assert isinstance(ended.json, dict)
        else:
            assert ended.status == 1, (call, ended)
            error = ended.json["error"]
            assert error["call"] == call["name"] and error["message"], (call, error)
            assert error["httpStatus"] in (400, 403, 404, 405, 501), (call, error)
            assert f"error: {error['code']}: " in ended.stderr
            outcomes[call["name"]] = error["code"]
    assert outcomes["request-test-notification"] in ("answered", "refused")
    assert outcomes["get-transaction-info"] == "transaction_not_found"


# With the local store


def test_a_purchase_of_the_store_is_found_verified_and_decoded(store, tmp_path):
    purchase = store.buy(store.new_account(), "pro.monthly")
    ended = perennial("api", "get-transaction-info", purchase["transactionId"], "--store", store.url, "--json")
    assert ended.status == 0, ended
    signed = ended.json["signedTransactionInfo"]
    assert decoded_payload(signed)["transactionId"] == purchase["transactionId"]

    root = tmp_path / "root.pem"
    root.write_text(store.credentials["rootCertificate"])
    verified = perennial(
        "verify", "-", "--root", root, "--bundle-id", store.credentials["bundleId"], "--environment", "sandbox",
        "--json", stdin=ended.stdout,
    )
    assert verified.status == 0 and verified.json["payload"] == decoded_payload(signed)
    assert perennial("decode", "-", "--json", stdin=ended.stdout).json["payload"] == decoded_payload(signed)

    readable = perennial("api", "get-transaction-info", purchase["transactionId"], "--store", store.url)
    assert "decoded, not verified:" in readable.stdout
    assert '"productId": "pro.monthly"' in readable.stdout and signed not in readable.stdout


def test_query_and_pages(store):
    account = store.new_account()
    transaction = store.buy(account, "pro.weekly")["transactionId"]
    store.advance("P1Y")
    arguments = ("api", "get-transaction-history", transaction, "--store", store.url, "--json")
    one = perennial(*arguments)
    assert one.json["hasMore"] is True and len(one.json["signedTransactions"]) == 20
    every = perennial(*arguments, "--all", "--query", "sort=DESCENDING")
    assert every.status == 0, every
    pages = [json.loads(line) for line in every.stdout.splitlines()]
    assert len(pages) == 3 and [page["hasMore"] for page in pages] == [True, True, False]
    dates = [decoded_payload(signed)["purchaseDate"] for page in pages for signed in page["signedTransactions"]]
    assert len(dates) == len(set(dates)) > 50 and dates == sorted(dates, reverse=True)
    some = perennial(*arguments, "--query", "startDate=2026-06-01", "--query", "endDate=2026-06-30T00:00:00Z").json
    assert 0 < len(some["signedTransactions"]) < 6


def test_an_error_of_the_store_is_explained(store):
    ended = perennial("api", "get-transaction-info", VALUE, "--store", store.url)
    assert ended.status == 1 and ended.stdout == ""
    assert "error: transaction_not_found: " in ended.stderr
    assert "4040010" in ended.stderr and "That means: " in ended.stderr
    error = perennial("api", "get-transaction-info", VALUE, "--store", store.url, "--json").json["error"]
    assert error["apple"]["errorCode"] == 4040010 and error["apple"]["meaning"]
    assert error["httpStatus"] == 404 and error["retryable"] is False and error["environment"] == "Sandbox"


def test_a_test_notification_is_sent_and_its_status_is_returned(store, receiver):
    store.send_notifications_to(receiver.url)
    token = perennial("api", "request-test-notification", "--store", store.url, "--json").json["testNotificationToken"]
    ended = perennial("api", "get-test-notification-status", token, "--store", store.url, "--json")
    assert ended.status == 0, ended
    assert decoded_payload(ended.json["signedPayload"])["notificationType"] == "TEST"


def test_the_stores_credentials_override_those_of_the_environment(store, settings):
    transaction = store.buy(store.new_account(), "pro.monthly")["transactionId"]
    arguments = ("api", "get-transaction-info", transaction, "--store", store.url)
    assert perennial(*arguments, environment=settings).status == 0
    refused = perennial(*arguments, "--bundle-id", "com.example.other", "--json")
    assert refused.status == 1 and refused.json["error"]["code"] == "unauthorized"


def test_an_unreachable_store_is_reported(server):
    unreachable = perennial("api", "request-test-notification", "--store", "http://127.0.0.1:1")
    assert unreachable.status == 1 and "store_unreachable" in unreachable.stderr
    other = perennial("api", "request-test-notification", "--store", server.url)
    assert other.status == 1 and "not_a_store" in other.stderr


# Settings


def sent_token(server, *arguments, environment):
    ended = perennial(
        "api", "get-transaction-info", VALUE, "--json", *arguments, environment=environment
    )
    assert ended.status == 0, ended
    token = server.requests.pop()[2]["Authorization"].removeprefix("Bearer ")
    return decoded_payload(token) | jwt.get_unverified_header(token)


def test_options_override_the_environment_and_the_environment_overrides_the_file(server, settings, key_file, tmp_path):
    config = tmp_path / "perennial.json"
    config.write_text(json.dumps({"serve": {"port": 1}, "api": {
        "key_file": key_file.name, "key_id": "FROM00FILE", "issuer_id": "57246542-96fe-1a63-e053-0824d011072b",
        "bundle_id": "com.example.file", "environment": "production", "base_url": server.url,
    }}))
    token = sent_token(server, "--config", config, environment={})
    assert (token["bid"], token["kid"]) == ("com.example.file", "FROM00FILE")
    token = sent_token(server, "--config", config, environment={"PERENNIAL_API_BUNDLE_ID": "com.example.environment"})
    assert (token["bid"], token["kid"]) == ("com.example.environment", "FROM00FILE")
    token = sent_token(server, "--config", config, "--bundle-id", "com.example.option", environment=settings)
    assert (token["bid"], token["kid"]) == ("com.example.option", "ABC123DEFG")
    settings["PERENNIAL_API_BASE_URL"] = server.url + "/"
    assert sent_token(server, environment=settings)["bid"] == "com.example.app"


def test_the_configuration_file_of_the_server_has_an_api_section(server, settings, key_file, tmp_path):
    config = tmp_path / "other.yaml"
    config.write_text(f"server:\n  port: 1\napi:\n  key_file: {key_file.name}\n  key_id: FROM00YAML\n"
                      "  issuer_id: 57246542-96fe-1a63-e053-0824d011072b\n  bundle_id: com.example.yaml\n"
                      f"  base_url: {server.url}\n")
    assert sent_token(server, "--config", config, environment={})["kid"] == "FROM00YAML"
    assert sent_token(server, environment={"PERENNIAL_CONFIG": str(config)})["bid"] == "com.example.yaml"
    assert perennial("config", "check", "--config", config).status == 0


def test_all_missing_credentials_are_reported():
    ended = perennial("api", "get-transaction-info", VALUE)
    assert ended.status == 78 and ended.stdout == ""
    for name in ("--key ", "--key-id ", "--issuer-id ", "--bundle-id ", "PERENNIAL_API_KEY_FILE"):
        assert name in ended.stderr


@pytest.mark.parametrize("content, said", [
    ("not json", "no sections"), ('{"api": 1}', "not a section"), ('{"api": {"keyfile": "x"}}', "keyfile"),
    ("api: [", "neither YAML nor JSON"), ('{"api": {"key_id": [7]}}', "key_id"),
    ('{"api": {"environment": "moon"}}', "environment"),
    ('{"api": {"base_url": "ftp://x"}}', "address"), (None, "does not exist"), ("", "empty"),
])
def test_an_invalid_settings_file_is_a_wrong_configuration(settings, tmp_path, content, said):
    config = tmp_path / "perennial.json"
    if content is not None:
        config.write_text(content)
    ended = perennial("api", "get-transaction-info", VALUE, "--config", config, environment=settings)
    assert ended.status == 78 and ended.stdout == "" and said in ended.stderr


@pytest.mark.parametrize("changed", [
    {"PERENNIAL_API_ENVIRONMENT": "moon"}, {"PERENNIAL_API_KEY_FILE": "/missing.p8"},
    {"PERENNIAL_API_BASE_URL": "nonsense"},
])
def test_an_invalid_setting_is_a_wrong_configuration(settings, changed):
    assert perennial("api", "get-transaction-info", VALUE, environment=settings | changed).status == 78


# Bodies, answers, errors


def test_a_body_is_sent_unchanged_and_fields_become_a_body(server, settings, tmp_path):
    body = tmp_path / "body.json"
    body.write_bytes(b'{ "startDate": 1,\n "endDate": 2 }')
    arguments = ("api", "get-notification-history", "--base-url", server.url)
    assert perennial(*arguments, "--body", body, environment=settings).status == 0
    assert server.requests.pop()[3] == body.read_bytes()
    assert perennial(*arguments, "--body", "-", stdin=body.read_bytes(), environment=settings).status == 0
    assert server.requests.pop()[3] == body.read_bytes()
    ended = perennial(
        *arguments, "--field", "startDate=2026-01-01T00:00:00Z", "--field", "endDate=1770000000000",
        "--field", "transactionId=7", "--field", "onlyFailures:=true", environment=settings,
    )
    assert ended.status == 0, ended
    assert json.loads(server.requests.pop()[3]) == {
        "startDate": 1767225600000, "endDate": 1770000000000, "transactionId": "7", "onlyFailures": True,
    }


def test_requests_for_notification_pages_repeat_the_body_and_contain_the_token(server, settings):
    server.will_answer(200, {"hasMore": True, "paginationToken": "a b&c", "notificationHistory": []})
    server.will_answer(200, {"hasMore": False, "paginationToken": "end", "notificationHistory": []})
    ended = perennial(
        "api", "get-notification-history", "--field", "startDate=1", "--all", "--json", "--base-url", server.url,
        environment=settings,
    )
    assert ended.status == 0 and len(ended.stdout.splitlines()) == 2
    (_, first_path, _, first_body), (_, second_path, _, second_body) = server.requests
    assert (first_path, second_path) == ("/inApps/v1/notifications/history",
                                         "/inApps/v1/notifications/history?paginationToken=a%20b%26c")
    assert first_body == second_body


def test_paging_ends_if_the_revision_does_not_change(server, settings):
    for _ in range(2):
        server.will_answer(200, {"hasMore": True, "revision": "same", "signedTransactions": []})
    ended = perennial(
        "api", "get-transaction-history", VALUE, "--all", "--json", "--base-url", server.url, environment=settings
    )
    assert ended.status == 1 and "paging_stuck" in ended.stderr and len(server.requests) == 2
    *pages, error = (json.loads(line) for line in ended.stdout.splitlines())
    assert [page["revision"] for page in pages] == ["same", "same"]
    assert error["error"]["call"] == "get-transaction-history" and error["error"]["retryable"] is True


def test_paging_ends_if_the_revisions_repeat(server, settings):
    for revision in ("b", "a", "b", "a"):
        server.will_answer(200, {"hasMore": True, "revision": revision, "signedTransactions": []})
    ended = perennial("api", "get-transaction-history", VALUE, "--all", "--base-url", server.url, environment=settings)
    assert ended.status == 1 and "paging_stuck" in ended.stderr and len(server.requests) == 3


def test_all_pages_come_from_the_environment_of_the_first_page(server, settings):
    server.will_answer(404, {"errorCode": 4040010, "errorMessage": "Transaction id not found."})
    server.will_answer(200, {"hasMore": True, "revision": "of-sandbox", "signedTransactions": []})
    # If production were asked again, a fourth request would follow, to sandbox.
    server.will_answer(404, {"errorCode": 4040010, "errorMessage": "Transaction id not found."})
    ended = perennial("api", "get-transaction-history", VALUE, "--all", "--json", "--environment",
                      "production-then-sandbox", "--base-url", server.url, environment=settings)
    assert ended.status == 1 and len(server.requests) == 3, ended


def test_a_401_leads_to_sandbox_only_before_a_release(server, settings):
    arguments = ("api", "get-transaction-info", VALUE, "--base-url", server.url, "--environment")
    server.will_answer(401, b"Unauthenticated")
    assert perennial(*arguments, "production-then-sandbox", environment=settings).status == 1
    server.will_answer(401, b"Unauthenticated")
    server.will_answer(200, {"signedTransactionInfo": "x"})
    assert perennial(*arguments, "production-then-sandbox-before-release", environment=settings).status == 0
    server.will_answer(401, b"Unauthenticated")
    server.will_answer(404, {"errorCode": 4040010, "errorMessage": "Transaction id not found."})
    ended = perennial(*arguments, "production-then-sandbox-before-release", "--json", environment=settings)
    assert ended.status == 1 and ended.json["error"]["code"] == "unauthorized", ended


def test_a_successful_response_that_is_not_json_is_a_failure(server, settings):
    server.will_answer(200, b"<html>proxy</html>")
    ended = perennial("api", "get-transaction-info", VALUE, "--json", "--base-url", server.url, environment=settings)
    assert ended.status == 1 and ended.json["error"]["code"] == "response_malformed"
    assert ended.json["error"]["call"] == "get-transaction-info"


def test_the_stores_clock_is_not_a_cause_of_a_401(store):
    store.advance("P13D")
    arguments = ("api", "get-transaction-info", VALUE, "--store", store.url, "--json")
    ended = perennial(*arguments, "--issuer-id", "11111111-1111-1111-1111-111111111111")
    assert ended.status == 1 and "issuer_id" in ended.json["error"]["causes"], ended
    assert "clock" not in ended.json["error"]["causes"]


def test_a_response_is_printed_unchanged(server, settings):
    server.will_answer(200, b'{ "signedTransactionInfo":\n"x",  "big": 12345678901234567890.50 }')
    ended = perennial("api", "get-transaction-info", VALUE, "--json", "--base-url", server.url, environment=settings)
    assert ended.stdout == '{ "signedTransactionInfo":\n"x",  "big": 12345678901234567890.50 }\n'


def test_a_response_without_a_body_is_a_success(server, settings):
    server.will_answer(202, b"")
    arguments = ("api", "finish-transaction", VALUE, "--base-url", server.url)
    assert "done" in perennial(*arguments, environment=settings).stdout
    server.will_answer(200, b"")
    assert perennial(*arguments, "--json", environment=settings).json == {}


@pytest.mark.parametrize("status, body, code", [
    (401, b"Unauthenticated\n\nRequest ID: ABC.1\n", "unauthorized"),
    (403, {"errorCode": 4030001, "errorMessage": "No."}, "refused"),
    (400, b"", "refused"),
    (404, b"<html>\x1b[2J</html>", "refused"),
    (302, b"", "unexpected_status"),
])
def test_failures_have_a_code_and_never_show_the_token(server, settings, status, body, code):
    arguments = ("api", "get-transaction-info", VALUE, "--base-url", server.url)
    server.will_answer(status, body)
    ended = perennial(*arguments, "--json", environment=settings)
    assert ended.status == 1
    error = ended.json["error"]
    assert error["code"] == code and error["httpStatus"] == status and error["message"]
    server.will_answer(status, body)
    readable = perennial(*arguments, environment=settings)
    assert readable.status == 1 and readable.stdout == "" and f"error: {code}: " in readable.stderr
    assert "\x1b" not in readable.stderr
    for _, _, headers, _ in server.requests:
        token = headers["Authorization"].removeprefix("Bearer ")
        assert token not in ended.stdout + ended.stderr + readable.stderr


def test_an_unreachable_server_is_a_failure(settings):
    ended = perennial(
        "api", "get-transaction-info", VALUE, "--base-url", "http://127.0.0.1:1", "--deadline", "2", "--json",
        environment=settings,
    )
    assert ended.status == 1
    assert ended.json["error"]["code"] in ("connection_failed", "deadline_exceeded")
    assert "httpStatus" not in ended.json["error"]


# Wrong usage


@pytest.mark.parametrize("arguments, said", [
    ((), "--list"),
    (("get-transactions",), "get-transaction-info"),
    (("get-transaction-info",), "transactionId"),
    (("get-transaction-info", "1", "2"), "transactionId"),
    (("get-transaction-info", ""), "transactionId"),
    (("get-transaction-info", "1", "--query", "sort=x"), "sort"),
    (("get-transaction-history", "1", "--query", "sort"), "name=value"),
    (("get-transaction-history", "1", "--query", "startDate=noon"), "startDate"),
    (("get-transaction-info", "1", "--all"), "--all"),
    (("get-transaction-info", "1", "--body", "x"), "no body"),
    (("get-notification-history",), "NotificationHistoryRequest"),
    (("get-notification-history", "--field", "x"), "name=value"),
    (("get-notification-history", "--field", "x:=yes"), "JSON"),
    (("get-notification-history", "--field", "x=1", "--field", "x=2"), "twice"),
    (("get-notification-history", "--field", "x=1", "--body", "-"), "not both"),
    (("upload-image", "1"), "PNG"),
    (("upload-image", "1", "--field", "x=1"), "--body"),
    (("request-test-notification", "--store", "http://a", "--base-url", "http://b"), "not both"),
    (("request-test-notification", "--environment", "moon"), "environment"),
    (("request-test-notification", "--deadline", "0"), "deadline"),
    (("get-transaction-info", "1", "--list"), "--list"),
])
def test_wrong_usage_exits_with_64_and_is_explained(settings, arguments, said):
    ended = perennial("api", *arguments, environment=settings)
    assert ended.status == 64, ended
    assert ended.stdout == "" and said in ended.stderr


@pytest.mark.parametrize("call, content, said", [
    (("get-notification-history",), None, "input_not_found"), (("get-notification-history",), b"", "input_empty"),
    (("get-notification-history",), b"[1]", "not a JSON object"),
    (("get-notification-history",), bytes(range(256)), "not a JSON object"),
    (("upload-image", "1"), b"GIF89a", "not a PNG"),
])
def test_bodies_that_cannot_be_sent_are_refused(settings, tmp_path, call, content, said):
    file = tmp_path / "body"
    if content is not None:
        file.write_bytes(content)
    ended = perennial("api", *call, "--body", file, environment=settings)
    assert ended.status == 1 and ended.stdout == "" and said in ended.stderr


def test_the_help_has_an_example():
    ended = perennial("api", "--help")
    assert ended.status == 0 and "Example:" in ended.stdout and "--list" in ended.stdout
