"""Writes ASN.1 by hand, so that a case may also be wrong on purpose: no library would encode most of them."""

from datetime import UTC, datetime

SEQUENCE, SET = 0x30, 0x31
BOOLEAN, INTEGER, BIT_STRING, OCTET_STRING, NULL, OID = 0x01, 0x02, 0x03, 0x04, 0x05, 0x06
UTF8_STRING, PRINTABLE_STRING, IA5_STRING, UTC_TIME = 0x0C, 0x13, 0x16, 0x17
CONSTRUCTED = 0x20
END_OF_CONTENTS = b"\x00\x00"


def length(count: int) -> bytes:
    """The shortest form of a length, as DER wants it."""
    if count < 0x80:
        return bytes([count])
    octets = count.to_bytes((count.bit_length() + 7) // 8, "big")
    return bytes([0x80 | len(octets)]) + octets


def tlv(tag: int, *parts: bytes) -> bytes:
    content = b"".join(parts)
    return bytes([tag]) + length(len(content)) + content


def indefinite(tag: int, *parts: bytes) -> bytes:
    """BER's form without a length, ended by two zero octets."""
    return bytes([tag | CONSTRUCTED, 0x80]) + b"".join(parts) + END_OF_CONTENTS


def long_length(tag: int, content: bytes, octets: int = 4) -> bytes:
    """A length in more octets than it needs: BER, never DER."""
    return bytes([tag, 0x80 | octets]) + len(content).to_bytes(octets, "big") + content


def lying(tag: int, content: bytes, claimed: int) -> bytes:
    """An element that claims another length than it has."""
    return bytes([tag]) + length(claimed) + content


def elements(encoded: bytes) -> list[bytes]:
    """What a sequence or set in DER holds, element by element."""
    start, end = _content(encoded, 0)
    found = []
    while start < end:
        _, following = _content(encoded, start)
        found.append(encoded[start:following])
        start = following
    return found


def _content(encoded: bytes, start: int) -> tuple[int, int]:
    """Where the content of the element at a place begins and ends."""
    first = encoded[start + 1]
    if first < 0x80:
        return start + 2, start + 2 + first
    begin = start + 2 + (first & 0x7F)
    return begin, begin + int.from_bytes(encoded[start + 2 : begin], "big")


def sequence(*parts: bytes) -> bytes:
    return tlv(SEQUENCE, *parts)


def set_of(*parts: bytes) -> bytes:
    """A SET OF in DER: its elements are sorted."""
    return tlv(SET, *sorted(parts))


def context(number: int, *parts: bytes, constructed: bool = True) -> bytes:
    return tlv(0x80 | (CONSTRUCTED if constructed else 0) | number, *parts)


def boolean(value: bool) -> bytes:
    return tlv(BOOLEAN, b"\xff" if value else b"\x00")


def integer(value: int) -> bytes:
    return tlv(INTEGER, value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))


def null() -> bytes:
    return tlv(NULL)


def octet_string(content: bytes) -> bytes:
    return tlv(OCTET_STRING, content)


def bit_string(content: bytes, unused: int = 0) -> bytes:
    return tlv(BIT_STRING, bytes([unused]) + content)


def utf8(text: str) -> bytes:
    return tlv(UTF8_STRING, text.encode())


def ia5(text: str) -> bytes:
    return tlv(IA5_STRING, text.encode("ascii"))


def utc_time(seconds: int) -> bytes:
    """A time before 2050."""
    return tlv(UTC_TIME, datetime.fromtimestamp(seconds, UTC).strftime("%y%m%d%H%M%SZ").encode())


def oid(dotted: str) -> bytes:
    first, second, *rest = (int(number) for number in dotted.split("."))
    content = b""
    for number in [first * 40 + second, *rest]:
        octets = [number & 0x7F]
        while number := number >> 7:
            octets.append(0x80 | number & 0x7F)
        content += bytes(reversed(octets))
    return tlv(OID, content)


def name(common_name: str, unit: str, organisation: str, country: str = "") -> bytes:
    """A distinguished name, with its parts in the order of Apple's certificates."""
    parts = [("2.5.4.3", common_name), ("2.5.4.11", unit), ("2.5.4.10", organisation)]
    attributes = [set_of(sequence(oid(kind), utf8(text))) for kind, text in parts if text]
    if country:
        attributes.append(set_of(sequence(oid("2.5.4.6"), tlv(PRINTABLE_STRING, country.encode()))))
    return sequence(*attributes)
