"""Whom the data is about: bundle identifier, the app's number, environment, and what is inside a notification."""

from collections.abc import Iterator

import payloads
from case import Case, Kit

AREA = "identity"
BUNDLE = "bundle_id_mismatch"
APP = "app_apple_id_mismatch"
ENVIRONMENT = "environment_mismatch"
MALFORMED = "payload_malformed"
PRODUCTION = {"environment": "Production"}


def cases(kit: Kit) -> Iterator[Case]:
    yield from _bundles(kit)
    yield from _environments(kit)
    yield from _app_numbers(kit)
    yield from _members(kit)
    yield from _inner(kit)


def _bundles(kit: Kit) -> Iterator[Case]:
    bundles = {
        "other": "com.example.other",
        "longer": payloads.BUNDLE_ID + ".clone",
        "shorter": payloads.BUNDLE_ID[:-1],
        "capital": payloads.BUNDLE_ID.replace("com", "COM"),
        "trailing-space": payloads.BUNDLE_ID + " ",
        "trailing-nul": payloads.BUNDLE_ID + "\0",
        "cyrillic-letter": payloads.BUNDLE_ID.replace("e", "е", 1),
        "empty": "",
        "wildcard": "*",
    }
    for name, bundle in bundles.items():
        yield Case(
            AREA,
            f"bundle-{name}",
            f"A transaction of the app {bundle!r} where {payloads.BUNDLE_ID!r} is expected.",
            kit.sign(payloads.transaction(bundleId=bundle)),
            reason=BUNDLE,
        )
    yield Case(
        AREA,
        "bundle-kelvin-sign",
        "The K of the expected bundle identifier is a Kelvin sign (U+212A), canonically equivalent in Unicode.",
        kit.sign(payloads.transaction(bundleId="com.example.\u212aiosk")),
        reason=BUNDLE,
        trust={"bundleId": "com.example.Kiosk"},
        notes="Identifiers are compared by their bytes; a comparison by canonical equivalence calls these two equal.",
    )
    for name, value in {"missing": ..., "null": None, "number": 7, "list": [payloads.BUNDLE_ID]}.items():
        yield Case(
            AREA,
            f"bundle-{name}",
            f"A transaction whose `bundleId` is of another form ({name}).",
            kit.sign(payloads.transaction(bundleId=value)),
            reason=MALFORMED,
            also=(BUNDLE,),
        )
    for kind, payload in {
        "notification": payloads.notification(content=payloads.data(bundleId="com.example.other")),
        "app_transaction": payloads.app_transaction(bundleId="com.example.other"),
    }.items():
        yield Case(
            AREA,
            f"{kind}-bundle-other".replace("_", "-"),
            f"A good {kind.replace('_', ' ')} of another app.",
            kit.sign(payload),
            kind=kind,
            reason=BUNDLE,
        )


def _environments(kit: Kit) -> Iterator[Case]:
    environments = {
        "production": "Production",
        "xcode": "Xcode",
        "local-testing": "LocalTesting",
        "lower-case": "sandbox",
        "upper-case": "SANDBOX",
        "trailing-space": "Sandbox ",
        "empty": "",
        "unknown": "Staging",
    }
    for name, environment in environments.items():
        yield Case(
            AREA,
            f"environment-{name}",
            f"A transaction of the environment {environment!r} where Sandbox is expected.",
            kit.sign(payloads.transaction(environment=environment)),
            reason=ENVIRONMENT,
        )
    yield Case(
        AREA,
        "environment-sandbox-in-production",
        "A sandbox transaction, which costs nothing, where Production is expected.",
        kit.sign(payloads.transaction()),
        reason=ENVIRONMENT,
        trust=PRODUCTION,
    )
    for name, value in {"missing": ..., "null": None, "number": 1}.items():
        yield Case(
            AREA,
            f"environment-{name}",
            f"A transaction whose `environment` is of another form ({name}).",
            kit.sign(payloads.transaction(environment=value)),
            reason=MALFORMED,
            also=(ENVIRONMENT,),
        )
    others = {
        "renewal": payloads.renewal(environment="Production"),
        "notification": payloads.notification(content=payloads.data(environment="Production")),
        "app_transaction": payloads.app_transaction(receiptType="Production"),
        "realtime_request": payloads.realtime_request(environment="Production"),
    }
    for kind, payload in others.items():
        yield Case(
            AREA,
            f"{kind}-environment-production".replace("_", "-"),
            f"A {kind.replace('_', ' ')} of Production where Sandbox is expected.",
            kit.sign(payload),
            kind=kind,
            reason=ENVIRONMENT,
        )
    yield Case(
        AREA,
        "app-transaction-environment-missing",
        "An app transaction without `receiptType`, as some old versions of Xcode made them.",
        kit.sign(payloads.app_transaction(receiptType=...)),
        kind="app_transaction",
        reason=ENVIRONMENT,
        also=(MALFORMED,),
    )


