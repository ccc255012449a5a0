"""When the certificates are valid: the App Store's data is judged at the time when it was signed."""

from collections.abc import Iterator

import payloads
from case import Case, Kit
from certificates import pem

AREA = "validity"
NOT_VALID = "certificate_not_valid_at_signing"
SECONDS = payloads.SIGNED_DATE // 1000
YEAR = 31_536_000


def cases(kit: Kit) -> Iterator[Case]:
    yield from _periods(kit)
    yield from _dates(kit)
    yield from _chosen_times(kit)


def _chain(kit: Kit, role: str, **changes) -> list[bytes]:
    good = kit.good
    recipes = {"leaf": good.leaf_recipe, "intermediate": good.intermediate_recipe}
    recipes[role] = recipes[role].but(**changes)
    return [recipes["leaf"].encode(), recipes["intermediate"].encode(), good.root]


def _periods(kit: Kit) -> Iterator[Case]:
    for role in ["leaf", "intermediate"]:
        yield Case(
            AREA,
            f"{role}-expired",
            f"The {role} had expired a year before the payload says it was signed.",
            kit.under(_chain(kit, role, not_after=SECONDS - YEAR)),
            reason=NOT_VALID,
        )
        yield Case(
            AREA,
            f"{role}-not-yet-valid",
            f"The {role} became valid a day after the payload says it was signed.",
            kit.under(_chain(kit, role, not_before=SECONDS + 86_400)),
            reason=NOT_VALID,
        )
        yield Case(
            AREA,
            f"{role}-expired-a-second-before",
            f"The {role}'s last valid second is the one before the signature.",
            kit.under(_chain(kit, role, not_after=SECONDS - 1)),
            reason=NOT_VALID,
        )
        yield Case(
            AREA,
            f"control-{role}-last-second",
            f"The {role}'s last valid second is that of the signature; both ends of a validity belong to it.",
            kit.under(_chain(kit, role, not_after=SECONDS)),
        )
        yield Case(
            AREA,
            f"control-{role}-first-second",
            f"The {role}'s first valid second is that of the signature.",
            kit.under(_chain(kit, role, not_before=SECONDS)),
        )
    yield Case(
        AREA,
        "never-valid",
        "The leaf ends before it begins.",
        kit.under(_chain(kit, "leaf", not_before=SECONDS + YEAR, not_after=SECONDS - YEAR)),
        reason=NOT_VALID,
        also=("certificate_malformed", "chain_not_trusted"),
    )
    yield Case(
        AREA,
        "control-expired-since",
        "The leaf was valid when the payload was signed and has expired since: old data stays good.",
        kit.under(_chain(kit, "leaf", not_after=SECONDS + 86_400)),
    )
    root = kit.good.root_recipe.but(not_after=SECONDS - YEAR).encode()
    yield Case(
        AREA,
        "root-expired",
        "The configured root itself had expired when the payload says it was signed.",
        kit.under([kit.good.leaf, kit.good.intermediate, root]),
        reason=NOT_VALID,
        trust={"roots": [pem(root)]},
    )


def _dates(kit: Kit) -> Iterator[Case]:
    dates = {
        "zero": (0, "1970, long before the chain was made"),
        "negative": (-1, "before 1970"),
        "in-seconds": (SECONDS, "in seconds instead of milliseconds, so in January 1970"),
        "far-future": (4_102_444_800_000, "in 2100, when the chain has expired"),
    }
    for name, (date, words) in dates.items():
        yield Case(
            AREA,
            f"signed-date-{name}",
            f"The payload's `signedDate` is {words}.",
            kit.sign(payloads.transaction(signedDate=date)),
            reason=NOT_VALID,
        )
    yield Case(
        AREA,
        "signed-date-largest-integer",
        "The payload's `signedDate` is the largest integer of 64 bits.",
        kit.sign(payloads.transaction(signedDate=2**63 - 1)),
        reason=NOT_VALID,
        also=("payload_malformed",),
    )
    yield Case(
        AREA,
        "control-signed-date-with-fraction",
        "The payload's `signedDate` has a fraction, as Xcode writes dates.",
        kit.sign(payloads.transaction(signedDate=payloads.SIGNED_DATE + 0.7297)),
    )
    yield Case(
        AREA,
        "app-transaction-created-before-the-chain",
        "An app transaction's `receiptCreationDate`, which stands for the time of signing, is before the chain's.",
        kit.sign(payloads.app_transaction(receiptCreationDate=1_000_000_000_000)),
        kind="app_transaction",
        reason=NOT_VALID,
    )
    yield Case(
        AREA,
        "notification-signed-before-the-chain",
        "A notification's `signedDate` is before the chain was valid.",
        kit.sign(payloads.notification(signedDate=1_000_000_000_000)),
        kind="notification",
        reason=NOT_VALID,
    )


def _chosen_times(kit: Kit) -> Iterator[Case]:
    yield Case(
        AREA,
        "control-judged-at-a-chosen-time",
        "The verifier judges the chain at a time of its own choice, at which it is valid.",
        kit.sign(payloads.transaction()),
        trust={"at": payloads.SIGNED_DATE + 1000 * YEAR},
    )
    yield Case(
        AREA,
        "expired-at-the-chosen-time",
        "Valid when signed, but not at the time at which the verifier judges the chain.",
        kit.under(_chain(kit, "leaf", not_after=SECONDS + 86_400)),
        reason="certificate_not_valid",
        also=(NOT_VALID,),
        trust={"at": payloads.SIGNED_DATE + 1000 * YEAR},
    )
