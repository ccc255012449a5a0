"""Codes for offers: made, redeemed once or by many, and refused when they are not good; every payload verified by
Apple's own library."""

from appstoreserverlibrary.models.OfferDiscountType import OfferDiscountType
from appstoreserverlibrary.models.OfferType import OfferType

OFFER = "pro.monthly.gift"


def redeem(store, account, code, product="pro.monthly"):
    """The answer of a purchase with a code, whatever its status."""
    offer = {"type": "offer_code", "code": code}
    return store.call("POST", f"accounts/{account}/purchases", {"productId": product, "offer": offer})


def make(store, **codes):
    return store.post("products/pro.monthly/offer-codes", {"offer": OFFER, **codes})


def refused(answer, status, code, path):
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["path"]) == (status, code, path)


def test_a_single_code_starts_a_subscription_once(store, receiver):
    store.send_notifications_to(receiver.url)
    verifier = store.verifier()
    made = make(store, count=2)
    first, second = made["codes"]
    account, other = store.new_account(), store.new_account()
    # Who is new has the introductory offer first; the code's offer follows it.
    bought = redeem(store, account, first).json()
    renewal = verifier.verify_and_decode_renewal_info(bought["signedRenewalInfo"])
    assert (renewal.offerType, renewal.offerIdentifier) == (OfferType.OFFER_CODE, OFFER)
    refused(redeem(store, other, first), 409, "offer_code_redeemed", "offer.code")
    refused(redeem(store, account, second), 409, "offer_already_redeemed", "offer")
    store.advance("P2M")
    told = [verifier.verify_and_decode_notification(signed) for signed in receiver.signed_payloads]
    sold = [verifier.verify_and_decode_signed_transaction(n.data.signedTransactionInfo) for n in told]
    assert [t.offerType for t in sold][:2] == [OfferType.INTRODUCTORY_OFFER, OfferType.OFFER_CODE]
    assert sold[1].offerDiscountType == OfferDiscountType.FREE_TRIAL and sold[1].price == 0
    [redemption] = store.get(f"offer-codes/{made['offerCodesId']}")["redemptions"]
    assert (redemption["code"], redemption["accountId"]) == (first, account)
    assert redemption["transactionId"] == bought["transactionId"]


def test_an_active_subscriber_redeems_a_custom_code_for_the_next_period(store, receiver):
    store.send_notifications_to(receiver.url)
    verifier = store.verifier()
    make(store, code="Spring26", redemptionLimit=2)
    accounts = [store.new_account() for _ in range(3)]
    for account in accounts:
        store.buy(account, "pro.monthly")
    receiver.bodies.clear()
    for account in accounts[:2]:
        assert redeem(store, account, "SPRING26").ok
    told = [verifier.verify_and_decode_notification(signed) for signed in receiver.signed_payloads]
    assert [(n.rawNotificationType, n.rawSubtype) for n in told] == [("OFFER_REDEEMED", None)] * 2
    renewal = verifier.verify_and_decode_renewal_info(told[0].data.signedRenewalInfo)
    assert (renewal.offerType, renewal.offerIdentifier, renewal.renewalPrice) == (OfferType.OFFER_CODE, OFFER, 0)
    refused(redeem(store, accounts[2], "spring26"), 409, "offer_code_redeemed", "offer.code")


def test_codes_end_and_belong_to_one_product(store):
    account = store.new_account()
    now = store.get("clock")["now"]
    [short] = make(store, count=1, expirationDate=now + 60_000)["codes"]
    [long] = make(store, count=1)["codes"]
    refused(redeem(store, account, long, "pro.weekly"), 422, "offer_code_product_mismatch", "productId")
    refused(redeem(store, account, "NOTHING"), 404, "offer_code_not_found", "offer.code")
    store.advance("PT1M")
    refused(redeem(store, account, short), 409, "offer_code_expired", "offer.code")
    assert redeem(store, account, long).ok
    custom = make(store, code="STOP", redemptionLimit=5)
    assert store.post(f"offer-codes/{custom['offerCodesId']}/deactivate", {})["active"] is False
    refused(redeem(store, store.new_account(), "STOP"), 409, "offer_code_inactive", "offer.code")
