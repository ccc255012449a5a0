"""The rate limits of `perennial serve`."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from local_store import CALL_SECONDS_MAX
from subscription_server import SECRET_KEY, SubscriptionServer

LIMITS = {
    "PERENNIAL_RATE_LIMITS_REQUESTS_PER_SECOND": "10",
    "PERENNIAL_RATE_LIMITS_BURST": "5",
    "PERENNIAL_RATE_LIMITS_ADDRESS_REQUESTS_PER_SECOND": "2",
    "PERENNIAL_RATE_LIMITS_ADDRESS_BURST": "3",
    "PERENNIAL_RATE_LIMITS_REFUSED_NOTIFICATIONS_PER_MINUTE": "5",
}
ATTEMPTS_MAX = 20


@pytest.fixture
def start_server(store, tmp_path):
    servers = []

    def start(**settings):
        server = SubscriptionServer(
            tmp_path / "server.log", store.url, tmp_path / "server.db", environment=LIMITS | settings
        )
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop()


def limits(response):
    return [int(response.headers[f"RateLimit-{name}"]) for name in ("Limit", "Remaining", "Reset")]


def refusals(server, reason):
    name = f'perennial_http_requests_rate_limited_total{{reason="{reason}"}} '
    lines = server.call("GET", "/metrics", key=None).text.splitlines()
    return next(int(line.removeprefix(name)) for line in lines if line.startswith(name))


def admitted(call):
    """The first answer that the limit lets through. It waits as long as the server says."""
    for _ in range(ATTEMPTS_MAX):
        answer = call()
        if answer.status_code != 429:
            return answer
        time.sleep(int(answer.headers["Retry-After"]))
    raise AssertionError("the limit lets nothing through")


def notify(server, payload, forwarded):
    return requests.post(
        server.url + "/v1/apple/notifications",
        json={"signedPayload": payload},
        headers={"X-Forwarded-For": forwarded},
        timeout=CALL_SECONDS_MAX,
    )


def test_a_flood_is_refused_and_a_client_that_waits_gets_through(start_server):
    server = start_server()
    begin = time.monotonic()
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: server.call("GET", "/v1/entitlements"), range(200)))
    seconds = time.monotonic() - begin
    refused = [answer for answer in answers if answer.status_code == 429]
    admitted = [answer for answer in answers if answer.status_code == 200]
    assert len(refused) + len(admitted) == 200
    assert 5 <= len(admitted) <= 5 + 10 * seconds + 1
    assert refused, "200 requests took longer than the limit allows"
    for answer in admitted + refused:
        limit, remaining, reset = limits(answer)
        assert limit == 5 and 0 <= remaining < 5 and 0 <= reset <= 1
    for answer in refused:
        assert int(answer.headers["Retry-After"]) == 1
        error = answer.json()["error"]
        assert (error["type"], error["code"], error["retryable"]) == ("rate_limit_error", "rate_limited", True)
    assert refusals(server, "key") == len(refused)

    # A client that obeys Retry-After gets every request through, while the key is used up again and again.
    waits = 0
    for _ in range(12):
        for _ in range(ATTEMPTS_MAX):
            answer = server.call("GET", "/v1/entitlements")
            if answer.status_code != 429:
                break
            waits += 1
            time.sleep(int(answer.headers["Retry-After"]))
        assert answer.status_code == 200
    assert waits <= 12


def test_a_refused_post_may_be_sent_again_with_the_same_idempotency_key(start_server):
    server = start_server(PERENNIAL_RATE_LIMITS_REQUESTS_PER_SECOND="1", PERENNIAL_RATE_LIMITS_BURST="3")
    assert server.call("PUT", "/v1/entitlements/vip", {"product_ids": ["lifetime"]}).ok
    # The key is used up before the first copy.
    while server.call("GET", "/v1/entitlements").status_code != 429:
        pass
    url, headers = f"{server.url}/v1/customers/u_1/grants", {"Authorization": f"Bearer {SECRET_KEY}"}
    body = {"entitlement_id": "vip", "reason": "a test"}
    answers = []
    while [answer.ok for answer in answers].count(True) < 2:
        assert len(answers) < ATTEMPTS_MAX
        answer = requests.post(
            url, json=body, headers=headers | {"Idempotency-Key": "grant-1"}, timeout=CALL_SECONDS_MAX
        )
        answers.append(answer)
        if answer.status_code == 429:
            time.sleep(int(answer.headers["Retry-After"]))
    made, copy = [answer for answer in answers if answer.ok]
    assert "Idempotency-Replayed" not in made.headers and copy.headers["Idempotency-Replayed"] == "true"
    # On a stalled machine the key may be usable again before the first copy.
    assert {answer.status_code for answer in answers if not answer.ok} <= {429}
    grants = admitted(lambda: server.call("GET", "/v1/customers/u_1/grants"))
    assert len(grants.json()["data"]) == 1


def test_a_wrong_key_is_limited_by_the_address_behind_a_trusted_proxy(start_server):
    server = start_server(PERENNIAL_RATE_LIMITS_TRUSTED_PROXIES="127.0.0.0/8")

    def guess(forwarded):
        headers = {"Authorization": "Bearer sk_guess", "X-Forwarded-For": forwarded}
        return requests.get(f"{server.url}/v1/entitlements", headers=headers, timeout=CALL_SECONDS_MAX)

    begin = time.monotonic()
    statuses = [guess("198.51.100.1").status_code for _ in range(30)]
    seconds = time.monotonic() - begin
    assert statuses[:3] == [401] * 3 and statuses.count(401) <= 3 + 2 * seconds + 1
    # What the client itself writes into the header is no way out.
    statuses += [guess(f"203.0.113.{number}, 198.51.100.1").status_code for number in range(20)]
    assert 429 in statuses[30:]
    assert guess("198.51.100.2").status_code == 401
    assert refusals(server, "address") == statuses.count(429)


def test_without_trusted_proxies_the_header_does_not_matter_and_loopback_is_not_limited(start_server):
    server = start_server()
    headers = {"Authorization": "Bearer sk_guess", "X-Forwarded-For": "198.51.100.1"}
    for _ in range(30):
        answer = requests.get(f"{server.url}/v1/entitlements", headers=headers, timeout=CALL_SECONDS_MAX)
        assert answer.status_code == 401 and "RateLimit-Limit" not in answer.headers
    assert {notify(server, "x.y.z", "198.51.100.1").status_code for _ in range(30)} == {400}


def stored_payload(server):
    """The first notification that the store delivered."""
    deadline = time.monotonic() + CALL_SECONDS_MAX
    while not (notifications := server.notifications()):
        assert time.monotonic() < deadline, "no notification arrived"
        time.sleep(0.1)
    return server.get(f"/v1/apple/notifications/{notifications[0]['id']}")["signed_payload"]


def test_forged_notifications_are_limited_and_apples_are_not(start_server, store):
    server = start_server(
        PERENNIAL_RATE_LIMITS_TRUSTED_PROXIES="127.0.0.1", PERENNIAL_RATE_LIMITS_REQUESTS_PER_SECOND="0"
    )
    flood = [notify(server, "x.y.z", "198.51.100.1") for _ in range(20)]
    assert [answer.status_code for answer in flood[:5]] == [400] * 5
    assert [answer.status_code for answer in flood[5:]].count(429) >= 12
    refused = next(answer for answer in flood if answer.status_code == 429)
    assert 1 <= int(refused.headers["Retry-After"]) <= 12
    assert refusals(server, "refused_notifications") >= 12

    store.buy(store.new_account(), "coins.100")
    payload = stored_payload(server)
    for _ in range(10):
        assert notify(server, payload, "198.51.100.2").status_code == 200
        assert notify(server, "x.y.z", "198.51.100.2").status_code == 400


def test_the_defaults_do_not_disturb_a_busy_client(store, tmp_path):
    server = SubscriptionServer(tmp_path / "server.log", store.url, tmp_path / "server.db")
    try:
        with ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(lambda _: server.call("GET", "/v1/entitlements"), range(1_000)))
        assert {answer.status_code for answer in answers} == {200}
        assert all(limits(answer)[0] == 2_000 for answer in answers)
    finally:
        server.stop()
