"""Get Transaction Info, through Apple's client and verifier."""

import uuid

import pytest
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.OfferDiscountType import OfferDiscountType
from appstoreserverlibrary.models.OfferType import OfferType
from appstoreserverlibrary.models.TransactionReason import TransactionReason
from appstoreserverlibrary.models.Type import Type

DAY = 86_400_000


def transaction(store, transaction_id):
    signed = store.client().get_transaction_info(transaction_id).signedTransactionInfo
    return store.verifier().verify_and_decode_signed_transaction(signed)


@pytest.mark.parametrize(
    ("product", "kind", "price"),
    [
        ("pro.weekly", Type.AUTO_RENEWABLE_SUBSCRIPTION, 2_990),
        ("lifetime", Type.NON_CONSUMABLE, 199_990),
        ("coins.100", Type.CONSUMABLE, 990),
        ("season.pass", Type.NON_RENEWING_SUBSCRIPTION, 19_990),
    ],
)
def test_every_kind_of_product_is_told_with_its_type_and_price(store, product, kind, price):
    purchase = store.buy(store.new_account(), product)
    told = transaction(store, purchase["transactionId"])
    assert told.type == kind
    assert told.productId == product
    assert (told.price, told.currency) == (price, "USD")
    assert told.transactionId == told.originalTransactionId == purchase["transactionId"]
    assert told.bundleId == store.credentials["bundleId"]
    assert told.inAppOwnershipType == InAppOwnershipType.PURCHASED
    assert told.transactionReason == TransactionReason.PURCHASE
    assert told.quantity == 1
    assert (told.storefront, told.storefrontId) == ("USA", "143441")
    assert (told.expiresDate is None) == (kind != Type.AUTO_RENEWABLE_SUBSCRIPTION)
    assert told.revocationDate is None


def test_a_purchase_answers_the_same_transaction_as_the_api(store):
    purchase = store.buy(store.new_account(), "pro.monthly")
    bought = store.verifier().verify_and_decode_signed_transaction(purchase["signedTransactionInfo"])
    told = transaction(store, purchase["transactionId"])
    bought.signedDate = told.signedDate = None
    assert bought == told
    renewal = store.verifier().verify_and_decode_renewal_info(purchase["signedRenewalInfo"])
    assert renewal.originalTransactionId == purchase["originalTransactionId"]
    assert renewal.autoRenewProductId == "pro.monthly"


def test_a_free_trial_is_told_as_the_introductory_offer_it_is(store):
    purchase = store.buy(store.new_account(), "pro.monthly")
    told = transaction(store, purchase["transactionId"])
    assert told.offerType == OfferType.INTRODUCTORY_OFFER
    assert told.offerDiscountType == OfferDiscountType.FREE_TRIAL
    assert told.offerPeriod == "P1W"
    assert told.price == 0
    assert told.expiresDate - told.purchaseDate == 7 * DAY


def test_a_renewal_has_an_id_of_its_own_and_the_full_price(store):
    account = store.new_account()
    first = store.buy(account, "pro.monthly")
    store.advance("P1W")
    renewed = store.get(f"accounts/{account}")["transactions"][-1]
    told = transaction(store, renewed["transactionId"])
    assert told.transactionId != first["transactionId"]
    assert told.originalTransactionId == first["transactionId"]
    assert told.transactionReason == TransactionReason.RENEWAL
    assert told.price == 9_990
    assert told.offerType is None
    original = transaction(store, first["transactionId"])
    assert told.purchaseDate == original.expiresDate
    assert told.originalPurchaseDate == original.originalPurchaseDate
    assert told.webOrderLineItemId != original.webOrderLineItemId


def test_the_token_of_the_app_comes_back_in_every_transaction(store):
    token = str(uuid.uuid4())
    account = store.new_account()
    store.buy(account, "pro.weekly", appAccountToken=token)
    store.advance("P2W")
    for sold in store.get(f"accounts/{account}")["transactions"]:
        assert transaction(store, sold["transactionId"]).appAccountToken == token


def test_a_quantity_multiplies_the_price(store):
    purchase = store.buy(store.new_account(), "coins.100", quantity=3)
    told = transaction(store, purchase["transactionId"])
    assert (told.quantity, told.price) == (3, 2_970)


def test_a_refund_shows_in_the_transaction(store):
    purchase = store.buy(store.new_account(), "lifetime")
    store.advance("P1D")
    store.refund(purchase["transactionId"], reason=1)
    told = transaction(store, purchase["transactionId"])
    assert told.revocationDate == store.get("clock")["now"]
    assert told.rawRevocationReason == 1


def test_a_transaction_is_signed_anew_for_each_answer_with_the_same_content(store):
    purchase = store.buy(store.new_account(), "lifetime")
    first = transaction(store, purchase["transactionId"])
    store.advance("P1D")
    second = transaction(store, purchase["transactionId"])
    assert second.signedDate >= first.signedDate + DAY
    first.signedDate = second.signedDate = None
    assert first == second
