"""The signed JSON itself: what a trusted leaf signed, and is still not to be believed, or must be."""

import json
import zlib
from collections.abc import Iterator

import jws
import payloads
from case import Case, Kit

AREA = "payload"
MALFORMED = "payload_malformed"
TRANSACTION = payloads.transaction()


def cases(kit: Kit) -> Iterator[Case]:
    yield from _controls(kit)
    yield from _other_json(kit)
    yield from _duplicates(kit)
    yield from _numbers(kit)
    yield from _texts(kit)
    yield from _confusions(kit)


def _controls(kit: Kit) -> Iterator[Case]:
    documents = {
        "transaction": ("transaction", payloads.transaction()),
        "renewal": ("renewal", payloads.renewal()),
        "notification": ("notification", payloads.notification()),
        "app_transaction": ("app_transaction", payloads.app_transaction()),
        "realtime_request": ("realtime_request", payloads.realtime_request()),
    }
    for name, (kind, payload) in documents.items():
        text = kit.sign(payload)
        yield Case(AREA, f"control-{name.replace('_', '-')}", f"A good {kind.replace('_', ' ')}.", text, kind=kind)
    later = "What Apple adds later must not break those who verify today."
    extras = {
        "unknown-fields": {"newIn2031": {"a": [1, None, True]}, "other": "x"},
        "unknown-values": {"type": "Holographic Subscription", "inAppOwnershipType": "LENT", "revocationReason": 99},
        "claims-of-tokens": {"aud": "somebody", "iss": "Apple", "sub": 7, "jti": 8},
        "absent-as-null": {"offerType": None, "revocationDate": None},
        "price-beyond-32-bits": {"price": 2**40},
    }
    for name, changes in extras.items():
        text = kit.sign(payloads.transaction(**changes))
        yield Case(AREA, f"control-{name}", f"A good transaction with {name.replace('-', ' ')}.", text, notes=later)
    yield Case(
        AREA,
        "control-white-space",
        "A good transaction whose JSON stands on several lines, with escapes.",
        kit.sign(json.dumps(TRANSACTION, indent=2).replace("pro.monthly", "\\u0070ro.monthly").encode()),
    )
    yield Case(
        AREA,
        "control-beyond-the-basic-plane",
        "A good transaction with letters of many alphabets, and a surrogate pair as escapes.",
        kit.sign(
            jws.compact_json(payloads.transaction(offerIdentifier="Größe 漢字 @")).replace(b"@", b"\\ud83d\\ude00")
        ),
    )


def _other_json(kit: Kit) -> Iterator[Case]:
    text = jws.compact_json(TRANSACTION)
    documents = {
        "array": b"[" + text + b"]",
        "text": json.dumps(text.decode()).encode(),
        "number": b"7",
        "null": b"null",
        "empty-object": b"{}",
        "blank": b" ",
        "cut-off": text[:-1],
        "two-documents": text + text,
        "trailing-brace": text + b"}",
        "trailing-nul": text + b"\0",
        "byte-order-mark": b"\xef\xbb\xbf" + text,
        "utf-16": text.decode().encode("utf-16-le"),
        "comment": text[:-1] + b"/* x */}",
        "single-quotes": text.replace(b'"', b"'"),
        "unquoted-keys": text.replace(b'"price"', b"price"),
        "trailing-comma": text[:-1] + b",}",
        "nan": text[:-1] + b',"x":NaN}',
        "infinity": text[:-1] + b',"x":Infinity}',
        "leading-zero": text.replace(b'"price":9990', b'"price":09990'),
        "plus-sign": text.replace(b'"price":9990', b'"price":+9990'),
        "hexadecimal": text.replace(b'"price":9990', b'"price":0x2706'),
        "capital-true": text[:-1] + b',"isUpgraded":True}',
        "control-character": text.replace(b"pro.monthly", b"pro.\nmonthly"),
        "plist": b"<plist><dict/></plist>",
        "compressed": zlib.compress(text),
        "deep-arrays": text[:-1] + b',"x":' + b"[" * 10_000 + b"]" * 10_000 + b"}",
        "deep-objects": text[:-1] + b',"x":' + b'{"a":' * 2000 + b"1" + b"}" * 2000 + b"}",
        "deep-unclosed": text[:-1] + b',"x":' + b"[" * 10_000,
    }
    for name, document in documents.items():
        yield Case(
            AREA,
            f"json-{name}",
            f"The signed payload is not the JSON object that it should be ({name.replace('-', ' ')}).",
            kit.sign(document),
            reason=MALFORMED,
            notes="Real payloads are four levels deep; a limit must not be the stack." if "deep" in name else None,
        )


def _duplicates(kit: Kit) -> Iterator[Case]:
    text = jws.compact_json(TRANSACTION)
    twice = "Two readers may take different ones; the app's server and whoever it tells must not disagree."
    documents = {
        "bundle-id-last-wrong": text[:-1] + b',"bundleId":"com.example.other"}',
        "bundle-id-first-wrong": b'{"bundleId":"com.example.other",' + text[1:],
        "bundle-id-escaped": text[:-1] + b',"bundle\\u0049d":"com.example.other"}',
        "environment": text[:-1] + b',"environment":"Production"}',
        "expires-date": text[:-1] + b',"expiresDate":4102444800000}',
        "unknown-key": text[:-1] + b',"x":1,"x":2}',
        "nested-key": text[:-1] + b',"commitmentInfo":{"billingPeriodNumber":1,"billingPeriodNumber":2}}',
    }
    for name, document in documents.items():
        yield Case(
            AREA,
            f"duplicate-{name}",
            f"A key stands twice in the signed payload ({name.replace('-', ' ')}).",
            kit.sign(document),
            reason=MALFORMED,
            notes=twice,
        )


