"""Webhooks of a real server: every event in order, whatever fails or is killed, and the command."""

import contextlib
import itertools
import os
import sqlite3
import subprocess
import threading

from local_store import STOP_SECONDS_MAX, binary
from subscription_server import SECRET_KEY
from test_server_process import start_server  # noqa: F401
from webhook_calls import WAIT_SECONDS_MAX, add, both, command, eventually, feed, receivers  # noqa: F401


def test_a_receiver_that_fails_a_third_of_the_time_gets_the_whole_feed_in_order(
    start_store, start_server, tmp_path, receivers  # noqa: F811
):
    store = start_store(environment="production")
    # The store's clock moves by months, so that every failed event would be overtaken.
    never = {"PERENNIAL_WEBHOOKS_OVERTAKE_AFTER_MS": "0"}
    server = start_server(store, database=tmp_path / "perennial.db", environment=never)
    count = itertools.count()
    receiver = receivers(status=lambda _: 500 if next(count) % 3 == 2 else 200)
    endpoint = add(server, receiver.url)
    receiver.secret = endpoint["secrets"][0]["secret"]
    accounts = [store.new_account("USA") for _ in range(6)]
    for number, account in enumerate(accounts):
        server.submit(f"u_{number}", store.buy(account, "pro.monthly")["signedTransactionInfo"])
    for _ in range(6):
        store.advance("P31D")
    receiver.status = 200
    for _ in range(8):
        store.advance("PT12H")
    events = feed(server)
    assert len(events) > 50
    assert not receiver.problems
    assert len(receiver.refused) > 15
    assert sorted(event["id"] for event in receiver.events) == sorted(event["id"] for event in events)
    by_id = {event["id"]: event for event in events}
    for event in receiver.events:
        assert event == by_id[event["id"]]
    for customer in {event["app_user_id"] for event in events if event["app_user_id"]}:
        received = [event["id"] for event in receiver.events if event["app_user_id"] == customer]
        assert received == [event["id"] for event in events if event["app_user_id"] == customer]
    shown = server.get(f"/v1/webhook_endpoints/{endpoint['id']}")
    assert shown["open_deliveries"] == 0
    assert shown["enabled"] is True


def test_when_an_event_arrives_the_customer_is_at_least_at_its_version(both, receivers):  # noqa: F811
    store, server = both
    seen = []

    def ask(message):
        event = message["data"]
        if event["app_user_id"]:
            answer = server.call("GET", f"/v1/customers/{event['app_user_id']}")
            seen.append((event["state_version"], answer.json()["state_version"] if answer.ok else None))
        return 204

    receiver = receivers(status=ask)
    add(server, receiver.url)
    accounts = [store.new_account("USA") for _ in range(6)]
    submitted = {}
    for number, account in enumerate(accounts):
        bought = store.buy(account, "pro.monthly")
        submitted[f"u_{number}"] = server.submit(f"u_{number}", bought["signedTransactionInfo"])["state_version"]
    for _ in range(3):
        store.advance("P31D")
    store.refund(store.get(f"accounts/{accounts[-1]}")["transactions"][-1]["transactionId"])
    eventually(lambda: len(receiver.events) == len(feed(server)), lambda: f"{len(receiver.events)} events")
    assert len(seen) > 30
    assert all(shown is not None and shown >= sent for sent, shown in seen), seen
    first = {}
    for event in receiver.events:
        if event["app_user_id"]:
            first.setdefault(event["app_user_id"], event["state_version"])
    assert first == submitted, "the first events have the version that the submission answered"


def test_a_killed_server_sends_again_what_it_did_not_store(both, receivers):  # noqa: F811
    store, server = both
    receiver = receivers()
    receiver.secret = add(server, receiver.url)["secrets"][0]["secret"]
    accounts = [store.new_account("USA") for _ in range(10)]
    # It is killed at once, and after some of what it sends.
    for further in (0, 1, 5):
        wanted = len(receiver.taken) + further
        for number, account in enumerate(accounts):
            product = "coins.100" if further else "pro.monthly"
            server.submit(f"u_{number}", store.buy(account, product)["signedTransactionInfo"])
        eventually(lambda: len(receiver.taken) >= wanted, lambda: f"{len(receiver.taken)} of {wanted} webhooks")
        server.kill()
        server.start()
    eventually(
        lambda: len(receiver.events) == len(feed(server)),
        lambda: f"{len(receiver.events)} of {len(feed(server))} events",
    )
    events = feed(server)
    assert {event["id"] for event in receiver.events} == {event["id"] for event in events}
    # Events without a customer, of purchases that nobody owns yet, have an order for each purchase only.
    for customer in {event["app_user_id"] for event in events if event["app_user_id"]}:
        received = [event["id"] for event in receiver.events if event["app_user_id"] == customer]
        assert received == [event["id"] for event in events if event["app_user_id"] == customer]


