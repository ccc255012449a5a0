"""Seats of a subscription: bought, assigned, renewed, extended and revoked. Apple's library verifies every payload. It
has no types for the values of seats, so the tests read them as text."""

import pytest
from appstoreserverlibrary.api_client import APIException
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest

from subscription_server import SubscriptionServer

DAY = 86_400_000


def refused(call, code):
    with pytest.raises(APIException) as error:
        call()
    assert error.value.raw_api_error == code


def test_a_member_has_a_seat_until_it_is_revoked(store, receiver):
    store.send_notifications_to(receiver.url)
    client, verifier = store.client(), store.verifier()

    def new_events():
        notifications = [verifier.verify_and_decode_notification(signed) for signed in receiver.signed_payloads]
        receiver.bodies.clear()
        return [
            (n.rawNotificationType, n.rawSubtype, verifier.verify_and_decode_signed_transaction(
                n.data.signedTransactionInfo).rawInAppOwnershipType)
            for n in notifications
        ]

    def newest(original):
        [group] = client.get_all_subscription_statuses(original).data
        [item] = [item for item in group.lastTransactions if item.originalTransactionId == original]
        return item.status, verifier.verify_and_decode_signed_transaction(item.signedTransactionInfo)

    purchaser, member = store.new_account(), store.new_account()
    order = {"productId": "plus.monthly", "seats": 3, "invitationManagement": "APPLE"}
    bought = store.post(f"accounts/{purchaser}/seat-purchases", order)["originalTransactionId"]
    seats = f"subscriptions/{bought}/seat-members"
    seat = store.post(seats, {"accountId": member})["originalTransactionId"]
    assert new_events() == [("SUBSCRIBED", "INITIAL_BUY", "PURCHASED"), ("SUBSCRIBED", "INITIAL_BUY", "ASSIGNED")]
    status, granted = newest(seat)
    assert (status, granted.rawInAppOwnershipType, granted.quantity, granted.price) == (Status.ACTIVE, "ASSIGNED", 1, 0)

    store.advance("P1M")
    assert new_events() == [("DID_RENEW", None, "PURCHASED"), ("DID_RENEW", None, "ASSIGNED")]
    _, paid = newest(bought)
    assert paid.quantity == 3

    more = ExtendRenewalDateRequest(
        extendByDays=5, extendReasonCode=ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE, requestIdentifier="outage-1"
    )
    client.extend_subscription_renewal_date(bought, more)
    assert new_events() == [("RENEWAL_EXTENDED", None, "PURCHASED"), ("RENEWAL_EXTENDED", None, "ASSIGNED")]
    assert newest(seat)[1].expiresDate == newest(bought)[1].expiresDate == paid.expiresDate + 5 * DAY
    refused(lambda: client.extend_subscription_renewal_date(seat, more), 4030028)
    token = UpdateAppAccountTokenRequest(appAccountToken="6e0e2a4c-aaaa-4bbb-8ccc-0123456789ab")
    refused(lambda: client.set_app_account_token(seat, token), 4000227)

    assert store.call("DELETE", f"{seats}/{member}").json()["members"] == []
    assert new_events() == [("REVOKE", None, "ASSIGNED")]
    status, revoked = newest(seat)
    assert (status, revoked.rawRevocationType) == (Status.REVOKED, "ASSIGNMENT_REVOKE")
    assert newest(bought)[0] == Status.ACTIVE


def test_the_newest_members_lose_their_seats_when_there_are_fewer(store, receiver):
    store.send_notifications_to(receiver.url)
    verifier = store.verifier()
    purchaser, members = store.new_account(), [store.new_account() for _ in range(3)]
    order = {"productId": "plus.monthly", "seats": 3, "invitationManagement": "APPLE"}
    bought = store.post(f"accounts/{purchaser}/seat-purchases", order)["originalTransactionId"]
    seats = [store.post(f"subscriptions/{bought}/seat-members", {"accountId": member}) for member in members]
    store.post(f"subscriptions/{bought}/seats", {"seats": 1})
    receiver.bodies.clear()
    store.advance("P1M")
    notifications = [verifier.verify_and_decode_notification(signed) for signed in receiver.signed_payloads]
    kinds = [n.rawNotificationType for n in notifications]
    assert kinds == ["REVOKE", "REVOKE", "DID_RENEW", "DID_RENEW"]
    revoked = [verifier.verify_and_decode_signed_transaction(n.data.signedTransactionInfo) for n in notifications[:2]]
    assert [t.originalTransactionId for t in revoked] == [seat["originalTransactionId"] for seat in reversed(seats[1:])]
    report = store.get(f"subscriptions/{bought}/seats")
    assert (report["seats"], report["members"]) == (1, members[:1])


@pytest.fixture
def server(store, tmp_path):
    server = SubscriptionServer(tmp_path / "serve.log", store.url, tmp_path / "perennial.db")
    yield server
    server.stop()


def test_the_server_states_the_price_of_all_seats_that_renew(store, server):
    def subscription():
        [subscription] = server.get("/v1/customers/u_1")["subscriptions"]
        return subscription

    order = {"productId": "plus.monthly", "seats": 3}
    bought = store.post(f"accounts/{store.new_account()}/seat-purchases", order)["originalTransactionId"]
    submitted = server.call("POST", "/v1/transactions", {"app_user_id": "u_1", "transaction_id": bought})
    assert submitted.ok, submitted.text
    paid = subscription()["price"]
    assert paid > 0 and subscription()["renewal_price"] == paid
    store.post(f"subscriptions/{bought}/seats", {"seats": 2})
    announced = subscription()["renewal_price"]
    assert announced == paid // 3 * 2
    store.advance("P1M")
    assert (subscription()["price"], subscription()["renewal_price"]) == (announced, announced)
