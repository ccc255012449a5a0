"""Sales reports of App Store Connect, decompressed with gzip and read as CSV, as a reporting script does."""

import csv
import gzip
import io
import time
from decimal import Decimal

import jwt
import pytest
import requests

DAY = "2026-01-31"


def token(store, **changed):
    """A token for the App Store Connect API. It contains no bundle id."""
    now = int(time.time())
    claims = {"iss": store.credentials["issuerId"], "iat": now, "exp": now + 600, "aud": "appstoreconnect-v1"}
    headers = {"kid": store.credentials["keyId"]}
    return jwt.encode(claims | changed, store.credentials["privateKey"], algorithm="ES256", headers=headers)


def download(store, report_type, day=DAY, bearer=None, **changed):
    filters = {
        "reportType": report_type,
        "reportSubType": "DETAILED" if report_type == "SUBSCRIBER" else "SUMMARY",
        "frequency": "DAILY",
        "vendorNumber": "80000001",
        "reportDate": day,
        "version": "1_3",
    } | changed
    return requests.get(
        f"{store.url}/v1/salesReports",
        params={f"filter[{name}]": value for name, value in filters.items()},
        headers={"Authorization": f"Bearer {bearer or token(store)}"},
        timeout=60,
    )


def lines(store, report_type, day=DAY, **changed):
    response = download(store, report_type, day, **changed)
    assert response.status_code == 200, response.text
    assert response.headers["Content-Type"] == "application/a-gzip"
    text = gzip.decompress(response.content).decode("utf-8")
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def test_all_three_reports_contain_the_sales_of_a_day(store):
    account = store.new_account("DEU")
    store.buy(account, "pro.weekly")
    store.buy(store.new_account(), "pro.monthly")
    store.advance("P2D")

    events = {line["Subscription Name"]: line for line in lines(store, "SUBSCRIPTION_EVENT")}
    assert events["Pro, weekly"]["Event"] == "Subscribe"
    assert events["Pro, weekly"]["Country"] == "DE"
    assert events["Pro, weekly"]["Standard Subscription Duration"] == "7 Days"
    assert events["Pro, monthly"]["Event"] == "Start Introductory Offer"
    assert events["Pro, monthly"]["Subscription Offer Type"] == "Free Trial"
    assert all(line["Quantity"] == "1" and line["Event Date"] == DAY for line in events.values())

    state = {line["Subscription Name"]: line for line in lines(store, "SUBSCRIPTION")}
    assert state["Pro, weekly"]["Active Standard Price Subscriptions"] == "1"
    assert state["Pro, monthly"]["Active Free Trial Introductory Offer Subscriptions"] == "1"
    assert state["Pro, weekly"]["Subscribers"] == ""

    (paid,) = lines(store, "SUBSCRIBER")
    assert (paid["Customer Price"], paid["Customer Currency"], paid["Units"]) == ("2.99", "EUR", "1")
    assert Decimal(paid["Developer Proceeds"]) == Decimal("2.09")


def test_an_upgrade_refunds_the_unused_time(store):
    account = store.new_account()
    bought = store.buy(account, "pro.weekly")
    changed = store.post(
        f"subscriptions/{bought['originalTransactionId']}/plan", {"productId": "pro.yearly"}
    )
    store.advance("P2D")
    (event,) = [line for line in lines(store, "SUBSCRIPTION_EVENT") if line["Event"] == "Upgrade"]
    assert event["Previous Subscription Name"] == "Pro, weekly"
    refunds = [line for line in lines(store, "SUBSCRIBER") if line["Refund"] == "Yes"]
    assert [line["Units"] for line in refunds] == ["-1"]
    assert Decimal(refunds[0]["Customer Price"]) * 1000 == changed["proratedRefund"]


@pytest.mark.parametrize("changed", [{"version": "1_2"}, {"frequency": "WEEKLY"}, {"reportType": "SALES"}])
def test_a_wrong_parameter_is_refused(store, changed):
    response = download(store, "SUBSCRIPTION", **changed)
    assert response.status_code == 400
    (error,) = response.json()["errors"]
    assert error["code"] == "PARAMETER_ERROR.INVALID"
    assert error["source"]["parameter"] == f"filter[{next(iter(changed))}]"


def test_days_without_sales_and_future_days_have_no_report(store):
    store.advance("P2D")
    for day, start in ((DAY, "There were no sales"), ("2026-02-03", "Report is not available yet")):
        response = download(store, "SUBSCRIPTION_EVENT", day)
        assert response.status_code == 404
        assert response.json()["errors"][0]["detail"].startswith(start)


def test_an_invalid_token_is_refused(store):
    for bearer in ("nonsense", token(store, aud="another"), token(store, exp=int(time.time()) - 600)):
        response = download(store, "SUBSCRIPTION", bearer=bearer)
        assert response.status_code == 401
        assert response.json()["errors"][0]["code"] == "NOT_AUTHORIZED"
