"""Answers to Apple's CONSUMPTION_REQUEST: a server with a policy and a backend, and the local store as Apple."""

import json
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from standardwebhooks.webhooks import Webhook

from local_store import CALL_SECONDS_MAX, binary
from loopback_ports import reserved_port
from subscription_server import SECRET_KEY, SubscriptionServer

HOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
POLICY = """\
rules:
  - reasons: [unintended_purchase]
    product_types: [consumable]
    consumption_percentage_max: 0
    answer: grant_full
  - requests_before_min: 1
    answer: decline
otherwise: no_preference
"""


class Backend:
    """Decides on refund requests. It checks each signature with the reference library of Standard Webhooks."""

    def __init__(self, answer, *, answers=True):
        self.events = []
        self.received = threading.Event()
        self._stopped = threading.Event()
        self.problems = []
        backend = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                try:
                    backend.events.append(Webhook(HOOK_SECRET).verify(body, dict(self.headers)))
                except Exception as problem:  # The test reports it.
                    backend.problems.append(repr(problem))
                backend.received.set()
                if not answers:
                    backend._stopped.wait()
                response = json.dumps(answer).encode()
                try:
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(response)))
                    self.end_headers()
                    self.wfile.write(response)
                except (BrokenPipeError, ConnectionResetError):
                    pass  # The server did not wait.

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", reserved_port()), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/refunds"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self):
        self._stopped.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def serve(tmp_path):
    """Starts a server that follows a store; it is stopped after the test."""
    servers = []

    def start(store, **environment):
        policy = tmp_path / "policy.yaml"
        policy.write_text(POLICY)
        servers.append(
            SubscriptionServer(
                tmp_path / "serve.log", store.url, tmp_path / "perennial.db",
                environment={"PERENNIAL_CONSUMPTION_POLICY_FILE": str(policy)} | environment,
            )
        )
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def run(server, *arguments):
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PERENNIAL_")}
    return subprocess.run(
        [binary(), *arguments, "--server", server.url],
        capture_output=True, text=True, timeout=CALL_SECONDS_MAX,
        env=variables | {"PERENNIAL_DEV_SECRET_KEY": SECRET_KEY, "TZ": "UTC"},
    )


def perennial(server, *arguments):
    return run(server, "consumption", *arguments)


def buy(store, server, product="coins.100", customer="u_1", account=None):
    bought = store.buy(account or store.new_account(), product)
    server.submit(customer, bought["signedTransactionInfo"])
    store.advance("PT1M")
    return bought["transactionId"]


def ask_for_money(store, transaction, reason="UNINTENDED_PURCHASE"):
    store.post(f"transactions/{transaction}/refund-request", {"consumptionRequestReason": reason})
    store.advance("PT1M")


def received(store, transaction):
    """What the store received about a transaction; None for nothing."""
    response = store.call("GET", f"transactions/{transaction}/consumption")
    return response.json() if response.ok else None


def report(server, purchase, **content):
    response = server.call("PUT", f"/v1/purchases/{purchase}/consumption", content)
    assert response.status_code == 200, response.text


def requests_of(server):
    return server.get("/v1/refund_requests")["data"]


def test_apple_is_told_what_the_policy_says_and_its_decision_is_kept(start_store, serve):
    store = start_store(environment="production")
    server = serve(store)
    account = store.new_account()
    first = buy(store, server, account=account)
    report(server, first, customer_consented=True, delivery_status="delivered", consumption_percentage=0)
    ask_for_money(store, first)
    sent = received(store, first)
    assert sent is not None, requests_of(server)
    assert "GRANT_FULL" in json.dumps(sent), sent
    store.refund(first)
    store.advance("PT1M")
    (request,) = requests_of(server)
    assert (request["state"], request["answer"], request["rule"]) == ("answered", "grant_full", 1)
    assert request["outcome"] == "refunded"

    second = buy(store, server, account=account)
    report(server, second, customer_consented=True, consumption_percentage=70000)
    ask_for_money(store, second)
    assert "DECLINE" in json.dumps(received(store, second))
    store.post(f"transactions/{second}/refund-decline", {})
    store.advance("PT1M")
    newest = requests_of(server)[0]
    assert (newest["answer"], newest["rule"], newest["outcome"]) == ("decline", 2, "declined")
    assert newest["facts"]["refunds_before"] == 1 and newest["facts"]["requests_before"] == 1

    listed = perennial(server, "list")
    assert listed.returncode == 0, listed
    assert len(listed.stdout.splitlines()) == 2
    assert "decline, by rule 2; Apple: declined" in listed.stdout.splitlines()[0]
    shown = perennial(server, "show", newest["id"])
    assert "    consumption_percentage: 70000\n" in shown.stdout, shown


