"""App receipts: PKCS #7 signed data around a set of attributes, put together by hand."""

import hashlib
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import der
from authority import Authority
from certificates import HASHES, RSA_ALGORITHMS
from cryptography.hazmat.primitives.asymmetric import padding

SIGNED_DATA, DATA = "1.2.840.113549.1.7.2", "1.2.840.113549.1.7.1"
CONTENT_TYPE, MESSAGE_DIGEST = "1.2.840.113549.1.9.3", "1.2.840.113549.1.9.4"
RSA_ENCRYPTION = "1.2.840.113549.1.1.1"
DIGESTS = {
    "md5": "1.2.840.113549.2.5",
    "sha1": "1.3.14.3.2.26",
    "sha256": "2.16.840.1.101.3.4.2.1",
    "sha384": "2.16.840.1.101.3.4.2.2",
    "sha512": "2.16.840.1.101.3.4.2.3",
}
CREATED = 1_760_000_000


def algorithm(identifier: str) -> bytes:
    return der.sequence(der.oid(identifier), der.null())


def date(seconds: int) -> bytes:
    return der.ia5(datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))


def attribute(kind: int, value: bytes, version: int = 1) -> bytes:
    return der.sequence(der.integer(kind), der.integer(version), der.octet_string(value))


def purchase(number: int = 1, **changes: bytes) -> bytes:
    """The attributes of one purchase; changes are named like `t1703`."""
    values = {
        "t1701": der.integer(1),
        "t1702": der.utf8("pro.monthly"),
        "t1703": der.utf8(str(2_000_000_000_000_000 + number)),
        "t1704": date(CREATED - 60),
        "t1705": der.utf8("2000000000000001"),
        "t1706": date(CREATED - 2_592_060),
        "t1708": date(CREATED + 2_592_000),
        "t1711": der.integer(2_000_000_000_000_100 + number),
        "t1712": der.ia5(""),
        "t1719": der.integer(0),
        **changes,
    }
    return der.set_of(*(attribute(int(key[1:]), value) for key, value in values.items() if value is not None))


def content(purchases: int = 1, *more: bytes, **changes: bytes | None) -> bytes:
    """The attributes of a receipt; a change of None leaves one out."""
    values = {
        "t0": der.utf8("ProductionSandbox"),
        "t1": der.integer(0),
        "t2": der.utf8("com.example.perennial"),
        "t3": der.utf8("42"),
        "t4": bytes(range(16)),
        "t5": hashlib.sha1(b"device").digest(),
        "t12": date(CREATED),
        "t19": der.utf8("1.0"),
        **changes,
    }
    attributes = [attribute(int(key[1:]), value) for key, value in values.items() if value is not None]
    attributes += [attribute(17, purchase(number)) for number in range(1, purchases + 1)]
    return der.set_of(*attributes, *more)


@dataclass(frozen=True)
class Signer:
    """One signer's statement; every part may be given wrongly."""

    authority: Authority
    digest: str = "sha256"
    claimed_digest: str | None = None  # the algorithm that the signer names, when it is another
    signature_algorithm: str = RSA_ENCRYPTION
    attributes: tuple[bytes, ...] | None = None  # signed attributes, without them the content is signed
    issuer: bytes | None = None
    serial: int | None = None
    key: object = None
    signature: bytes | None = None
    version: int = 1

    def encode(self, message: bytes) -> bytes:
        leaf = self.authority.leaf_recipe
        signed = der.set_of(*self.attributes) if self.attributes is not None else message
        signature = self.signature if self.signature is not None else self._sign(signed)
        return der.sequence(
            der.integer(self.version),
            der.sequence(self.issuer or leaf.issuer, der.integer(leaf.serial if self.serial is None else self.serial)),
            algorithm(DIGESTS[self.claimed_digest or self.digest]),
            b"" if self.attributes is None else b"\xa0" + signed[1:],
            algorithm(self.signature_algorithm),
            der.octet_string(signature),
        )

    def _sign(self, message: bytes) -> bytes:
        key = self.key or self.authority.keys.leaf
        return key.sign(message, padding.PKCS1v15(), HASHES[self.digest]())


def signed_attributes(message: bytes, digest: str = "sha256", content_type: str = DATA) -> tuple[bytes, ...]:
    value = hashlib.new(digest, message).digest()
    return (
        der.sequence(der.oid(CONTENT_TYPE), der.set_of(der.oid(content_type))),
        der.sequence(der.oid(MESSAGE_DIGEST), der.set_of(der.octet_string(value))),
    )


@dataclass(frozen=True)
class Receipt:
    """A container; `content` is what is signed, `sent` what stands in it when that is something else."""

    content: bytes
    signers: tuple[Signer, ...]
    certificates: tuple[bytes, ...]
    sent: bytes | None = None
    element: bytes | None = None  # the whole OCTET STRING, when it is not a plain one
    content_type: str = DATA
    container_type: str = SIGNED_DATA
    digests: tuple[str, ...] = field(default=("sha256",))
    version: int = 1

    def but(self, **changes) -> "Receipt":
        return replace(self, **changes)

    def parts(self) -> list[bytes]:
        octets = self.element or der.octet_string(self.content if self.sent is None else self.sent)
        return [
            der.integer(self.version),
            der.set_of(*(algorithm(DIGESTS[digest]) for digest in self.digests)),
            der.sequence(der.oid(self.content_type), der.context(0, octets)),
            der.context(0, *self.certificates) if self.certificates else b"",
            der.set_of(*(signer.encode(self.content) for signer in self.signers)),
        ]

    def encode(self) -> bytes:
        return der.sequence(der.oid(self.container_type), der.context(0, der.sequence(*self.parts())))


def receipt(authority: Authority, message: bytes | None = None, **signer) -> Receipt:
    """A good receipt, whose signer may be changed."""
    body = content() if message is None else message
    return Receipt(
        body, (Signer(authority, **signer),), tuple(authority.chain), digests=(signer.get("digest", "sha256"),)
    )


def with_algorithm(digest: str) -> str:
    """The name of RSA signatures with a digest."""
    return RSA_ALGORITHMS[digest]
