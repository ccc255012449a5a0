"""Offer codes: created, redeemed once or by several customers, and refused if invalid. Apple's library verifies every
payload."""

from appstoreserverlibrary.models.OfferDiscountType import OfferDiscountType
from appstoreserverlibrary.models.OfferType import OfferType

OFFER = "pro.monthly.gift"


def redeem(store, account, code, product="pro.monthly"):
    """Buys with an offer code and returns the response, whatever its status."""
    offer = {"type": "offer_code", "code": code}
    return store.call("POST", f"accounts/{account}/purchases", {"productId": product, "offer": offer})


def create_codes(store, **codes):
    return store.post("products/pro.monthly/offer-codes", {"offer": OFFER, **codes})


def refused(answer, status, code, path):
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["path"]) == (status, code, path)


def test_a_single_code_starts_a_subscription_once(store, receiver):
    store.send_notifications_to(receiver.url)
    verifier = store.verifier()
    created = create_codes(store, count=2)
    first, second = created["codes"]
    account, other = store.new_account(), store.new_account()
    # A new subscriber gets the introductory offer first and then the offer of the code.
    bought = redeem(store, account, first).json()
    renewal = verifier.verify_and_decode_renewal_info(bought["signedRenewalInfo"])
    assert (renewal.offerType, renewal.offerIdentifier) == (OfferType.OFFER_CODE, OFFER)
    refused(redeem(store, other, first), 409, "offer_code_redeemed", "offer.code")
    refused(redeem(store, account, second), 409, "offer_already_redeemed", "offer")
    store.advance("P2M")
    notifications = [verifier.verify_and_decode_notification(signed) for signed in receiver.signed_payloads]
    transactions = [verifier.verify_and_decode_signed_transaction(n.data.signedTransactionInfo) for n in notifications]
    assert [t.offerType for t in transactions][:2] == [OfferType.INTRODUCTORY_OFFER, OfferType.OFFER_CODE]
    assert transactions[1].offerDiscountType == OfferDiscountType.FREE_TRIAL and transactions[1].price == 0
    [redemption] = store.get(f"offer-codes/{created['offerCodesId']}")["redemptions"]
    assert (redemption["code"], redemption["accountId"]) == (first, account)
    assert redemption["transactionId"] == bought["transactionId"]


def test_an_active_subscriber_redeems_a_custom_code_for_the_next_period(store, receiver):
    store.send_notifications_to(receiver.url)
    verifier = store.verifier()
    create_codes(store, code="Spring26", redemptionLimit=2)
    accounts = [store.new_account() for _ in range(3)]
    for account in accounts:
        store.buy(account, "pro.monthly")
    receiver.bodies.clear()
    for account in accounts[:2]:
        assert redeem(store, account, "SPRING26").ok
    notifications = [verifier.verify_and_decode_notification(signed) for signed in receiver.signed_payloads]
    assert [(n.rawNotificationType, n.rawSubtype) for n in notifications] == [("OFFER_REDEEMED", None)] * 2
    renewal = verifier.verify_and_decode_renewal_info(notifications[0].data.signedRenewalInfo)
    assert (renewal.offerType, renewal.offerIdentifier, renewal.renewalPrice) == (OfferType.OFFER_CODE, OFFER, 0)
    refused(redeem(store, accounts[2], "spring26"), 409, "offer_code_redeemed", "offer.code")


def test_codes_expire_and_are_valid_for_one_product(store):
    account = store.new_account()
    now = store.get("clock")["now"]
    [expiring] = create_codes(store, count=1, expirationDate=now + 60_000)["codes"]
    [valid] = create_codes(store, count=1)["codes"]
    refused(redeem(store, account, valid, "pro.weekly"), 422, "offer_code_product_mismatch", "productId")
    refused(redeem(store, account, "NOTHING"), 404, "offer_code_not_found", "offer.code")
    store.advance("PT1M")
    refused(redeem(store, account, expiring), 409, "offer_code_expired", "offer.code")
    assert redeem(store, account, valid).ok
    custom = create_codes(store, code="STOP", redemptionLimit=5)
    assert store.post(f"offer-codes/{custom['offerCodesId']}/deactivate", {})["active"] is False
    refused(redeem(store, store.new_account(), "STOP"), 409, "offer_code_inactive", "offer.code")
