"""`perennial extend campaign`: an outage, from the draft to the report, against the local store."""

import csv
import io
import json
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from local_store import binary
from store_proxy import StoreProxy
from subscription_server import SECRET_KEY, SubscriptionServer
from test_postgresql_process import postgresql  # noqa: F401

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
MASS_DRAFT = ("draft", "--product", "pro.weekly", "--days", "10", "--reason", "outage")
DRAFT = (*MASS_DRAFT, "--method", "single")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    if request.param == "sqlite":
        return tmp_path / "perennial.db"
    return request.getfixturevalue("postgresql").url


class Operators:
    """A server that follows a store, and two operators with a key each."""

    def __init__(self, server, database, folder):
        self.server = server
        address = str(database) if str(database).startswith("postgres") else f"sqlite:{database}"
        created = subprocess.run(
            [binary(), "keys", "create", "--database", address, "--bundle-id", server.get("/v1/app")["bundle_id"],
             "--environment", "production"],
            capture_output=True, text=True, check=True,
        )
        self._second = folder / "second.txt"
        self._second.write_text(created.stdout)

    def campaign(self, *arguments, second=False):
        variables = {name: value for name, value in os.environ.items() if not name.startswith("PERENNIAL_")}
        key = ["--key-file", str(self._second)] if second else []
        return subprocess.run(
            [binary(), "extend", "campaign", *arguments, *key, "--server", self.server.url],
            capture_output=True, text=True, timeout=120,
            env=variables | {"PERENNIAL_DEV_SECRET_KEY": SECRET_KEY, "TZ": "UTC"},
        )

    def done(self, *arguments, second=False):
        completed = self.campaign(*arguments, second=second)
        assert completed.returncode == 0, completed
        return completed.stdout

    def approved(self, *draft):
        campaign = json.loads(self.done(*draft, "--json"))["id"]
        self.done("dry-run", campaign)
        self.done("approve", campaign, second=True)
        return campaign


@pytest.fixture
def operators(start_store, tmp_path, database):
    store = start_store(environment="production")
    store.put("settings", {"rateLimits": "off"})
    server = SubscriptionServer(tmp_path / "serve.log", store.url, database)
    yield store, server, Operators(server, database, tmp_path)
    server.stop()


def subscribe(store, server, count, product="pro.weekly"):
    bought = [store.buy(store.new_account(), product)["originalTransactionId"] for _ in range(count)]
    store.advance("PT1M")
    return bought


def ends(store):
    """The end of each subscription's newest period, as the store knows it."""
    found = {}
    for account in store.get("accounts", limit=1000)["accounts"]:
        for subscription in store.get(f"accounts/{account['accountId']}")["subscriptions"]:
            found[subscription["originalTransactionId"]] = subscription["expiresDate"]
    return found


