"""The OpenAPI document of the server: valid, complete, and correct for requests that are generated from it."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

from local_store import REPOSITORY
from loopback_ports import reserved_port
from perennial_command import perennial
from postgresql_server import PostgreSQLServer, allow_other_users
from subscription_server import SECRET_KEY, SubscriptionServer
from test_operators import PASSWORD, one_time_code

SOURCES = REPOSITORY / "Sources"
CONFIGURATION = Path(__file__).with_name("schemathesis.toml")
DELIVERY_SECONDS_MAX = 180
# `make api-fuzz` sets both higher.
FUZZ_SECONDS = int(os.environ.get("PERENNIAL_FUZZ_SECONDS", "60"))
FUZZ_EXAMPLES = int(os.environ.get("PERENNIAL_FUZZ_EXAMPLES", "25"))


@pytest.fixture(scope="module")
def document():
    return yaml.safe_load((SOURCES / "SubscriptionServer/OpenAPI/openapi.yaml").read_text())


@pytest.fixture
def server(store, tmp_path):
    server = SubscriptionServer(tmp_path / "serve.log", store.url, tmp_path / "perennial.db")
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def server_on_either_engine(request, store, tmp_path, tmp_path_factory):
    postgresql = None
    database = tmp_path / "perennial.db"
    if request.param == "postgresql":
        postgresql = PostgreSQLServer(allow_other_users(tmp_path_factory.mktemp("postgresql")))
        database = postgresql.url
    server = SubscriptionServer(tmp_path / "serve.log", store.url, database)
    yield server
    server.stop()
    if postgresql is not None:
        postgresql.stop()


def test_the_document_is_valid(document):
    assert [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()] == []


def test_every_reference_in_the_document_is_used(document):
    text = (SOURCES / "SubscriptionServer/OpenAPI/openapi.yaml").read_text()
    for kind in ("headers", "parameters", "responses", "schemas"):
        for name in document["components"][kind]:
            assert f'"#/components/{kind}/{name}"' in text, f"components/{kind}/{name} is used nowhere"


def test_every_operation_has_its_own_identifier_and_documents_its_failures(document):
    seen = set()
    for path, item in document["paths"].items():
        for method in ("get", "put", "post", "patch", "delete"):
            if method not in item:
                continue
            operation = item[method]
            name = f"{method} {path}"
            assert operation["operationId"] not in seen, name
            seen.add(operation["operationId"])
            assert operation["summary"] and "500" in operation["responses"], name
            if operation.get("security", document["security"]) == document["security"]:
                assert "401" in operation["responses"] and "503" in operation["responses"], name
            has_key = operation.get("security") != []
            if method == "post" and path.startswith("/v1/") and "apple" not in path and has_key:
                references = [p.get("$ref") for p in operation.get("parameters", [])]
                assert "#/components/parameters/IdempotencyKey" in references, name


def test_every_error_code_of_the_program_is_documented(document):
    """Reads the codes from the source text. Three layers create errors, each with its code as a literal."""
    made = re.compile(r"\b(?:APIError|OperationError)\(\s*(?:\.\w+,\s*)*\"([a-z_]+)\"")
    declared = re.compile(r"static let \w+ = (?:StorageError\.)?(?:Code|Self)\(rawValue: \"([a-z_]+)\"\)")
    codes = set()
    for folder in ("SubscriptionOperations", "SubscriptionServer"):
        for file in (SOURCES / folder).rglob("*.swift"):
            codes |= set(made.findall(file.read_text()))
    storage = list(SOURCES.glob("SubscriptionStorage*/StorageError*.swift"))
    assert len(storage) >= 3
    verification = [SOURCES / "AppStoreSigning/Verification/VerificationFailure.swift"]
    for file in storage + verification:
        codes |= set(declared.findall(file.read_text()))
    assert {"key_missing", "customer_not_found", "storage_full", "malformed_jws"} <= codes
    documented = set(document["components"]["schemas"]["ErrorCode"]["enum"])
    # The server reads the database address only at its start, before it accepts requests.
    assert codes - documented == {"storage_address_malformed"}


def test_the_server_serves_the_document(server, document):
    answer = server.call("GET", "/openapi.yaml", key=None)
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/yaml"
    assert yaml.safe_load(answer.text) == document


def test_generated_requests_find_no_undocumented_response(store, server_on_either_engine, tmp_path):
    server = server_on_either_engine
    populate(store, server)
    file = tmp_path / "schemathesis.toml"
    file.write_text(CONFIGURATION.read_text() + known_ids(server))
    ended = subprocess.run(
        [
            Path(sys.executable).parent / "schemathesis", "--config-file", file, "run",
            f"{server.url}/openapi.yaml", "--no-color",
            "--max-examples", str(FUZZ_EXAMPLES), "--max-time", str(FUZZ_SECONDS),
        ],
        capture_output=True, text=True, cwd=tmp_path, timeout=FUZZ_SECONDS + 300,
        env=os.environ | {"PERENNIAL_API_KEY": SECRET_KEY, "PERENNIAL_OPERATOR_SESSION": operator_session(server)},
    )
    assert ended.returncode == 0, ended.stdout[-20000:] + ended.stderr[-2000:]
    # The server still works after these requests.
    assert server.get("/healthz") == {"status": "ok"}
    log = Path(server._log_path).read_text()
    assert "A request failed unexpectedly" not in log


def populate(store, server):
    """Creates customers with purchases of several kinds, so that the responses contain data."""
    definition = {"product_ids": ["pro.monthly", "pro.yearly", "lifetime"]}
    assert server.call("PUT", "/v1/entitlements/pro", definition).ok
    for customer in ("u_41", "u_42", "a customer/with every kind: %2F ü"):
        account = store.new_account()
        for product in ("pro.monthly", "lifetime", "coins.100"):
            bought = store.buy(account, product)
            server.submit(customer, bought["signedTransactionInfo"])
        store.refund(bought["transactionId"])
        store.set_payment(account, "declined")
    assert server.call("POST", "/v1/customers/u_42/grants", {"entitlement_id": "pro", "duration": "P1M"}).ok
    assert server.call("POST", "/v1/transfers", {"from": "u_41", "to": "u_42", "reason": "the same person"}).ok
    store.advance("P2M")


def known_ids(server):
    """Makes endpoints with deliveries, and keys, and returns the settings with which their routes are called."""
    dead = f"http://127.0.0.1:{reserved_port()}/"
    # Requests that are generated remove some of them.
    endpoints = [
        server.call("POST", "/v1/webhook_endpoints", {"url": dead, "after": "beginning", "form": form}).json()["id"]
        for form in ("events", "state", "revenuecat", "text")
    ]
    keys = [
        server.call("POST", "/v1/api_keys", {"scope": scope, "label": f"key {scope}"}).json()["id"]
        for scope in ("read", "write", "operate")
    ]
    deadline = time.monotonic() + DELIVERY_SECONDS_MAX
    deliveries = []
    for endpoint in endpoints:
        while not (found := server.get("/v1/webhook_deliveries", endpoint_id=endpoint, limit=5)["data"]):
            assert time.monotonic() < deadline, "nothing was delivered"
            time.sleep(0.1)
        deliveries += [delivery["id"] for delivery in found]
    operations = {
        "endpoints": (endpoints, [
            "getWebhookEndpoint", "changeWebhookEndpoint", "removeWebhookEndpoint", "rotateWebhookSecret",
            "testWebhookEndpoint", "resendWebhookEvents",
        ]),
        "deliveries": (deliveries, ["getWebhookDelivery", "resendWebhookDelivery"]),
        "keys": (keys, ["getAPIKey", "revokeAPIKey", "rotateAPIKey"]),
    }
    text = ""
    for name, (ids, called) in operations.items():
        text += f"\n[dictionaries.{name}]\nvalues = {json.dumps(ids)}\n"
        text += f"\n[[operations]]\ninclude-operation-id = {json.dumps(called)}\n"
        text += f'parameters = {{ id = {{ dictionary = "{name}", probability = 0.6 }} }}\n'
    endpoint_filter = '{ endpoint_id = { dictionary = "endpoints", probability = 0.6 } }'
    return text + f'\n[[operations]]\ninclude-operation-id = "listWebhookDeliveries"\nparameters = {endpoint_filter}\n'


def operator_session(server):
    """The token of an operator who is signed in."""
    added = perennial(
        "operators", "add", "anna", "--role", "admin", "--password-stdin", "--database", server._database,
        stdin=PASSWORD + "\n",
    )
    assert added.status == 0, added
    body = {"name": "anna", "password": PASSWORD, "totp": one_time_code(added.stdout.splitlines()[1])}
    answer = server.call("POST", "/v1/operator_sessions", body, key=None)
    assert answer.status_code == 200, answer.text
    return answer.json()["token"]