def _app_numbers(kit: Kit) -> Iterator[Case]:
    def notification(**changes) -> dict:
        return payloads.notification(content=payloads.data(environment="Production", **changes))

    def app_transaction(**changes) -> dict:
        return payloads.app_transaction(receiptType="Production", **changes)

    def realtime(**changes) -> dict:
        return payloads.realtime_request(environment="Production", **changes)

    right = {"appAppleId": payloads.APP_APPLE_ID}
    numbers = {
        "notification": ("notification", notification(**right), None),
        "notification-other": ("notification", notification(appAppleId=7), APP),
        "notification-missing": ("notification", notification(), APP),
        "notification-null": ("notification", notification(appAppleId=None), APP),
        "notification-as-text": ("notification", notification(appAppleId=str(payloads.APP_APPLE_ID)), MALFORMED),
        "notification-wrapping": ("notification", notification(appAppleId=2**64 + payloads.APP_APPLE_ID), MALFORMED),
        "app-transaction": ("app_transaction", app_transaction(**right), None),
        "app-transaction-other": ("app_transaction", app_transaction(appAppleId=7), APP),
        "app-transaction-missing": ("app_transaction", app_transaction(appAppleId=...), APP),
        "realtime-request": ("realtime_request", realtime(**right), None),
        "realtime-request-other": ("realtime_request", realtime(appAppleId=7), APP),
        "realtime-request-missing": ("realtime_request", realtime(appAppleId=...), APP),
    }
    for name, (kind, payload, reason) in numbers.items():
        yield Case(
            AREA,
            f"{'app-number' if reason else 'control-app-number'}-{name}",
            f"Production, where the app's number counts: {name.replace('-', ' ')}.",
            kit.sign(payload),
            kind=kind,
            reason=reason,
            also=tuple({APP, MALFORMED} - {reason}) if reason else (),
            trust=PRODUCTION,
        )
    yield Case(
        AREA,
        "control-sandbox-without-app-number",
        "A sandbox notification has no `appAppleId`, and needs none.",
        kit.sign(payloads.notification()),
        kind="notification",
    )


def _members(kit: Kit) -> Iterator[Case]:
    """A notification has one member of four, and each names the app in its own way."""
    token = payloads.external_token
    number = {"appAppleId": payloads.APP_APPLE_ID}
    about = {"bundleId": payloads.BUNDLE_ID, "environment": "Sandbox", **number}
    inner = {**about, "signedAppTransactionInfo": kit.sign(payloads.app_transaction())}
    members = {
        "control-summary": ("summary", payloads.summary(), None, {}),
        "summary-of-another-app": ("summary", payloads.summary(bundleId="com.example.other"), BUNDLE, {}),
        "summary-of-production": ("summary", payloads.summary(environment="Production"), ENVIRONMENT, {}),
        "control-token-sandbox": ("externalPurchaseToken", token("SANDBOX_1"), None, {}),
        "control-token-production": ("externalPurchaseToken", token("b2158121"), None, PRODUCTION),
        "token-sandbox-in-production": ("externalPurchaseToken", token("SANDBOX_1"), ENVIRONMENT, PRODUCTION),
        "token-production-in-sandbox": ("externalPurchaseToken", token("b2158121"), ENVIRONMENT, {}),
        "token-sandbox-lower-case": ("externalPurchaseToken", token("sandbox_1"), ENVIRONMENT, {}),
        "token-of-another-app": ("externalPurchaseToken", token("SANDBOX_1", bundleId="com.other"), BUNDLE, {}),
        "control-app-data": ("appData", inner, None, {}),
        "app-data-of-another-app": ("appData", {**inner, "bundleId": "com.other"}, BUNDLE, {}),
        "no-member": ("other", 7, MALFORMED, {}),
        "data-null": ("data", None, MALFORMED, {}),
        "data-empty": ("data", {}, MALFORMED, {}),
        "data-as-list": ("data", [payloads.data()], MALFORMED, {}),
        "data-as-text": ("data", "{}", MALFORMED, {}),
    }
    for name, (member, content, reason, trust) in members.items():
        payload = payloads.notification(content=None) if content is None else payloads.notification(member, content)
        if content is None:
            payload["data"] = None
        yield Case(
            AREA,
            name if name.startswith("control") else f"member-{name}",
            f"A notification whose member is `{member}`: {name.removeprefix('control-').replace('-', ' ')}.",
            kit.sign(payload),
            kind="notification",
            reason=reason,
            also=(BUNDLE, ENVIRONMENT) if reason == MALFORMED else (),
            trust=trust,
        )


def _inner(kit: Kit) -> Iterator[Case]:
    def holding(transaction: str | None = None, renewal: str | None = None) -> str:
        members = {"signedTransactionInfo": transaction or ..., "signedRenewalInfo": renewal or ...}
        return kit.sign(payloads.notification(content=payloads.data(**members)))

    good, renewal = kit.sign(payloads.transaction()), kit.sign(payloads.renewal())
    other = kit.sign(payloads.transaction(bundleId="com.example.other"))
    abroad = kit.sign(payloads.transaction(environment="Production"))
    inner = {
        "control-both": (holding(good, renewal), None, "a good transaction and renewal"),
        "transaction-of-another-app": (holding(other), BUNDLE, "a transaction of another app"),
        "transaction-of-production": (holding(abroad), ENVIRONMENT, "a production transaction"),
        "renewal-of-production": (
            holding(renewal=kit.sign(payloads.renewal(environment="Production"))),
            ENVIRONMENT,
            "production renewal information",
        ),
        "transaction-unreadable": (holding("not a JWS"), MALFORMED, "a text that is no JWS"),
        "transaction-without-payload": (holding(good.split(".")[0] + ".e30.AA"), MALFORMED, "an empty transaction"),
    }
    for name, (text, reason, words) in inner.items():
        yield Case(
            AREA,
            f"{'inner-' if reason else ''}{name}",
            f"A good notification of the expected app, with {words} inside.",
            text,
            kind="notification",
            reason=reason,
            notes="The signature of the envelope covers what is inside; that it is about the same app is a check of "
            "its own."
            if reason
            else None,
        )