def test_an_outage_from_the_draft_to_the_report(operators):
    store, server, people = operators
    members = subscribe(store, server, 13)
    yearly = subscribe(store, server, 2, "pro.yearly")
    before = ends(store)

    campaign = json.loads(people.done(*DRAFT, "--json"))["id"]
    tried = people.done("dry-run", campaign)
    assert "can be extended: 13" in tried and "product pro.weekly: 13" in tried and "storefront USA: 13" in tried, tried
    own = people.campaign("approve", campaign)
    assert own.returncode == 1 and "extension_campaign_own_approval" in own.stderr, own
    people.done("approve", campaign, second=True)

    # Apple refunds one member, and the server does not know it yet: Apple refuses its extension.
    # The faults hit the first calls, so it is the last.
    refunded = members[-1]
    lost = [{"fault": "drop", "notificationType": "REFUND"}]
    store.put("faults", {"deliveries": lost})
    store.refund(refunded)
    before = ends(store)
    # Two calls fail: one without effect, and one after it.
    faults = [
        {"fault": "server_error", "retryable": True, "endpoint": "extendSubscriptionRenewalDate", "count": 1},
        {"fault": "malformed_body", "endpoint": "extendSubscriptionRenewalDate", "count": 1},
    ]
    store.put("faults", {"api": faults, "deliveries": lost})
    started = people.campaign("start", campaign)
    assert started.returncode == 1 and "in doubt: 1" in started.stdout, started
    store.put("faults", {})
    for _ in range(8):
        store.advance("PT10M")
        if json.loads(people.done("show", campaign, "--json"))["state"] == "finished":
            break
    shown = people.done("show", campaign)
    assert f"Campaign {campaign}: finished" in shown and "Members: 13" in shown, shown

    report = json.loads(people.done("report", campaign, "--json"))
    (reason,) = report.pop("refused_reasons")
    assert (reason["code"], reason["count"]) == ("extension_ineligible", 1), reason
    assert report == {
        "campaign": campaign, "state": "finished", "members": 13, "asked": 13, "extended": 11, "extended_unseen": 0,
        "refused": {"extension_ineligible": 1}, "skipped": {}, "unknown": 1, "open": 0, "average_days": 10.0,
    }
    report = people.done("report", campaign).splitlines()
    for line in ("Members: 13", "  extended: 11", "  not extended, ineligible: 1", "  without an answer: 1",
                 "  asked: 13", "  average: 10.0 days"):
        assert line in report, (line, report)
    table = io.StringIO(people.done("report", campaign, "--csv"))
    rows = {row["subscription_id"]: row for row in csv.DictReader(table)}
    assert sorted(rows) == sorted(members)
    assert sorted((row["state"], row["code"]) for row in rows.values()) == [
        *[("extended", "")] * 11, ("refused", "extension_ineligible"), ("unknown", "extension_unconfirmed"),
    ]
    assert rows[refunded]["state"] == "refused"
    assert rows[refunded]["message"] == reason["message"]
    after = ends(store)
    for name in members:
        was_extended = rows[name]["state"] == "extended"
        assert after[name] - before[name] == (10 * DAY if was_extended else 0)
        assert rows[name]["period_ends_at"] == (str(after[name]) if was_extended else "")
    assert {name: after[name] - before[name] for name in yearly} == {name: 0 for name in yearly}
    announced = [n for n in store.notifications() if n["notificationType"] == "RENEWAL_EXTENDED"]
    assert len(announced) == 11, "each was extended once"
    types = [event["type"] for event in server.get("/v1/events", limit=1000)["data"]]
    assert types.count("extension_campaign.finished") == 1
    assert types.count("subscription.extended") == 11
    assert people.done("list").startswith(f"{campaign}  finished  ")


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_who_cannot_be_extended_any_more_is_skipped_and_not_asked_about(operators):
    store, server, people = operators
    members = subscribe(store, server, 3)
    campaign = people.approved(*DRAFT)
    # Nobody is asked about while Apple limits the calls. Meanwhile one member gets its money back.
    store.put("faults", {"api": [{"fault": "rate_limit", "endpoint": "extendSubscriptionRenewalDate"}]})
    assert people.campaign("start", campaign).returncode == 1
    store.refund(members[0])
    store.advance("PT1M")
    store.put("faults", {})
    for _ in range(8):
        store.advance("PT30M")
        if json.loads(people.done("show", campaign, "--json"))["state"] == "finished":
            break
    report = json.loads(people.done("report", campaign, "--json"))
    assert (report["members"], report["asked"], report["extended"]) == (3, 2, 2), report
    assert (report["refused"], report["skipped"]) == ({}, {"extension_revoked": 1}), report
    text = people.done("report", campaign).splitlines()
    assert "  skipped, revoked: 1" in text and "  asked: 2" in text, text
    assert f"{members[0]},skipped," in people.done("report", campaign, "--csv")


