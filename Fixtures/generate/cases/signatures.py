"""What stands behind the second dot: raw r and s, 64 bytes, over exactly the bytes before it."""

import hashlib
from collections.abc import Iterator

import jws
import payloads
from case import Case, Kit
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed, encode_dss_signature

AREA = "signature"
INVALID = "signature_invalid"
TRANSACTION = payloads.transaction()


def cases(kit: Kit) -> Iterator[Case]:
    yield Case(AREA, "control", "A good signature.", kit.sign(TRANSACTION))
    yield from _malleated(kit)
    yield from _numbers(kit)
    yield from _sizes(kit)
    yield from _other_messages(kit)
    yield from _changed(kit)
    yield from _other_keys(kit)


def _numbers_of(kit: Kit, text: bytes) -> tuple[int, int]:
    signature = jws.sign_raw(kit.key, text)
    return int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")


def _malleated(kit: Kit) -> Iterator[Case]:
    for name, wanted in {"low-s": True, "high-s": False}.items():

        def make(text: bytes, wanted=wanted) -> bytes:
            r, s = _numbers_of(kit, text)
            return jws.raw(r, s if (s <= jws.N // 2) == wanted else jws.N - s)

        yield Case(
            AREA,
            f"control-{name}",
            f"A good signature with a {name.replace('-', ' ')}; ES256 has both, and Apple sends both.",
            jws.with_signature(kit.head(), TRANSACTION, make),
            notes="Who has one of the two can make the other: a signed text must not be told from another by its "
            "bytes alone, but by what it says.",
        )


def _numbers(kit: Kit) -> Iterator[Case]:
    def made(change):
        return lambda text: change(*_numbers_of(kit, text))

    numbers = {
        "zero": ("r and s are zero (CVE-2022-21449)", made(lambda r, s: bytes(64))),
        "zero-r": ("r is zero", made(lambda r, s: jws.raw(0, s))),
        "zero-s": ("s is zero", made(lambda r, s: jws.raw(r, 0))),
        "one": ("r and s are one", made(lambda r, s: jws.raw(1, 1))),
        "order-r": ("r is the order of the group", made(lambda r, s: jws.raw(jws.N, s))),
        "order-s": ("s is the order of the group", made(lambda r, s: jws.raw(r, jws.N))),
        "order-both": ("r and s are the order of the group", made(lambda r, s: jws.raw(jws.N, jws.N))),
        "all-ones": ("all bits are one", made(lambda r, s: b"\xff" * 64)),
        "swapped": ("r and s changed places", made(lambda r, s: jws.raw(s, r))),
        "negated-r": ("r is subtracted from the order", made(lambda r, s: jws.raw(jws.N - r, s))),
        "s-plus-one": ("s is one higher", made(lambda r, s: jws.raw(r, (s + 1) % jws.N))),
        "little-endian": (
            "r and s are little-endian",
            made(lambda r, s: jws.raw(r, s)[31::-1] + jws.raw(r, s)[:31:-1]),
        ),
    }
    for name, (words, make) in numbers.items():
        yield Case(
            AREA,
            f"numbers-{name}",
            f"In the signature, {words}.",
            jws.with_signature(kit.head(), TRANSACTION, make),
            reason=INVALID,
        )


def _sizes(kit: Kit) -> Iterator[Case]:
    def made(change):
        return lambda text: change(jws.sign_raw(kit.key, text))

    def numbers(signature: bytes) -> tuple[int, int]:
        return int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")

    sizes = {
        "der": ("in DER, as most libraries make it", made(lambda raw: encode_dss_signature(*numbers(raw)))),
        "short": ("one byte too short", made(lambda raw: raw[:-1])),
        "half": ("only r", made(lambda raw: raw[:32])),
        "one-byte": ("one byte", made(lambda raw: raw[:1])),
        "long": ("followed by a zero byte", made(lambda raw: raw + b"\0")),
        "leading-zero": ("preceded by a zero byte", made(lambda raw: b"\0" + raw)),
        "p384-sized": ("padded to the 96 bytes of ES384", made(lambda raw: jws.raw(*numbers(raw), 48))),
        "p1363-33": ("33 bytes for each number", made(lambda raw: jws.raw(*numbers(raw), 33))),
        "twice": ("there twice", made(lambda raw: raw * 2)),
        "hexadecimal": ("in hexadecimal digits", made(lambda raw: raw.hex().encode())),
    }
    for name, (words, make) in sizes.items():
        yield Case(
            AREA,
            f"size-{name}",
            f"A good signature, {words}.",
            jws.with_signature(kit.head(), TRANSACTION, make),
            reason=INVALID,
        )


def _other_messages(kit: Kit) -> Iterator[Case]:
    payload = jws.compact_json(TRANSACTION)
    head = kit.head()
    messages = {
        "decoded-payload": ("the payload's JSON instead of header and payload", lambda text: payload),
        "payload-segment": ("the payload's segment alone", lambda text: text.split(b".")[1]),
        "header-segment": ("the header's segment alone", lambda text: text.split(b".")[0]),
        "without-dot": ("header and payload without the dot between", lambda text: text.replace(b".", b"")),
        "trailing-dot": ("header and payload with another dot behind", lambda text: text + b"."),
        "decoded-both": ("both decoded, with a dot between", lambda text: jws.compact_json(head) + b"." + payload),
    }
    for name, (words, message) in messages.items():
        yield Case(
            AREA,
            f"over-{name}",
            f"The trusted leaf signed {words}.",
            jws.with_signature(head, TRANSACTION, lambda text, m=message: jws.sign_raw(kit.key, m(text))),
            reason=INVALID,
        )
    for name, digest in {"sha384": hashes.SHA384(), "sha512": hashes.SHA512(), "sha1": hashes.SHA1()}.items():
        yield Case(
            AREA,
            f"digest-{name}",
            f"The trusted leaf signed the {name.upper()} digest of the right bytes; the header says ES256.",
            jws.with_signature(head, TRANSACTION, lambda text, d=digest: jws.sign_raw(kit.key, text, d)),
            reason=INVALID,
        )
    yield Case(
        AREA,
        "digest-twice",
        "The trusted leaf signed the digest of the digest.",
        jws.with_signature(head, TRANSACTION, lambda text: jws.sign_raw(kit.key, hashlib.sha256(text).digest())),
        reason=INVALID,
    )
    yield Case(
        AREA,
        "digest-empty",
        "The trusted leaf signed a digest of zeros.",
        jws.with_signature(
            head, TRANSACTION, lambda text: jws.sign_raw(kit.key, bytes(32), Prehashed(hashes.SHA256()))
        ),
        reason=INVALID,
    )


def _changed(kit: Kit) -> Iterator[Case]:
    good = kit.sign(TRANSACTION)
    head, body, signature = good.split(".")
    other = kit.sign(payloads.transaction(productId="free.trial")).split(".")
    renamed = jws.base64url(jws.compact_json(payloads.transaction(productId="lifetime")))
    spaced = jws.base64url(jws.compact_json(TRANSACTION) + b" ")
    retyped = jws.base64url(jws.compact_json(kit.head(typ="JWT")))
    texts = {
        "product": (f"{head}.{renamed}.{signature}", "another product stands in the payload"),
        "white-space": (f"{head}.{spaced}.{signature}", "a blank was added behind the payload's JSON"),
        "header": (f"{retyped}.{body}.{signature}", "a `typ` was added to the header"),
        "signature-of-another": (f"{head}.{body}.{other[2]}", "the signature is that of another payload"),
        "payload-of-another": (f"{head}.{other[1]}.{signature}", "the payload is that of another signature"),
    }
    for name, (text, words) in texts.items():
        yield Case(AREA, f"changed-{name}", f"Changed after signing: {words}.", text, reason=INVALID)


def _other_keys(kit: Kit) -> Iterator[Case]:
    stranger = ec.generate_private_key(ec.SECP256R1())
    yield Case(
        AREA,
        "key-of-a-stranger",
        "The trusted chain with the signature of another P-256 key.",
        jws.compact(kit.head(), TRANSACTION, stranger),
        reason=INVALID,
    )
    for role in ["intermediate", "root"]:
        key = getattr(kit.good.keys, role)
        yield Case(
            AREA,
            f"key-of-the-{role}",
            f"The trusted chain with a signature by the {role}'s P-384 key.",
            jws.compact(kit.head(), TRANSACTION, key),
            reason=INVALID,
        )
