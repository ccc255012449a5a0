"""Receipts: encodings that lie or are allowed, attributes that contradict, and other things sent as one."""

import base64
from collections.abc import Iterator

import der
import payloads
import pkcs7
from case import Case, Kit
from jws import standard
from pkcs7 import receipt, signed_attributes

from cases.receipts import CONTENT, INVALID, MALFORMED, case

TRUNCATED = "receipt_truncated"


def cases(kit: Kit) -> Iterator[Case]:
    yield from _allowed_encodings(kit)
    yield from _lies(kit)
    yield from _contents(kit)
    yield from _containers(kit)
    yield from _other_texts(kit)


def _allowed_encodings(kit: Kit) -> Iterator[Case]:
    """Signed data is BER (RFC 5652, section 5.1), and Xcode writes it; the signature covers the octets themselves."""
    own = kit.receipts
    made = receipt(own)
    halves = (CONTENT[: len(CONTENT) // 2], CONTENT[len(CONTENT) // 2 :])
    pieces = [der.octet_string(half) for half in halves]
    parts = made.parts()
    outer = der.indefinite(
        der.SEQUENCE, der.oid(pkcs7.SIGNED_DATA), der.indefinite(0xA0, der.indefinite(der.SEQUENCE, *parts))
    )
    allowed = {
        "content-in-pieces": made.but(element=der.tlv(der.OCTET_STRING | der.CONSTRUCTED, *pieces)).encode(),
        "content-of-indefinite-length": made.but(element=der.indefinite(der.OCTET_STRING, *pieces)).encode(),
        "content-nested-twice": made.but(
            element=der.indefinite(der.OCTET_STRING, der.indefinite(der.OCTET_STRING, *pieces))
        ).encode(),
        "everything-of-indefinite-length": outer,
        "long-lengths": der.long_length(der.SEQUENCE, made.encode()[4:]),
    }
    for name, encoded in allowed.items():
        yield case(
            kit,
            f"control-ber-{name}",
            f"A good receipt in BER, which PKCS #7 allows and Xcode writes: {name.replace('-', ' ')}.",
            encoded,
        )


def _lies(kit: Kit) -> Iterator[Case]:
    own = kit.receipts
    good = receipt(own).encode()
    body = good[4:]
    parts = receipt(own).parts()

    def wrapped(signed_data: bytes) -> bytes:
        return der.sequence(der.oid(pkcs7.SIGNED_DATA), der.context(0, signed_data))

    def with_content(element: bytes) -> bytes:
        return receipt(own).but(element=element).encode()

    either = (MALFORMED, TRUNCATED)
    rows = {
        "outer-one-more": (der.lying(der.SEQUENCE, body, len(body) + 1), TRUNCATED, (MALFORMED,)),
        "outer-one-less": (der.lying(der.SEQUENCE, body, len(body) - 1), MALFORMED, (TRUNCATED,)),
        "outer-gigabytes": (b"\x30\x84\x7f\xff\xff\xff" + body, *_either(TRUNCATED)),
        "outer-2-to-the-64": (b"\x30\x88" + b"\xff" * 8 + body, *_either(MALFORMED)),
        "outer-127-length-octets": (b"\x30\xff" + b"\x01" * 127 + body, *_either(MALFORMED)),
        "outer-reserved-length": (b"\x30\xff" + body, *_either(MALFORMED)),
        "signed-data-one-more": (
            wrapped(der.lying(der.SEQUENCE, b"".join(parts), len(b"".join(parts)) + 1)),
            *_either(MALFORMED),
        ),
        "content-one-more": (with_content(der.lying(der.OCTET_STRING, CONTENT, len(CONTENT) + 1)), *_either(MALFORMED)),
        "content-one-less": (with_content(der.lying(der.OCTET_STRING, CONTENT, len(CONTENT) - 1)), *_either(MALFORMED)),
        "indefinite-primitive": (with_content(b"\x04\x80" + CONTENT + b"\0\0"), *_either(MALFORMED)),
        "indefinite-without-end": (good[:1] + b"\x80" + body, TRUNCATED, (MALFORMED,)),
        "trailing-byte": (good + b"\0", MALFORMED, ()),
        "trailing-receipt": (good + good, MALFORMED, ()),
        "ten-thousand-deep": (b"\x30\x80" * 10_000, *_either(MALFORMED)),
        "deep-octet-strings": (_deep(with_content), *_either(MALFORMED)),
        "only-a-header": (good[:4], TRUNCATED, (MALFORMED,)),
        "one-byte": (b"\x30", TRUNCATED, (MALFORMED,)),
    }
    for name, (encoded, reason, also) in rows.items():
        yield case(
            kit,
            f"length-{name}",
            f"A length that lies or never ends: {name.replace('-', ' ')}.",
            encoded,
            reason,
            *also,
        )
    for share in [25, 50, 99]:
        cut = good[: len(good) * share // 100]
        yield case(kit, f"cut-at-{share}-percent", f"The first {share} % of a good receipt.", cut, TRUNCATED, MALFORMED)
    for name, inner in _inner_lies().items():
        yield case(
            kit,
            f"inner-{name}",
            f"The signed content itself has a length that lies: {name.replace('-', ' ')}. The signature is good.",
            receipt(own, inner).encode(),
            *either,
        )


def _either(reason: str) -> tuple[str, tuple[str, ...]]:
    return reason, tuple({MALFORMED, TRUNCATED} - {reason})


def _deep(with_content) -> bytes:
    element = der.octet_string(CONTENT)
    for _ in range(500):
        element = der.tlv(der.OCTET_STRING | der.CONSTRUCTED, element)
    return with_content(element)


def _inner_lies() -> dict[str, bytes]:
    """Contents as only a careless authority would sign them."""
    name = der.utf8("com.example.perennial")
    value = der.octet_string(name)

    others = der.elements(pkcs7.content(t2=None))

    def attribute(*parts: bytes) -> bytes:
        return der.set_of(*others, der.sequence(*parts))

    kind, version = der.integer(2), der.integer(1)
    return {
        "set-one-more": der.lying(der.SET, CONTENT[4:], len(CONTENT) - 3),
        "set-one-less": der.lying(der.SET, CONTENT[4:], len(CONTENT) - 5),
        "attribute-too-long": der.set_of(*others, der.lying(der.SEQUENCE, kind + version + value, 200)),
        "value-too-long": attribute(kind, version, der.lying(der.OCTET_STRING, name, len(name) + 50)),
        "value-too-short": attribute(kind, version, der.lying(der.OCTET_STRING, name, len(name) - 1)),
        "text-too-long": attribute(kind, version, der.octet_string(der.lying(der.UTF8_STRING, b"com.example", 100))),
        "text-2-to-the-32": attribute(kind, version, der.octet_string(b"\x0c\x84\xff\xff\xff\xff" + b"com.example")),
        "attribute-without-value": attribute(kind, version),
        "attribute-with-four-parts": attribute(kind, version, value, der.null()),
        "type-of-nine-bytes": attribute(der.tlv(der.INTEGER, b"\1" + bytes(8)), version, value),
        "type-empty": attribute(der.tlv(der.INTEGER), version, value),
    }


def _contents(kit: Kit) -> Iterator[Case]:
    own = kit.receipts
    number = "certificate_not_valid_at_signing"
    twice = [pkcs7.attribute(2, der.utf8("com.example.other"))]
    purchase = pkcs7.purchase
    contents = {
        "empty": (b"", "The content is empty.", ()),
        "empty-set": (der.tlv(der.SET), "The content has no attributes.", (number,)),
        "sequence": (b"\x30" + CONTENT[1:], "The content is a sequence instead of a set.", ()),
        "json": (b'{"bundleId":"com.example.perennial"}', "The content is JSON.", ()),
        "no-bundle": (pkcs7.content(t2=None), "No attribute names the app.", ()),
        "two-bundles": (pkcs7.content(1, *twice), "Two attributes name two apps.", ()),
        "bundle-as-number": (pkcs7.content(t2=der.integer(7)), "The bundle identifier is a number.", ()),
        "bundle-invalid-utf8": (
            pkcs7.content(t2=der.tlv(der.UTF8_STRING, b"com.\xff\xfe")),
            "The bundle identifier is not UTF-8.",
            (),
        ),
        "no-creation-date": (pkcs7.content(t12=None), "The receipt does not say when it was made.", (number,)),
        "creation-date-empty": (pkcs7.content(t12=der.ia5("")), "The date of creation is empty.", (number,)),
        "creation-date-garbage": (
            pkcs7.content(t12=der.ia5("yesterday")),
            "The date of creation is no date.",
            (number,),
        ),
        "creation-date-month-13": (
            pkcs7.content(t12=der.ia5("2025-13-09T08:53:20Z")),
            "The date of creation has a thirteenth month.",
            (number,),
        ),
        "creation-date-year-99999": (
            pkcs7.content(t12=der.ia5("99999-01-01T00:00:00Z")),
            "The date of creation has a year of five digits.",
            (number,),
        ),
        "two-creation-dates": (
            pkcs7.content(1, pkcs7.attribute(12, pkcs7.date(1_900_000_000))),
            "There are two dates of creation.",
            (number,),
        ),
        "purchase-not-a-set": (pkcs7.content(0, pkcs7.attribute(17, b"\1\2\3")), "A purchase is no set.", ()),
        "purchase-without-identifier": (
            pkcs7.content(0, pkcs7.attribute(17, purchase(t1703=None))),
            "A purchase has no transaction identifier.",
            (),
        ),
        "purchase-with-two-identifiers": (
            pkcs7.content(0, pkcs7.attribute(17, _twice_1703())),
            "A purchase has two transaction identifiers.",
            (),
        ),
        "purchase-expiry-garbage": (
            pkcs7.content(0, pkcs7.attribute(17, purchase(t1708=der.ia5("never")))),
            "A purchase expires on a day that is none.",
            (),
        ),
        "purchase-quantity-enormous": (
            pkcs7.content(0, pkcs7.attribute(17, purchase(t1701=der.tlv(der.INTEGER, b"\x7f" * 20)))),
            "A purchase has a quantity of 160 bits.",
            (),
        ),
    }
    for name, (body, words, also) in contents.items():
        yield case(
            kit,
            f"content-{name}",
            f"{words} The signature is good.",
            receipt(own, body).encode(),
            MALFORMED,
            TRUNCATED,
            *also,
        )


def _twice_1703() -> bytes:
    """A purchase with another transaction identifier behind its own."""
    return der.tlv(der.SET, *der.elements(pkcs7.purchase()), pkcs7.attribute(1703, der.utf8("9")))


def _containers(kit: Kit) -> Iterator[Case]:
    own = kit.receipts
    made = receipt(own)
    no_content = der.sequence(der.oid(pkcs7.DATA))
    parts = made.parts()
    detached = der.sequence(
        der.oid(pkcs7.SIGNED_DATA), der.context(0, der.sequence(*parts[:2], no_content, *parts[3:]))
    )
    enveloped = made.but(container_type="1.2.840.113549.1.7.3").encode()
    twice = receipt(own, made.encode()).encode()
    rows = {
        "detached": (detached, "The content is missing, as in a detached signature.", ()),
        "enveloped": (enveloped, "The container says that it is encrypted data.", ()),
        "content-type-signed-data": (
            made.but(content_type=pkcs7.SIGNED_DATA).encode(),
            "The container says that its content is signed data.",
            (),
        ),
        "receipt-in-a-receipt": (twice, "The signed content is another receipt.", (TRUNCATED,)),
        "only-content": (CONTENT, "Only the attributes, without a container.", ()),
        "certificate": (own.leaf, "A certificate instead of a receipt.", ()),
    }
    for name, (encoded, words, also) in rows.items():
        yield case(kit, f"container-{name}", words, encoded, MALFORMED, *also)
    shifted = signed_attributes(CONTENT)
    yield case(
        kit,
        "container-attributes-of-indefinite-length",
        "The signed attributes have an indefinite length, which DER, over which they are signed, does not have.",
        _indefinite_attributes(kit, shifted),
        MALFORMED,
        INVALID,
    )


def _indefinite_attributes(kit: Kit, attributes: tuple[bytes, ...]) -> bytes:
    """Replaces the header of the signed attributes and mends the lengths around them."""
    own = kit.receipts
    signed = receipt(own, CONTENT, attributes=attributes)
    info = signed.signers[0].encode(CONTENT)
    plain = b"\xa0" + der.set_of(*attributes)[1:]
    assert plain in info
    body = info[4:].replace(plain, der.indefinite(0xA0, *sorted(attributes)))
    parts = signed.parts()
    parts[4] = der.tlv(der.SET, der.sequence(body))
    return der.sequence(der.oid(pkcs7.SIGNED_DATA), der.context(0, der.sequence(*parts)))


def _other_texts(kit: Kit) -> Iterator[Case]:
    good = receipt(kit.receipts).encode()
    text = standard(good)
    purchase_info = standard(b'{\n\t"transaction-id" = "2000000000000001";\n}')
    old = standard(f'{{\n\t"signature" = "AA==";\n\t"purchase-info" = "{purchase_info}";\n}}'.encode())
    rows = {
        "encoded-twice": (standard(text.encode()), "A good receipt in base64, and that in base64 again."),
        "hexadecimal": (good.hex(), "A good receipt in hexadecimal digits."),
        "jws": (kit.sign(payloads.transaction()), "A signed transaction (JWS) where a receipt is asked for."),
        "transaction-receipt": (old, "A transaction receipt of iOS 6, which is another thing."),
        "foreign-letters": (text[:100] + "*?" + text[100:], "Letters that base64 does not have in the middle."),
        "empty": ("", "Nothing at all."),
        "json": ('{"receipt-data":"' + text[:40] + '"}', "The request body of verifyReceipt."),
        "words": ("this is not a receipt", "Words."),
    }
    for name, (sent, words) in rows.items():
        yield case(kit, f"text-{name}", words, sent, MALFORMED, TRUNCATED, *(() if sent else ("input_empty",)))
    assert base64.b64decode(text) == good
