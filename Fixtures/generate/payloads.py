"""Payloads as the App Store signs them, about an app that does not exist."""

BUNDLE_ID = "com.example.perennial"
APP_APPLE_ID = 1_234_567_890
SIGNED_DATE = 1_760_000_000_000  # 2025-10-09T08:53:20Z


def merged(base: dict, changes: dict) -> dict:
    """With changes; a member given as `...` is left out."""
    members = {**base, **changes}
    return {key: value for key, value in members.items() if value is not ...}


def transaction(**changes) -> dict:
    return merged(
        {
            "transactionId": "2000000000000002",
            "originalTransactionId": "2000000000000001",
            "bundleId": BUNDLE_ID,
            "productId": "pro.monthly",
            "purchaseDate": SIGNED_DATE - 2000,
            "originalPurchaseDate": SIGNED_DATE - 2_592_002_000,
            "expiresDate": SIGNED_DATE + 2_591_998_000,
            "quantity": 1,
            "type": "Auto-Renewable Subscription",
            "inAppOwnershipType": "PURCHASED",
            "signedDate": SIGNED_DATE,
            "environment": "Sandbox",
            "transactionReason": "RENEWAL",
            "storefront": "USA",
            "storefrontId": "143441",
            "price": 9990,
            "currency": "USD",
        },
        changes,
    )


def renewal(**changes) -> dict:
    return merged(
        {
            "originalTransactionId": "2000000000000001",
            "productId": "pro.monthly",
            "autoRenewProductId": "pro.monthly",
            "autoRenewStatus": 1,
            "signedDate": SIGNED_DATE,
            "environment": "Sandbox",
            "recentSubscriptionStartDate": SIGNED_DATE - 2_592_002_000,
            "renewalDate": SIGNED_DATE + 2_591_998_000,
        },
        changes,
    )


def notification(member: str = "data", content=None, **changes) -> dict:
    about = {"bundleId": BUNDLE_ID, "environment": "Sandbox", "bundleVersion": "1"}
    return merged(
        {
            "notificationType": "DID_RENEW",
            "notificationUUID": "c2f1f1de-3c0a-4b5e-9d61-5f0a6a9b7b11",
            "version": "2.0",
            "signedDate": SIGNED_DATE,
            member: about if content is None else content,
        },
        changes,
    )


def data(**changes) -> dict:
    """The member `data` of a notification."""
    return merged({"bundleId": BUNDLE_ID, "environment": "Sandbox", "bundleVersion": "1", "status": 1}, changes)


def summary(**changes) -> dict:
    return merged(
        {
            "requestIdentifier": "0f0e0d0c-0b0a-4908-8706-050403020100",
            "environment": "Sandbox",
            "appAppleId": APP_APPLE_ID,
            "bundleId": BUNDLE_ID,
            "productId": "pro.monthly",
            "storefrontCountryCodes": ["USA"],
            "succeededCount": 5,
            "failedCount": 1,
        },
        changes,
    )


def external_token(identifier: str, **changes) -> dict:
    return merged(
        {
            "externalPurchaseId": identifier,
            "tokenCreationDate": SIGNED_DATE - 5000,
            "appAppleId": APP_APPLE_ID,
            "bundleId": BUNDLE_ID,
        },
        changes,
    )


def app_transaction(**changes) -> dict:
    return merged(
        {
            "receiptType": "Sandbox",
            "appAppleId": APP_APPLE_ID,
            "bundleId": BUNDLE_ID,
            "applicationVersion": "1.4",
            "versionExternalIdentifier": 512,
            "receiptCreationDate": SIGNED_DATE,
            "originalPurchaseDate": SIGNED_DATE - 2_592_002_000,
            "originalApplicationVersion": "1.0",
            "appTransactionId": "704289572311513293",
            "originalPlatform": "iOS",
            "deviceVerification": "AAAA",
            "deviceVerificationNonce": "48ccfa42-7431-4f22-9908-7e88983e105a",
        },
        changes,
    )


def realtime_request(**changes) -> dict:
    return merged(
        {
            "originalTransactionId": "2000000000000001",
            "appAppleId": APP_APPLE_ID,
            "productId": "pro.monthly",
            "userLocale": "en-US",
            "requestIdentifier": "3db5c98d-8acf-4e29-831e-8e1f82f9f6e9",
            "environment": "Sandbox",
            "signedDate": SIGNED_DATE,
        },
        changes,
    )
