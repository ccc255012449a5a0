"""Xcode's StoreKit configuration files: they load, and every product in them can be bought."""

import json

import pytest

FILES = ["integration-tests.storekit", "purchase-tester.storekit"]
TYPES = {
    "Consumable": "Consumable",
    "NonConsumable": "Non-Consumable",
    "NonRenewingSubscription": "Non-Renewing Subscription",
    "RecurringSubscription": "Auto-Renewable Subscription",
}


def products(configuration):
    yield from configuration.get("products", [])
    yield from configuration.get("nonRenewingSubscriptions", [])
    for group in configuration.get("subscriptionGroups", []):
        yield from group["subscriptions"]


def milliunits(price):
    return round(float(price) * 1000)


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("way", ["command line", "api"])
def test_every_product_of_a_file_can_be_bought(start_store, storekit_folder, file, way):
    path = storekit_folder / file
    configuration = json.loads(path.read_text())
    if way == "command line":
        store = start_store(catalog=path)
    else:
        store = start_store()
        store.put("catalog", configuration)
    client, verifier = store.client(), store.verifier()
    all_products = list(products(configuration))
    assert all_products
    for product in all_products:
        purchase = store.buy(store.new_account(), product["productID"])
        signed = client.get_transaction_info(purchase["transactionId"]).signedTransactionInfo
        info = verifier.verify_and_decode_signed_transaction(signed)
        assert info.productId == product["productID"]
        assert info.rawType == TYPES[product["type"]]
        offer = product.get("introductoryOffer")
        if offer is None:
            assert info.price == milliunits(product["displayPrice"])
            assert info.offerType is None
        elif offer["paymentMode"] == "free":
            assert (info.price, info.offerPeriod) == (0, offer["subscriptionPeriod"])
        else:
            assert (info.price, info.offerPeriod) == (milliunits(offer["displayPrice"]), offer["subscriptionPeriod"])


@pytest.mark.parametrize("file", FILES)
def test_every_subscription_of_a_file_renews_at_its_price(start_store, storekit_folder, file):
    path = storekit_folder / file
    store = start_store(catalog=path)
    accounts = {}
    for product in products(json.loads(path.read_text())):
        if product["type"] == "RecurringSubscription":
            account = store.new_account()
            store.buy(account, product["productID"])
            accounts[account] = product
    store.advance("P2Y")
    for account, product in accounts.items():
        (subscription,) = store.get(f"accounts/{account}")["subscriptions"]
        assert subscription["status"] == 1
        assert subscription["price"] == milliunits(product["displayPrice"]), product["productID"]


def test_the_catalogue_is_returned_unchanged(start_store, storekit_folder):
    path = storekit_folder / FILES[0]
    store = start_store(catalog=path)
    assert store.get("catalog") == json.loads(path.read_text())


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda catalog: catalog["version"].update(major=99), "version"),
        (
            lambda catalog: catalog["subscriptionGroups"][0]["subscriptions"][0].update(
                recurringSubscriptionPeriod="P1X"
            ),
            "recurringSubscriptionPeriod",
        ),
    ],
    ids=["version", "period"],
)
def test_a_faulty_file_is_refused_with_the_path_of_the_field_and_changes_nothing(store, change, path):
    before = store.get("catalog")
    faulty = store.get("catalog")
    change(faulty)
    response = store.call("PUT", "catalog", faulty)
    assert response.status_code in (400, 422)
    error = response.json()["error"]
    assert error["code"] and error["message"]
    assert path in error["path"]
    assert store.get("catalog") == before