def test_one_order_for_all_subscribers_is_followed_to_its_end(operators):
    store, server, people = operators
    members = subscribe(store, server, 10)
    yearly = subscribe(store, server, 1, "pro.yearly")
    before = ends(store)
    campaign = people.approved(*MASS_DRAFT)
    # Two announcements are lost.
    store.put("faults", {"deliveries": [{"fault": "drop", "notificationType": "RENEWAL_EXTENDED", "count": 2}]})
    started = people.done("start", campaign)
    assert "ordered: 10" in started and "order for pro.weekly: accepted" in started, started
    for _ in range(12):
        store.advance("PT30M")
        shown = json.loads(people.done("show", campaign, "--json"))
        if shown["state"] == "finished":
            break
    assert shown["state"] == "finished", shown
    (order,) = shown["orders"]
    assert (order["state"], order["succeeded"], order["failed"]) == ("complete", 10, 0), order
    assert order["summary_at"] is not None
    assert shown["disagreements"] == [], shown
    assert shown["counts"]["extended"] == shown["counts"]["extended_by_order"] == 10, shown["counts"]
    after = ends(store)
    assert {name: after[name] - before[name] for name in members} == {name: 10 * DAY for name in members}
    assert {name: after[name] - before[name] for name in yearly} == {name: 0 for name in yearly}
    assert sum(n["notificationType"] == "RENEWAL_EXTENDED" for n in store.notifications()) == 10


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_killed_server_goes_on_and_extends_nobody_twice(operators):
    store, server, people = operators
    members = subscribe(store, server, 40)
    before = ends(store)
    campaign = people.approved(*DRAFT)
    slow = {"fault": "timeout", "milliseconds": 3_000, "endpoint": "extendSubscriptionRenewalDate", "probability": 0.2}
    store.put("faults", {"seed": 3, "api": [slow]})
    people.done("start", campaign, "--no-wait")
    deadline = time.monotonic() + 60
    while not json.loads(people.done("show", campaign, "--json"))["counts"]["asked"]:
        assert time.monotonic() < deadline, "nobody was asked about"
        time.sleep(0.05)
    server.kill()
    store.put("faults", {})
    server.start()
    store.advance("PT2H")
    # The lease of the killed server ends in real time. Who was not asked yet is asked then.
    deadline = time.monotonic() + 120
    while True:
        shown = json.loads(people.done("show", campaign, "--json"))
        if shown["state"] == "finished":
            break
        assert time.monotonic() < deadline, shown
        time.sleep(1)
    counts = shown["counts"]
    assert counts["extended"] + counts["unknown"] == 40, counts
    after = ends(store)
    moved = [after[name] - before[name] for name in members]
    assert set(moved) <= {0, 10 * DAY}, "nobody was extended twice"
    assert moved.count(10 * DAY) == counts["extended"]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_dry_run_names_what_concerns_nobody(operators):
    store, server, people = operators
    subscribe(store, server, 1)
    terms = (*DRAFT, "--storefront", "USA", "--storefront", "XXX")
    campaign = json.loads(people.done(*terms, "--json"))["id"]
    tried = people.done("dry-run", campaign)
    assert "can be extended: 1" in tried and "nobody can be extended in the storefront XXX" in tried, tried
    shown = json.loads(people.done("show", campaign, "--json"))
    assert shown["dry_run"]["storefronts_without_eligible"] == ["XXX"], shown
    assert shown["dry_run"]["products_without_eligible"] == [], shown


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_candidates_are_listed_as_csv_with_what_is_against_them(operators):
    store, server, people = operators
    members = subscribe(store, server, 3)
    subscribe(store, server, 1, "pro.yearly")
    for _ in range(2):
        body = {"extend_by_days": 3, "reason": "other"}
        extended = server.call("POST", f"/v1/subscriptions/{members[0]}/extensions", body)
        assert extended.status_code == 201, extended.text
        store.advance("PT1M")
    campaign = json.loads(people.done(*DRAFT, "--json"))["id"]
    printed = people.done("candidates", campaign)
    assert printed.splitlines()[0] == "subscription_id,product_id,storefront,period_ends_at,eligible,code", printed
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert [row["subscription_id"] for row in rows] == sorted(members)
    known = ends(store)
    for row in rows:
        name = row["subscription_id"]
        assert (row["product_id"], row["storefront"]) == ("pro.weekly", "USA"), row
        assert row["period_ends_at"] == str(known[name]), row
        against = ("false", "extension_limit_reached") if name == members[0] else ("true", "")
        assert (row["eligible"], row["code"]) == against, row
    lines = [json.loads(line) for line in people.done("candidates", campaign, "--json").splitlines()]
    assert [line["subscription_id"] for line in lines] == sorted(members)
    assert [line["eligible"] for line in lines] == [name != members[0] for name in sorted(members)]