def _numbers(kit: Kit) -> Iterator[Case]:
    text = jws.compact_json(TRANSACTION)
    date = str(payloads.SIGNED_DATE).encode()
    fields = {
        "signed-date-as-text": text.replace(b'"signedDate":' + date, b'"signedDate":"' + date + b'"'),
        "signed-date-null": text.replace(b'"signedDate":' + date, b'"signedDate":null'),
        "signed-date-missing": jws.compact_json(payloads.transaction(signedDate=...)),
        "signed-date-true": text.replace(b'"signedDate":' + date, b'"signedDate":true'),
        "signed-date-list": text.replace(b'"signedDate":' + date, b'"signedDate":[' + date + b"]"),
        "signed-date-enormous": text.replace(b'"signedDate":' + date, b'"signedDate":1e400'),
        "signed-date-2-to-the-64": text.replace(b'"signedDate":' + date, b'"signedDate":18446744073709551616'),
        "signed-date-wrapping": text.replace(
            b'"signedDate":' + date, b'"signedDate":' + str(2**64 + payloads.SIGNED_DATE).encode()
        ),
        "price-2-to-the-63": text.replace(b'"price":9990', b'"price":9223372036854775808'),
        "price-of-5000-digits": text.replace(b'"price":9990', b'"price":' + b"9" * 5000),
        "price-with-fraction": text.replace(b'"price":9990', b'"price":9.99'),
        "price-as-text": text.replace(b'"price":9990', b'"price":"9990"'),
        "upgraded-as-text": text[:-1] + b',"isUpgraded":"false"}',
        "quantity-2-to-the-31": text.replace(b'"quantity":1', b'"quantity":2147483648'),
        "quantity-as-text": text.replace(b'"quantity":1', b'"quantity":"1"'),
    }
    for name, document in fields.items():
        assert document != text, name
        yield Case(
            AREA,
            f"field-{name}",
            f"A value in the signed payload is not one that the field can have ({name.replace('-', ' ')}).",
            kit.sign(document),
            reason=MALFORMED,
            also=("certificate_not_valid_at_signing",) if name.startswith("signed-date") else (),
        )


def _texts(kit: Kit) -> Iterator[Case]:
    text = jws.compact_json(TRANSACTION)
    documents = {
        "invalid-utf8": text.replace(b"pro.monthly", b"pro\xffmonthly"),
        "overlong-utf8": text.replace(b"pro.monthly", b"pro\xc0\xaemonthly"),
        "surrogate-utf8": text.replace(b"pro.monthly", b"pro\xed\xa0\x80monthly"),
        "lone-high-surrogate": text.replace(b"pro.monthly", b"pro\\ud800monthly"),
        "lone-low-surrogate": text.replace(b"pro.monthly", b"pro\\udc00monthly"),
        "unknown-escape": text.replace(b"pro.monthly", b"pro\\xmonthly"),
        "cut-escape": text.replace(b"pro.monthly", b"pro\\u12"),
        "product-as-number": text.replace(b'"pro.monthly"', b"7"),
        "identifier-as-number": text.replace(b'"2000000000000002"', b"2000000000000002"),
        "product-missing": jws.compact_json(payloads.transaction(productId=...)),
    }
    for name, document in documents.items():
        assert document != text, name
        yield Case(
            AREA,
            f"text-{name}",
            f"A text in the signed payload is none ({name.replace('-', ' ')}).",
            kit.sign(document),
            reason=MALFORMED,
        )


def _confusions(kit: Kit) -> Iterator[Case]:
    """Everything is signed by the same chain: only the fields tell one thing from another."""
    made = {
        "transaction": payloads.transaction(),
        "renewal": payloads.renewal(),
        "notification": payloads.notification(),
        "app_transaction": payloads.app_transaction(),
        "realtime_request": payloads.realtime_request(),
    }
    pairs = [
        ("renewal", "transaction"),
        ("notification", "transaction"),
        ("app_transaction", "transaction"),
        ("realtime_request", "transaction"),
        ("notification", "renewal"),
        ("transaction", "renewal"),
        ("realtime_request", "renewal"),
        ("transaction", "notification"),
        ("app_transaction", "notification"),
        ("transaction", "app_transaction"),
        ("renewal", "realtime_request"),
    ]
    for given, asked in pairs:
        yield Case(
            AREA,
            f"confusion-{given}-as-{asked}".replace("_", "-"),
            f"A good {given.replace('_', ' ')} where a {asked.replace('_', ' ')} is asked for.",
            kit.sign(made[given]),
            kind=asked,
            reason=MALFORMED,
            also=("bundle_id_mismatch", "environment_mismatch", "kind_mismatch"),
        )
