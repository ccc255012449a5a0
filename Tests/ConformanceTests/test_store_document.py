"""The OpenAPI document of the local store: valid, complete, and with the same calls as the page in Documentation."""

import re

import requests
import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

from local_store import REPOSITORY

PAGE = REPOSITORY / "Documentation/reference/store-calls.md"
METHODS = ("get", "head", "put", "post", "patch", "delete")


def document_of(store):
    answer = requests.get(f"{store.url}/_store/openapi.yaml", timeout=60)
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/yaml"
    return yaml.safe_load(answer.text)


def operations(document):
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield f"{method.upper()} {path}", item[method]


def test_the_document_is_valid_and_has_every_call(store):
    document = document_of(store)
    assert [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()] == []
    described = dict(operations(document))
    assert sorted(described) == sorted(store.get("")["calls"])
    names = [operation["operationId"] for operation in described.values()]
    assert len(set(names)) == len(names)
    assert all(operation["summary"] for operation in described.values())


def test_the_page_lists_every_control_call_and_no_other(store):
    listed = re.findall(r"^\| `([A-Z]+ /_store[^`]*)`", PAGE.read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(call for call in store.get("")["calls"] if " /_store" in call)


def test_the_members_of_bodies_and_settings_are_those_of_the_program(store):
    """Reads the members from the store's error for an unknown member, which lists the known ones."""
    document = document_of(store)
    for call, operation in operations(document):
        method, path = call.split(" ")
        if not path.startswith("/_store") or path == "/_store/catalog":
            continue
        schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        if schema is None:
            continue
        schema = resolved(document, schema)
        answer = store.call(method, path.removeprefix("/_store/").replace("{id}", "x"), {"noSuchMember": 1})
        assert answer.status_code == 400 and answer.json()["error"]["code"] == "unknown_field", call
        message = answer.json()["error"]["message"]
        known = message.partition("known are ")[2]
        documented = set(schema.get("properties", {}))
        assert set(known.split(", ") if known else []) == documented, call


def test_answers_have_the_documented_members(store):
    document = document_of(store)
    account = store.new_account()
    store.buy(account, "pro.monthly")
    store.set_payment(account, "declined")
    store.advance("P3M")
    for path, name in {
        "status": "Status", "credentials": "Credentials", "settings": "Settings", "clock": "Clock",
        f"accounts/{account}": "Account", "notification-endpoint": "NotificationEndpoint", "retention": "Retention",
    }.items():
        schema = document["components"]["schemas"][name]
        answer = store.get(path)
        assert set(answer) <= set(schema["properties"]), name
        assert set(schema.get("required", [])) <= set(answer), name
    mail = store.get(f"accounts/{account}/mail")["mail"]
    assert [item["kind"] for item in mail] == ["billing_problem"]
    queue = store.get(f"accounts/{account}/unfinished-transactions")["transactions"]
    assert set(queue[0]) == set(document["components"]["schemas"]["UnfinishedTransaction"]["properties"])


def test_a_store_uses_the_bundle_id_and_the_apple_id_of_its_options(start_store):
    options = ["--bundle-id", "com.example.other-app", "--app-apple-id", "6499999999"]
    store = start_store(environment="production", options=options)
    assert store.credentials["bundleId"] == "com.example.other-app"
    assert store.credentials["appAppleId"] == 6499999999
    bought = store.buy(store.new_account(), "pro.monthly")
    signed = store.client().get_transaction_info(bought["transactionId"]).signedTransactionInfo
    assert store.verifier().verify_and_decode_signed_transaction(signed).bundleId == "com.example.other-app"
    statuses = store.client().get_all_subscription_statuses(bought["originalTransactionId"])
    assert (statuses.bundleId, statuses.appAppleId) == ("com.example.other-app", 6499999999)


def resolved(document, schema):
    reference = schema.get("$ref")
    return document["components"]["schemas"][reference.rsplit("/", 1)[1]] if reference else schema