def test_wrong_steps_are_refused_with_their_code(operators):
    store, server, people = operators
    subscribe(store, server, 1)
    for arguments, code in (
        (("draft", "--product", "moon", "--days", "10", "--reason", "outage"), "product_unknown"),
        ((*DRAFT, "--from", "2020-01-01T00:00:00Z", "--to", "2199-01-01T00:00:00Z"), "window_invalid"),
        (("show", "xc_0"), "extension_campaign_not_found"),
        (("candidates", "xc_0"), "extension_campaign_not_found"),
        (("report", "xc_0", "--csv"), "extension_campaign_not_found"),
    ):
        refused = people.campaign(*arguments)
        assert refused.returncode == 1 and code in refused.stderr, refused
        assert refused.stdout == "", refused
    assert "perennial extend campaign list" in people.campaign("show", "xc_0").stderr
    assert people.campaign(*DRAFT, "--from", "2020-01-01T00:00:00Z").returncode == 64
    refused = people.campaign("draft", "--product", "pro.weekly", "--days", "91", "--reason", "outage")
    assert refused.returncode == 64 and "--days must be a number from 1 to 90, not 91." in refused.stderr, refused
    for storefront in ("", "usa", "US", "USAA"):
        refused = people.campaign(*DRAFT, "--storefront", storefront)
        assert refused.returncode == 64, refused
        said = " ".join(refused.stderr.split())
        assert f'such as USA; not "{storefront}". Leave it out if all storefronts are meant.' in said, refused
    assert "--product needs the id of a product" in people.campaign(*DRAFT, "--product", "").stderr
    campaign = json.loads(people.done(*DRAFT, "--json"))["id"]
    assert "extension_campaign_not_tried" in people.campaign("approve", campaign, second=True).stderr
    assert "extension_campaign_draft" in people.campaign("start", campaign).stderr
    assert "cancelled" in people.done("cancel", campaign)
    assert "extension_campaign_cancelled" in people.campaign("dry-run", campaign).stderr


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_one_operator_approves_an_own_campaign_with_the_option_where_the_configuration_allows_it(
    operators, database, tmp_path
):
    store, server, people = operators
    subscribe(store, server, 1)
    campaign = json.loads(people.done(*DRAFT, "--json"))["id"]
    people.done("dry-run", campaign)
    refused = people.campaign("approve", campaign, "--approve-own")
    assert refused.returncode == 1 and "campaigns.approve_own" in refused.stderr, refused
    server.stop()
    allowing = {"PERENNIAL_CAMPAIGNS_APPROVE_OWN": "true"}
    people.server = SubscriptionServer(tmp_path / "own.log", store.url, database, environment=allowing)
    try:
        refused = people.campaign("approve", campaign)
        assert refused.returncode == 1 and "extension_campaign_own_approval" in refused.stderr, refused
        assert people.done("approve", campaign, "--approve-own").startswith(f"Campaign {campaign}: approved\n")
        assert "extended: 1\n" in people.done("start", campaign)
    finally:
        people.server.stop()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_show_waits_until_the_campaign_ends(operators):
    store, server, people = operators
    members = subscribe(store, server, 3)
    before = ends(store)
    campaign = people.approved(*MASS_DRAFT)
    # Apple carries the order out over hours, so `start` does not wait for it.
    assert "ordered: 3\n" in people.done("start", campaign)
    with ThreadPoolExecutor(1) as pool:
        shown = pool.submit(people.campaign, "show", campaign, "--wait")
        for _ in range(12):
            store.advance("PT30M")
            if json.loads(people.done("show", campaign, "--json"))["state"] == "finished":
                break
        ended = shown.result(timeout=120)
    assert ended.returncode == 0, ended
    assert ended.stdout.startswith(f"Campaign {campaign}: finished\n") and "extended: 3 (3 by an order)" in ended.stdout
    assert {ends(store)[name] - before[name] for name in members} == {10 * DAY}


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_show_stops_waiting_if_apple_is_away(operators):
    store, server, people = operators
    subscribe(store, server, 1)
    campaign = people.approved(*DRAFT)
    away = {"fault": "server_error", "endpoint": "extendSubscriptionRenewalDate", "retryable": False}
    store.put("faults", {"api": [away]})
    people.campaign("start", campaign)
    waited = people.campaign("show", campaign, "--wait")
    assert waited.returncode == 1 and "waiting: Apple does not answer" in waited.stdout, waited
    assert waited.stderr.startswith("The server goes on by itself."), waited


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_show_stops_waiting_if_apple_asks_to_try_again_later(start_store, tmp_path, database):
    store = start_store(environment="production")
    store.put("settings", {"rateLimits": "off"})
    answers = {}
    proxy = StoreProxy(store, answers)
    server = SubscriptionServer(tmp_path / "serve.log", proxy.url, database)
    people = Operators(server, database, tmp_path)
    try:
        members = subscribe(store, server, 3)
        path = f"/inApps/v1/subscriptions/extend/{members[1]}"
        answers[path] = (404, {"errorCode": 4040006, "errorMessage": "Original transaction id not found. Try again."})
        campaign = people.approved(*DRAFT)
        people.done("start", campaign, "--no-wait")
        waited = people.campaign("show", campaign, "--wait")
        assert waited.returncode == 1, waited
        assert f"Campaign {campaign}: running\n" in waited.stdout and "extended: 2\n" in waited.stdout, waited
        assert "  postponed: 1. Apple asks to try again; the next try is at " in waited.stdout, waited
        assert "not asked" not in waited.stdout, waited
        begun, ended = waited.stderr.splitlines()
        assert begun.startswith("Waiting for members that are postponed: 1. Apple asks to try again; the next try is")
        assert ended.endswith(f" by itself. To see how far it is: perennial extend campaign show {campaign}"), waited
        shown = json.loads(people.done("show", campaign, "--json"))
        assert (shown["counts"]["planned"], shown["counts"]["postponed"]) == (1, 1), shown
        assert shown["next_try_at"] is not None and shown["retry_at"] is None, shown
        answers.clear()
        for _ in range(8):
            store.advance("PT10M")
            shown = json.loads(people.done("show", campaign, "--json"))
            if shown["state"] == "finished":
                break
        assert (shown["state"], shown["counts"]["extended"], shown["counts"]["postponed"]) == ("finished", 3, 0), shown
        assert shown["next_try_at"] is None, shown
    finally:
        server.stop()
        proxy.stop()
