"""The base64url of the three segments: one spelling for each sequence of bytes, and no other."""

from collections.abc import Iterator

import jws
import payloads
from case import Case, Kit

AREA = "base64"
MALFORMED = "malformed_jws"
INVALID = "signature_invalid"
SEGMENTS = {"header": 0, "payload": 1, "signature": 2}
CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def cases(kit: Kit) -> Iterator[Case]:
    yield from _controls(kit)
    yield from _signature_spellings(kit)
    yield from _signed_spellings(kit)
    yield from _after_signing(kit)


def _unused_bits(text: str) -> str:
    """The same bytes with one of the unused bits of the last character set."""
    assert len(text) % 4 in (2, 3), "a segment without unused bits"
    return text[:-1] + CHARACTERS[CHARACTERS.index(text[-1]) | 1]


def _payload_of_length(remainder: int) -> dict:
    """A transaction whose JSON has a length with the given remainder modulo three."""
    for size in range(3):
        payload = payloads.transaction(offerIdentifier="x" * size)
        if len(jws.compact_json(payload)) % 3 == remainder:
            return payload
    raise AssertionError("three lengths in a row have all remainders")


def _controls(kit: Kit) -> Iterator[Case]:
    for remainder in range(3):
        yield Case(
            AREA,
            f"control-payload-length-{remainder}",
            f"A payload whose length leaves {remainder} when divided by three, so each end of base64 occurs.",
            kit.sign(_payload_of_length(remainder)),
        )
    every = payloads.transaction(offerIdentifier="ÿþ~~~???>>>ÿÿÿ")
    yield Case(
        AREA,
        "control-both-special-characters",
        "A payload whose base64url has `-` and `_`.",
        kit.sign(every),
    )


def _signature_spellings(kit: Kit) -> Iterator[Case]:
    """The signature covers header and payload, not itself: its spelling could be changed by anybody."""
    head, body, signature = _with_special_characters(kit)
    spellings = {
        "padded": (signature + "==", "has its two padding characters"),
        "padded-once": (signature + "=", "has one padding character"),
        "padded-thrice": (signature + "===", "has three padding characters"),
        "unused-bits": (_unused_bits(signature), "has a bit set behind its last byte"),
        "standard-alphabet": (signature.replace("-", "+").replace("_", "/"), "is in the alphabet with `+` and `/`"),
        "space-inside": (signature[:40] + " " + signature[40:], "has a blank in the middle"),
        "line-break-inside": (signature[:64] + "\n" + signature[64:], "has a line break after 64 characters"),
        "carriage-return-inside": (signature[:64] + "\r\n" + signature[64:], "has a line break of the other kind"),
        "tab-inside": (signature[:40] + "\t" + signature[40:], "has a tab in the middle"),
        "nul-inside": (signature[:40] + "\0" + signature[40:], "has a zero byte in the middle"),
        "foreign-letter": (signature[:40] + "é" + signature[40:], "has a letter of another alphabet in it"),
        "percent-encoded": (signature + "%3D", "ends in a percent-encoded padding character"),
        "comma-inside": (signature[:40] + "," + signature[40:], "has a comma in the middle"),
        "one-character-more": (signature + "A", "has a character more than whole bytes need"),
        "full-width": (chr(ord(signature[0]) + 0xFEE0) + signature[1:], "begins with a full-width character"),
    }
    for name, (text, words) in spellings.items():
        yield Case(
            AREA,
            f"signature-{name}",
            f"A good signature whose text {words}.",
            f"{head}.{body}.{text}",
            reason=INVALID,
            also=(MALFORMED,),
            notes="Two texts for one signature make copies that look new."
            if name in ("padded", "unused-bits")
            else None,
        )


def _with_special_characters(kit: Kit) -> tuple[str, str, str]:
    """A good transaction whose signature has both characters in which the alphabets differ."""
    while True:
        head, body, signature = kit.sign(payloads.transaction()).split(".")
        if "-" in signature and "_" in signature and signature[0].isalnum():
            return head, body, signature


def _signed_spellings(kit: Kit) -> Iterator[Case]:
    """The trusted leaf signed these very characters: only the decoding can refuse them."""
    head = jws.base64url(jws.compact_json(kit.head()))
    body = jws.base64url(jws.compact_json(_payload_of_length(1)))
    special = jws.base64url(jws.compact_json(payloads.transaction(offerIdentifier="ÿþ~~~???>>>ÿÿÿ")))
    bodies = {
        "padded": body + "==",
        "unused-bits": _unused_bits(body),
        "standard-alphabet": special.replace("-", "+").replace("_", "/"),
        "space-inside": body[:40] + " " + body[40:],
        "line-break-inside": body[:76] + "\n" + body[76:],
        "one-character-more": body + "AAA" if len(body) % 4 == 2 else body + "A",
        "percent-encoded": body + "%3D%3D",
        "nul-inside": body[:40] + "\0" + body[40:],
    }
    assert "-" in special or "_" in special
    for name, text in bodies.items():
        yield Case(
            AREA,
            f"payload-{name}",
            f"The payload's text is not canonical base64url ({name.replace('-', ' ')}), and was signed so.",
            jws.sign_text(f"{head}.{text}", kit.key),
            reason=MALFORMED,
            also=("payload_malformed",),
        )
    header = jws.compact_json(kit.head())
    header = header[:-1] + b" " * ((1 - len(header)) % 3) + b"}"
    segment = jws.base64url(header)
    headers = {
        "padded": segment + "==",
        "unused-bits": _unused_bits(segment),
        "line-break-inside": segment[:76] + "\n" + segment[76:],
        "leading-space": " " + segment,
    }
    for name, text in headers.items():
        yield Case(
            AREA,
            f"header-{name}",
            f"The header's text is not canonical base64url ({name.replace('-', ' ')}), and was signed so.",
            jws.sign_text(f"{text}.{body}", kit.key),
            reason=MALFORMED,
        )


def _after_signing(kit: Kit) -> Iterator[Case]:
    head, body, signature = kit.sign(_payload_of_length(1)).split(".")
    yield Case(
        AREA,
        "payload-padded-after-signing",
        "Padding was added to the payload after signing.",
        f"{head}.{body}==.{signature}",
        reason=MALFORMED,
        also=(INVALID,),
    )
    yield Case(
        AREA,
        "payload-unused-bits-after-signing",
        "A bit behind the payload's last byte was set after signing: the same bytes, another text.",
        f"{head}.{_unused_bits(body)}.{signature}",
        reason=MALFORMED,
        also=(INVALID,),
    )
    yield Case(
        AREA,
        "encoded-twice",
        "The whole JWS is base64url once more.",
        jws.base64url(f"{head}.{body}.{signature}".encode()),
        reason=MALFORMED,
    )