def test_nothing_is_sent_without_consent_until_it_comes(start_store, serve):
    store = start_store(environment="production")
    server = serve(store)
    transaction = buy(store, server)
    ask_for_money(store, transaction)
    assert received(store, transaction) is None
    (request,) = requests_of(server)
    assert (request["state"], request["error"]["code"]) == ("waiting", "no_consent")
    report(server, transaction, customer_consented=True)
    # The server answers before the time for an answer passes.
    store.advance("PT13H")
    assert received(store, transaction) is not None
    late = buy(store, server)
    ask_for_money(store, late)
    store.advance("PT13H")
    assert received(store, late) is None
    assert requests_of(server)[0]["state"] == "withheld"


def test_support_sees_a_request_that_waits_for_consent_and_can_record_it(start_store, serve):
    store = start_store(environment="production")
    server = serve(store)
    transaction = buy(store, server)
    buy(store, server, customer="u_2")
    ask_for_money(store, transaction)
    (request,) = server.get("/v1/refund_requests", app_user_id="u_1")["data"]
    assert server.get("/v1/refund_requests", purchase_id=transaction)["data"] == [request]
    assert server.get("/v1/refund_requests", app_user_id="u_2")["data"] == []
    by_customer, by_purchase = ("--customer", "u_1"), ("--purchase", transaction)
    for options in (by_customer, by_purchase, (*by_customer, *by_purchase)):
        listed = perennial(server, "list", "--json", *options)
        assert [json.loads(line) for line in listed.stdout.splitlines()] == [request], listed
    other = perennial(server, "list", "--customer", "u_2")
    assert (other.returncode, other.stdout) == (0, ""), other
    text = run(server, "customer", "u_1").stdout
    assert "\nRefund requests\n" in text and ": no_consent, until " in text, text
    shown = json.loads(run(server, "customer", "u_1", "--json").stdout)
    assert shown["refund_requests"] == [request]
    (consent,) = [action for action in shown["actions"] if "/consumption " in (action["command"] or "")]
    assert consent["action"].startswith("Ask the customer whether Apple may get facts about coins.100, until ")
    method, path, body = consent["command"].split(" ", 2)
    recorded = server.call(method, path, json.loads(body))
    assert recorded.status_code == 200, recorded.text
    store.advance("PT1M")
    assert received(store, transaction) is not None
    after = json.loads(run(server, "customer", "u_1", "--json").stdout)["actions"]
    assert not [action for action in after if "/consumption " in (action["command"] or "")], after


def test_an_answer_is_repeated_until_apple_takes_it(start_store, serve):
    store = start_store(environment="production")
    server = serve(store)
    transaction = buy(store, server)
    report(server, transaction, customer_consented=True)
    faults = [{"fault": "server_error", "endpoint": "sendConsumptionInformation", "retryable": False}]
    store.put("faults", {"api": faults})
    ask_for_money(store, transaction)
    for _ in range(18):
        store.advance("PT10M")
    (request,) = requests_of(server)
    assert request["state"] == "waiting" and request["failed_tries"] >= 5, request
    assert request["error"]["code"] == "app_store_unavailable"
    store.put("faults", {})
    store.advance("PT1H")
    assert requests_of(server)[0]["state"] == "answered"
    assert received(store, transaction) is not None


def test_the_backend_decides_by_a_signed_request(start_store, serve):
    backend = Backend({"answer": "grant_prorated", "customer_consented": True, "consumption_percentage": 30000})
    try:
        store = start_store(environment="production")
        server = serve(
            store, PERENNIAL_CONSUMPTION_HOOK_URL=backend.url, PERENNIAL_CONSUMPTION_HOOK_SECRET=HOOK_SECRET
        )
        transaction = buy(store, server)
        ask_for_money(store, transaction)
        assert backend.problems == []
        (event,) = backend.events
        assert event["type"] == "refund_request.decision_needed"
        assert event["data"]["app_user_id"] == "u_1"
        sent = json.dumps(received(store, transaction))
        assert "GRANT_PRORATED" in sent and "30000" in sent
        assert requests_of(server)[0]["decided_by"] == "hook"
    finally:
        backend.stop()


