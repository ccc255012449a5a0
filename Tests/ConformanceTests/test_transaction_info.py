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
def test_every_kind_of_product_has_its_type_and_price(store, product, kind, price):
    purchase = store.buy(store.new_account(), product)
    info = transaction(store, purchase["transactionId"])
    assert info.type == kind
    assert info.productId == product
    assert (info.price, info.currency) == (price, "USD")
    assert info.transactionId == info.originalTransactionId == purchase["transactionId"]
    assert info.bundleId == store.credentials["bundleId"]
    assert info.inAppOwnershipType == InAppOwnershipType.PURCHASED
    assert info.transactionReason == TransactionReason.PURCHASE
    assert info.quantity == 1
    assert (info.storefront, info.storefrontId) == ("USA", "143441")
    assert (info.expiresDate is None) == (kind != Type.AUTO_RENEWABLE_SUBSCRIPTION)
    assert info.revocationDate is None


def test_a_purchase_returns_the_same_transaction_as_the_api(store):
    purchase = store.buy(store.new_account(), "pro.monthly")
    bought = store.verifier().verify_and_decode_signed_transaction(purchase["signedTransactionInfo"])
    info = transaction(store, purchase["transactionId"])
    bought.signedDate = info.signedDate = None
    assert bought == info
    renewal = store.verifier().verify_and_decode_renewal_info(purchase["signedRenewalInfo"])
    assert renewal.originalTransactionId == purchase["originalTransactionId"]
    assert renewal.autoRenewProductId == "pro.monthly"


def test_a_free_trial_is_an_introductory_offer(store):
    purchase = store.buy(store.new_account(), "pro.monthly")
    info = transaction(store, purchase["transactionId"])
    assert info.offerType == OfferType.INTRODUCTORY_OFFER
    assert info.offerDiscountType == OfferDiscountType.FREE_TRIAL
    assert info.offerPeriod == "P1W"
    assert info.price == 0
    assert info.expiresDate - info.purchaseDate == 7 * DAY


def test_a_renewal_has_its_own_id_and_the_full_price(store):
    account = store.new_account()
    first = store.buy(account, "pro.monthly")
    store.advance("P1W")
    renewed = store.get(f"accounts/{account}")["transactions"][-1]
    info = transaction(store, renewed["transactionId"])
    assert info.transactionId != first["transactionId"]
    assert info.originalTransactionId == first["transactionId"]
    assert info.transactionReason == TransactionReason.RENEWAL
    assert info.price == 9_990
    assert info.offerType is None
    original = transaction(store, first["transactionId"])
    assert info.purchaseDate == original.expiresDate
    assert info.originalPurchaseDate == original.originalPurchaseDate
    assert info.webOrderLineItemId != original.webOrderLineItemId


def test_every_transaction_contains_the_app_account_token(store):
    token = str(uuid.uuid4())
    account = store.new_account()
    store.buy(account, "pro.weekly", appAccountToken=token)
    store.advance("P2W")
    for sold in store.get(f"accounts/{account}")["transactions"]:
        assert transaction(store, sold["transactionId"]).appAccountToken == token


def test_a_quantity_multiplies_the_price(store):
    purchase = store.buy(store.new_account(), "coins.100", quantity=3)
    info = transaction(store, purchase["transactionId"])
    assert (info.quantity, info.price) == (3, 2_970)


def test_a_refunded_transaction_contains_the_revocation(store):
    purchase = store.buy(store.new_account(), "lifetime")
    store.advance("P1D")
    store.refund(purchase["transactionId"], reason=1)
    info = transaction(store, purchase["transactionId"])
    assert info.revocationDate == store.get("clock")["now"]
    assert info.rawRevocationReason == 1


def test_a_transaction_is_signed_again_for_each_response_with_the_same_content(store):
    purchase = store.buy(store.new_account(), "lifetime")
    first = transaction(store, purchase["transactionId"])
    store.advance("P1D")
    second = transaction(store, purchase["transactionId"])
    assert second.signedDate >= first.signedDate + DAY
    first.signedDate = second.signedDate = None
    assert first == second
