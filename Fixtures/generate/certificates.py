"""Certificates made by hand: every field can be given, also wrongly."""

import base64
import hashlib
from dataclasses import dataclass, field, replace

import der
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

RECEIPT_SIGNING = "1.2.840.113635.100.6.11.1"
WORLDWIDE_DEVELOPER_RELATIONS = "1.2.840.113635.100.6.2.1"
BASIC_CONSTRAINTS = "2.5.29.19"
KEY_USAGE = "2.5.29.15"
SUBJECT_KEY_IDENTIFIER = "2.5.29.14"
AUTHORITY_KEY_IDENTIFIER = "2.5.29.35"
NAME_CONSTRAINTS = "2.5.29.30"
EXTENDED_KEY_USAGE = "2.5.29.37"
CERTIFICATE_POLICIES = "2.5.29.32"

NOT_BEFORE = 1_577_836_800  # 2020-01-01
NOT_AFTER = 2_524_607_999  # 2049-12-31

ECDSA_ALGORITHMS = {
    "sha1": "1.2.840.10045.4.1",
    "sha256": "1.2.840.10045.4.3.2",
    "sha384": "1.2.840.10045.4.3.3",
    "sha512": "1.2.840.10045.4.3.4",
}
RSA_ALGORITHMS = {
    "md5": "1.2.840.113549.1.1.4",
    "sha1": "1.2.840.113549.1.1.5",
    "sha256": "1.2.840.113549.1.1.11",
    "sha384": "1.2.840.113549.1.1.12",
    "sha512": "1.2.840.113549.1.1.13",
}
HASHES = {
    "md5": hashes.MD5,
    "sha1": hashes.SHA1,
    "sha256": hashes.SHA256,
    "sha384": hashes.SHA384,
    "sha512": hashes.SHA512,
}
DIGITAL_SIGNATURE, KEY_ENCIPHERMENT, KEY_CERT_SIGN, CRL_SIGN = 0x80, 0x20, 0x04, 0x02


def ec_key(curve: ec.EllipticCurve) -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(curve)


def rsa_key(exponent: int = 65537) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(exponent, 2048)


def public_info(key) -> bytes:
    """The SubjectPublicKeyInfo of a private key."""
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return key.public_key().public_bytes(serialization.Encoding.DER, form)


def pem(certificate: bytes) -> str:
    """A certificate as text."""
    text = base64.b64encode(certificate).decode()
    lines = [text[start : start + 64] for start in range(0, len(text), 64)]
    return "\n".join(["-----BEGIN CERTIFICATE-----", *lines, "-----END CERTIFICATE-----", ""])


def extension(identifier: str, value: bytes, critical: bool = False) -> bytes:
    flag = der.boolean(True) if critical else b""
    return der.sequence(der.oid(identifier), flag, der.octet_string(value))


def basic_constraints(authority: bool, path_length: int | None = None, critical: bool = True) -> bytes:
    parts = [der.boolean(True)] if authority else []
    if path_length is not None:
        parts.append(der.integer(path_length))
    return extension(BASIC_CONSTRAINTS, der.sequence(*parts), critical)


def key_usage(bits: int) -> bytes:
    unused = (bits & -bits).bit_length() - 1
    return extension(KEY_USAGE, der.bit_string(bytes([bits]), unused), critical=True)


def key_identifier(info: bytes) -> bytes:
    return hashlib.sha1(info).digest()


def subject_key(info: bytes) -> bytes:
    return extension(SUBJECT_KEY_IDENTIFIER, der.octet_string(key_identifier(info)))


def authority_key(info: bytes) -> bytes:
    value = der.sequence(der.context(0, key_identifier(info), constructed=False))
    return extension(AUTHORITY_KEY_IDENTIFIER, value)


def marker(identifier: str, value: bytes = b"\x05\x00", critical: bool = False) -> bytes:
    """One of Apple's extensions that only have to be there; Apple's own value is NULL."""
    return extension(identifier, value, critical)


def algorithm(key, digest: str) -> bytes:
    if isinstance(key, rsa.RSAPrivateKey):
        return der.sequence(der.oid(RSA_ALGORITHMS[digest]), der.null())
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return der.sequence(der.oid("1.3.101.112"))
    return der.sequence(der.oid(ECDSA_ALGORITHMS[digest]))


def sign(key, digest: str, message: bytes) -> bytes:
    if isinstance(key, rsa.RSAPrivateKey):
        return key.sign(message, padding.PKCS1v15(), HASHES[digest]())
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return key.sign(message)
    return key.sign(message, ec.ECDSA(HASHES[digest]()))


@dataclass(frozen=True)
class Recipe:
    """What a certificate says, and who signs it."""

    subject: bytes
    issuer: bytes
    key: object
    issuer_key: object
    extensions: tuple[bytes, ...]
    not_before: int = NOT_BEFORE
    not_after: int = NOT_AFTER
    serial: int = 0x51C0FFEE
    version: int | None = 3
    digest: str = "sha384"
    info: bytes | None = None  # another SubjectPublicKeyInfo than the key's
    inner_algorithm: bytes | None = None
    outer_algorithm: bytes | None = None
    signer: object = field(default=sign)

    def but(self, **changes) -> "Recipe":
        return replace(self, **changes)

    def with_extension(self, *more: bytes) -> "Recipe":
        return self.but(extensions=(*self.extensions, *more))

    def without(self, identifier: str) -> "Recipe":
        encoded = der.oid(identifier)
        return self.but(extensions=tuple(item for item in self.extensions if encoded not in item[: len(encoded) + 8]))

    def instead(self, identifier: str, *new: bytes) -> "Recipe":
        return self.without(identifier).with_extension(*new)

    def to_be_signed(self) -> bytes:
        own = algorithm(self.issuer_key, self.digest)
        parts = [
            der.context(0, der.integer(self.version - 1)) if self.version else b"",
            der.integer(self.serial),
            self.inner_algorithm or own,
            self.issuer,
            der.sequence(der.utc_time(self.not_before), der.utc_time(self.not_after)),
            self.subject,
            self.info or public_info(self.key),
            der.context(3, der.sequence(*self.extensions)) if self.extensions else b"",
        ]
        return der.sequence(*parts)

    def encode(self) -> bytes:
        body = self.to_be_signed()
        signature = self.signer(self.issuer_key, self.digest, body)
        outer = self.outer_algorithm or algorithm(self.issuer_key, self.digest)
        return der.sequence(body, outer, der.bit_string(signature))