def test_every_form_arrives_at_its_receiver(both, receivers):  # noqa: F811
    store, server = both
    forms = {}
    for form in ("events", "state", "apple", "revenuecat"):
        forms[form] = receivers()
        add(server, forms[form].url, form=form, **({"authorization": "Bearer x"} if form == "revenuecat" else {}))
    account = store.new_account("USA")
    token = "6f1d2a52-5c3b-4c1e-9a57-0d6c2a9be001"
    store.buy(account, "pro.monthly", appAccountToken=token)
    store.advance("P31D")
    store.advance("PT1M")
    events = feed(server)
    assert [message["data"] for _, message in forms["events"].taken] == events
    assert [message["data"]["event"] for _, message in forms["state"].taken] == events
    states = [message["data"]["entitlements"] for _, message in forms["state"].taken]
    assert all(event["app_user_id"] == token for event in events)
    assert all(state["state_version"] >= event["state_version"] for state, event in zip(states, events))
    held = [server.get(f"/v1/apple/notifications/{n['id']}") for n in server.notifications()]
    assert len(held) > 1
    assert [message["signedPayload"] for _, message in forms["apple"].taken] == [n["signed_payload"] for n in held]
    types = [message["event"]["type"] for _, message in forms["revenuecat"].taken]
    assert types == ["INITIAL_PURCHASE", "RENEWAL"]
    assert all(headers["Authorization"] == "Bearer x" for headers in forms["revenuecat"].headers)


def test_a_stopped_server_gives_its_endpoints_back(both, receivers):  # noqa: F811
    store, server = both
    receiver = receivers()
    under_way = threading.Event()

    def answer_after_the_stop(_):
        under_way.set()
        # A stopping server waits for this answer for five seconds.
        eventually(server.is_stopping, "the server does not stop")
        return 204

    receiver.status = answer_after_the_stop
    # The store waits for webhooks after its own commands, so the purchases are made before there is an endpoint.
    account = store.new_account("USA")
    signed = [store.buy(account, product)["signedTransactionInfo"] for product in ("pro.monthly", "lifetime")]
    endpoint = add(server, receiver.url)["id"]
    server.submit("u_1", signed[0])
    assert under_way.wait(WAIT_SECONDS_MAX)
    server.submit("u_1", signed[1])
    events = [event["id"] for event in server.get("/v1/events", limit=100)["data"] if event["app_user_id"] == "u_1"]
    assert len(events) > 1
    server.stop()
    taken = [webhook_id for webhook_id, _ in receiver.taken]
    assert taken == events[:1], "the second event of the customer is not begun"
    with contextlib.closing(sqlite3.connect(server._database.removeprefix("sqlite:"))) as database:
        leases = database.execute("SELECT holder, held_until FROM webhook_progress").fetchall()
    assert leases == [(None, None)], "the lease of the stopped server was returned"
    receiver.status = 204
    server.start()
    eventually(lambda: len(receiver.taken) >= len(events))
    assert [webhook_id for webhook_id, _ in receiver.taken] == events, "nothing was sent twice"
    assert server.get(f"/v1/webhook_endpoints/{endpoint}")["failures"] == 0


# The command