def test_the_policy_answers_if_the_backend_is_too_slow(start_store, serve):
    slow = Backend({"answer": "grant_prorated", "customer_consented": True}, answers=False)
    try:
        store = start_store(environment="production")
        server = serve(
            store, PERENNIAL_CONSUMPTION_HOOK_URL=slow.url, PERENNIAL_CONSUMPTION_HOOK_SECRET=HOOK_SECRET,
            PERENNIAL_CONSUMPTION_HOOK_TIMEOUT_MS="2000",
        )
        transaction = buy(store, server)
        report(server, transaction, customer_consented=True, consumption_percentage=0)
        ask_for_money(store, transaction)
        # The server does not wait until the backend has read the request.
        assert slow.received.wait(CALL_SECONDS_MAX)
        assert slow.problems == [] and len(slow.events) == 1, "the backend was asked once"
        (request,) = requests_of(server)
        assert (request["state"], request["answer"], request["decided_by"]) == ("answered", "grant_full", "policy")
        assert request["error"]["code"] == "hook_failed"
        assert "GRANT_FULL" in json.dumps(received(store, transaction))
        metrics = server.call("GET", "/metrics", key=None).text.splitlines()
        assert 'perennial_consumption_hook_total{result="failed"} 1' in metrics
        assert 'perennial_refund_requests_total{result="answered"} 1' in metrics
    finally:
        slow.stop()


def test_version_1_of_the_call_is_used_where_the_configuration_says_so(start_store, serve):
    store = start_store(environment="production")
    server = serve(store, PERENNIAL_CONSUMPTION_VERSION="1")
    transaction = buy(store, server)
    report(server, transaction, customer_consented=True, delivery_status="delivered", consumption_percentage=0)
    ask_for_money(store, transaction)
    (request,) = requests_of(server)
    assert (request["state"], request["version"], request["answer"]) == ("answered", 1, "grant_full"), request
    sent = received(store, transaction)
    assert sent["version"] == "V1", sent
    # 1 is "not consumed", "delivered" is 0, and 1 is "grant the refund".
    content = sent["content"]
    assert (content["consumptionStatus"], content["deliveryStatus"], content["refundPreference"]) == (1, 0, 1), sent
    assert content["customerConsented"] is True and "consumptionPercentage" not in content, sent


def test_another_policy_is_tried_on_past_requests(start_store, serve, tmp_path):
    store = start_store(environment="production")
    server = serve(store)
    for percentage in (0, 90000):
        transaction = buy(store, server, account=store.new_account(), customer=f"u_{percentage}")
        report(server, transaction, customer_consented=True, consumption_percentage=percentage)
        ask_for_money(store, transaction)
        # Apple grants the first one, and declines the second one.
        if percentage == 0:
            store.refund(transaction)
        else:
            store.post(f"transactions/{transaction}/refund-decline", {})
        store.advance("PT1M")
    other = tmp_path / "other.yaml"
    other.write_text("rules:\n  - consumption_percentage_min: 50000\n    answer: decline\notherwise: grant_full\n")
    replay = perennial(server, "replay", "--policy", str(other), "--since", "2026-01-01T00:00:00Z")
    assert replay.returncode == 0, replay
    lines = replay.stdout.splitlines()
    assert lines[0].startswith("* "), lines
    assert lines[0].endswith("was no_preference  would be decline (rule 1)  Apple: declined"), lines
    assert lines[1].startswith("  "), lines
    assert lines[1].endswith("was grant_full  would be grant_full (no rule)  Apple: refunded"), lines
    assert lines[2:] == [
        "2 requests, 1 answered differently (*)",
        "  1 would be decline, Apple: declined",
        "  1 would be grant_full, Apple: refunded",
    ]
    as_json = perennial(server, "replay", "--policy", str(other), "--since", "2026-01-01T00:00:00Z", "--json")
    assert [json.loads(line)["replayed"] for line in as_json.stdout.splitlines()] == ["decline", "grant_full"]
    none = perennial(server, "replay", "--policy", str(other), "--since", "2036-01-01T00:00:00Z")
    assert none.stdout == "0 requests, 0 answered differently (*)\n"


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (None, "cannot be read"),
        ("otherwise: maybe\n", 'line 1: "maybe" is not an answer'),
        ("rules: []\n", "otherwise is missing"),
    ],
)
def test_a_wrong_policy_is_refused_with_its_line(start_store, serve, tmp_path, policy, message):
    server = serve(start_store(environment="production"))
    path = tmp_path / "wrong.yaml"
    if policy is not None:
        path.write_text(policy)
    replay = perennial(server, "replay", "--policy", str(path), "--since", "2026-01-01T00:00:00Z")
    assert replay.returncode != 0 and message in replay.stderr, replay
    assert "Usage: perennial consumption replay " in replay.stderr, replay