def test_the_command_does_what_the_guide_says(both, receivers, tmp_path):  # noqa: F811
    store, server = both
    receiver = receivers()
    added = command(server, "add", receiver.url, "--label", "backend", "--events", "entitlement.*,subscription.started")
    lines = added.stdout.splitlines()
    endpoint = lines[0].split(":")[0]
    assert lines[0] == f"{endpoint}: {receiver.url}"
    assert "  form: events, types: entitlement.*, subscription.started" in lines
    receiver.secret = lines[-1].split(": ")[1]
    assert lines[-1].startswith("  secret, shown only now: whsec_")
    assert command(server, "test", endpoint).stdout.startswith("delivered: evt_test_")
    receiver.status = 500
    assert "answered 500" in command(server, "test", endpoint, status=1).stdout
    account = store.new_account("USA")
    server.submit("u_1", store.buy(account, "pro.monthly")["signedTransactionInfo"])
    eventually(lambda: len(command(server, "deliveries", endpoint, "--state", "waiting").stdout.splitlines()) == 2)
    listed = command(server, "deliveries", endpoint, "--state", "waiting").stdout.splitlines()
    waiting = next(line for line in listed if "entitlement.granted" in line).split()
    assert waiting[1:4] == ["entitlement.granted", "u_1", "waiting"]
    receiver.status = 200
    resent = command(server, "resend", waiting[0])
    assert "waiting" in resent.stdout
    # The other one waits for its time.
    eventually(lambda: len(receiver.events) == 1)
    # The server stores the result after the answer of the receiver.
    eventually(lambda: "delivered" in command(server, "deliveries", "--customer", "u_1").stdout)
    again = command(server, "resend", endpoint, "--after", "beginning")
    assert again.stdout == f"{endpoint}: 1 events are sent again.\n"
    eventually(lambda: len(receiver.taken) == 3)
    rotated = command(server, "rotate", endpoint, "--overlap-hours", "0").stdout
    receiver.secret = rotated.splitlines()[-1].split(": ")[1]
    assert command(server, "test", endpoint).stdout.startswith("delivered: evt_test_")
    assert "disabled by an operator" in command(server, "change", endpoint, "--disable").stdout
    assert "state: enabled" in command(server, "change", endpoint, "--enable", "--events", "*").stdout
    secret = tmp_path / "authorization"
    secret.write_text("Bearer x\n")
    for option, is_there in (("--authorization-file", True), ("--no-authorization", False)):
        given = [option, str(secret)] if is_there else [option]
        assert command(server, "change", endpoint, *given, "--json").json["authorization"] is is_there
    assert endpoint in command(server, "list").stdout
    assert command(server, "show", endpoint, "--json").json["event_types"] == ["*"]
    assert command(server, "remove", endpoint).stdout == f"{endpoint} is removed.\n"
    assert "webhook_endpoint_not_found" in command(server, "show", endpoint, status=1).stderr
    assert command(server, "list").stdout == ""
    for wrong in (
        ["show", "x"], ["deliveries"], ["change", endpoint], ["rotate", endpoint, "--overlap-hours", "169"],
        ["change", endpoint, "--no-authorization", "--authorization-file", "x"],
    ):
        assert command(server, *wrong, status=64).stderr


def test_an_empty_log_says_for_which_endpoints_events_wait(both, receivers):  # noqa: F811
    store, server = both
    waiting = add(server, receivers().url)["id"]
    other = add(server, receivers().url, event_types=["recovery.*"])["id"]
    assert command(server, "deliveries", "--customer", "u_1").stdout.splitlines() == [
        "The log is empty: nothing was sent yet, or what was sent was removed."
    ]
    for endpoint in (waiting, other):
        command(server, "change", endpoint, "--disable")
    server.submit("u_1", store.buy(store.new_account("USA"), "pro.monthly")["signedTransactionInfo"])
    lines = command(server, "deliveries", "--customer", "u_1").stdout.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith(waiting)
    assert "events still wait" in lines[1]
    assert command(server, "deliveries", other).stdout.count("\n") == 1
    assert command(server, "deliveries", "--customer", "u_1", "--json").stdout == ""


def test_a_chat_is_told_that_an_endpoint_was_disabled(both, receivers):  # noqa: F811
    store, server = both
    gone, chat = receivers(), receivers()
    gone.status = 410
    endpoint = add(server, gone.url)["id"]
    command(server, "add", chat.url, "--events", "alerts", "--form", "text")
    server.submit("u_1", store.buy(store.new_account("USA"), "pro.monthly")["signedTransactionInfo"])
    eventually(lambda: len(chat.taken) == 1)
    text = chat.taken[0][1]["text"]
    assert endpoint in text
    assert "410" in text
    assert "u_1" not in text
    assert "answered 410" in command(server, "list").stdout


def test_listen_prints_what_arrives_and_leaves_no_endpoint(both):  # noqa: F811
    store, server = both
    account = store.new_account("USA")
    token = "6f1d2a52-5c3b-4c1e-9a57-0d6c2a9be001"
    store.buy(account, "pro.monthly", appAccountToken=token)
    shown = command(server, "listen", "--after", "beginning", "--count", "2")
    assert shown.stdout == f"subscription.started  {token}  1\nentitlement.granted  {token}  1\n"
    listening = subprocess.Popen(
        [str(binary()), "webhooks", "listen", "--json", "--events", "entitlement.*", "--server", server.url],
        stdout=subprocess.PIPE, text=True, env=os.environ | {"PERENNIAL_API_SECRET_KEY": SECRET_KEY},
    )
    try:
        eventually(lambda: len(server.get("/v1/webhook_endpoints")["data"]) == 1)
        store.advance("P31D")
        assert '"type":"entitlement.extended"' in listening.stdout.readline()
        listening.terminate()
        assert listening.wait(STOP_SECONDS_MAX) == 0
    finally:
        listening.kill()
        listening.stdout.close()
    assert server.get("/v1/webhook_endpoints")["data"] == []
    assert command(server, "listen", "--count", "0", status=64).stderr
