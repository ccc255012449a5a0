"""Receipts: who signed them, over what, and under which certificates."""

from collections.abc import Iterator

import certificates as c
import der
import pkcs7
from authority import Authority, Keys
from case import Case, Kit
from cryptography.hazmat.primitives import hashes
from jws import standard
from pkcs7 import Receipt, Signer, receipt, signed_attributes

AREA = "receipt"
MALFORMED = "receipt_malformed"
UNTRUSTED = "chain_not_trusted"
INVALID = "signature_invalid"
CONTENT = pkcs7.content()


def case(kit: Kit, name: str, words: str, encoded: bytes | str, reason: str | None = None, *also: str, **more) -> Case:
    """A case whose input is a receipt in base64."""
    text = encoded if isinstance(encoded, str) else standard(encoded)
    trust = {**kit.receipt_trust, **more.pop("trust", {})}
    return Case(AREA, name, words, text, kind="receipt", reason=reason, also=also, trust=trust, **more)


def cases(kit: Kit) -> Iterator[Case]:
    yield from _controls(kit)
    yield from _signers(kit)
    yield from _chains(kit)
    yield from _validity(kit)


def _controls(kit: Kit) -> Iterator[Case]:
    own = kit.receipts
    leaf, intermediate, root = own.chain
    good = {
        "sha256": ("A receipt signed with SHA-256, as since 2023.", receipt(own)),
        "sha1": ("A receipt signed with SHA-1, as before 2023.", receipt(own, digest="sha1")),
        "no-purchases": ("A receipt without purchases.", receipt(own, pkcs7.content(0))),
        "twenty-purchases": ("A receipt with twenty purchases.", receipt(own, pkcs7.content(20))),
        "signed-attributes": (
            "A receipt whose signature covers attributes with the content's digest (RFC 5652, section 5.4).",
            receipt(own, CONTENT, attributes=signed_attributes(CONTENT)),
        ),
        "digest-in-algorithm": (
            "A receipt whose signer names RSA with SHA-256 instead of plain RSA.",
            receipt(own, signature_algorithm=pkcs7.with_algorithm("sha256")),
        ),
        "certificates-in-another-order": (
            "The certificates are a set: root, leaf, intermediate.",
            receipt(own).but(certificates=(root, leaf, intermediate)),
        ),
        "stray-certificate": (
            "A certificate of another authority came along.",
            receipt(own).but(certificates=(*own.chain, kit.apple_like.root)),
        ),
        "unknown-attributes": (
            "Attributes that Apple does not document are ignored.",
            receipt(own, pkcs7.content(1, pkcs7.attribute(9999, b"\xff\xfe"))),
        ),
    }
    for name, (words, made) in good.items():
        yield case(kit, f"control-{name}", words, made.encode())


def _signers(kit: Kit) -> Iterator[Case]:
    own = kit.receipts
    made = receipt(own)
    good = made.signers[0]
    bad = Signer(own, signature=bytes(256))
    leaf = own.leaf_recipe
    rows = [
        ("unsigned", "No signer at all; the certificates are there.", made.but(signers=()), "receipt_not_signed", ()),
        (
            "unsigned-without-certificates",
            "Neither signer nor certificates: only the content.",
            made.but(signers=(), certificates=()),
            "receipt_not_signed",
            (),
        ),
        (
            "two-signers-second-bad",
            "Two signers, the second's signature is zeros.",
            made.but(signers=(good, bad)),
            MALFORMED,
            (INVALID,),
        ),
        (
            "two-signers-first-bad",
            "Two signers, the first's signature is zeros.",
            made.but(signers=(bad, good)),
            MALFORMED,
            (INVALID,),
        ),
        ("signature-zero", "The signature is 256 zero bytes.", made.but(signers=(bad,)), INVALID, ()),
        ("signature-empty", "The signature is empty.", receipt(own, signature=b""), INVALID, (MALFORMED,)),
        ("signature-one", "The signature is the number one.", receipt(own, signature=bytes(255) + b"\1"), INVALID, ()),
        (
            "signature-unpadded",
            "The signature is the digest itself to the power of the private key, without PKCS #1's padding.",
            receipt(own, signature=_unpadded(own)),
            INVALID,
            (),
        ),
        (
            "signer-of-unknown-serial",
            "The signer's serial number is that of no certificate.",
            receipt(own, serial=7),
            UNTRUSTED,
            (MALFORMED,),
        ),
        (
            "signer-of-unknown-issuer",
            "The signer's issuer is that of no certificate.",
            receipt(own, issuer=kit.apple_like.names.root),
            UNTRUSTED,
            (MALFORMED,),
        ),
        (
            "signer-is-the-intermediate",
            "The intermediate signed the receipt itself.",
            receipt(own, issuer=own.names.root, serial=0x2002, key=own.keys.intermediate),
            UNTRUSTED,
            ("marker_oid_missing",),
        ),
        (
            "signer-is-the-root",
            "The root signed the receipt itself.",
            receipt(own, issuer=own.names.root, serial=0x1001, key=own.keys.root),
            UNTRUSTED,
            ("marker_oid_missing",),
        ),
        (
            "key-of-a-stranger",
            "The trusted certificates with another key's signature.",
            receipt(own, key=c.rsa_key()),
            INVALID,
            (),
        ),
        (
            "no-certificates",
            "A good signature without any certificate.",
            made.but(certificates=()),
            UNTRUSTED,
            (MALFORMED,),
        ),
        (
            "no-leaf",
            "The leaf's certificate is missing.",
            made.but(certificates=(own.intermediate, own.root)),
            UNTRUSTED,
            (MALFORMED,),
        ),
        (
            "two-leaves-of-one-serial",
            "A forged leaf with the issuer and serial number of the real one stands before it and signed.",
            _two_leaves(own, leaf),
            UNTRUSTED,
            (INVALID, MALFORMED),
        ),
    ]
    for name, words, container, reason, also in rows:
        yield case(kit, name, words, container.encode(), reason, *also)


def _unpadded(own: Authority) -> bytes:
    context = hashes.Hash(hashes.SHA256())
    context.update(CONTENT)
    numbers = own.keys.leaf.private_numbers()
    digest = int.from_bytes(context.finalize(), "big")
    return pow(digest, numbers.d, numbers.public_numbers.n).to_bytes(256, "big")


def _two_leaves(own: Authority, leaf: c.Recipe) -> Receipt:
    key = c.rsa_key()
    forged = leaf.but(key=key, issuer_key=key).encode()
    return receipt(own, key=key).but(certificates=(forged, *own.chain))


def _chains(kit: Kit) -> Iterator[Case]:
    own = kit.receipts
    foreign = Authority(Keys.rsa(), names=own.names, digest="sha256")
    leaf, intermediate = own.leaf_recipe, own.intermediate_recipe
    bare_leaf = leaf.without(c.RECEIPT_SIGNING).encode()
    bare_intermediate = intermediate.without(c.WORLDWIDE_DEVELOPER_RELATIONS).encode()
    alone = leaf.but(issuer=own.names.leaf, issuer_key=own.keys.leaf).encode()
    demand = c.extension("1.3.6.1.4.1.99999.1", der.null(), critical=True)
    not_an_authority = intermediate.instead(c.BASIC_CONSTRAINTS, c.basic_constraints(False)).encode()
    two_algorithms = leaf.but(inner_algorithm=c.algorithm(leaf.issuer_key, "sha512")).encode()
    damaged = bytearray(own.leaf)
    damaged[-5] ^= 1
    rows = [
        ("foreign", "All names and serial numbers are the trusted ones, no key is.", receipt(foreign), UNTRUSTED),
        (
            "foreign-with-trusted-root",
            "A forged leaf and intermediate beside the trusted root, which did not issue them.",
            receipt(foreign).but(certificates=(foreign.leaf, foreign.intermediate, own.root)),
            UNTRUSTED,
        ),
        (
            "foreign-leaf",
            "A forged leaf beside the trusted intermediate and root.",
            receipt(foreign).but(certificates=(foreign.leaf, own.intermediate, own.root)),
            UNTRUSTED,
        ),
        (
            "self-signed",
            "A leaf that issued itself, beside the trusted intermediate and root.",
            receipt(own, issuer=own.names.leaf).but(certificates=(alone, own.intermediate, own.root)),
            UNTRUSTED,
        ),
        (
            "no-intermediate",
            "The intermediate is missing.",
            receipt(own).but(certificates=(own.leaf, own.root)),
            UNTRUSTED,
        ),
        (
            "leaf-damaged",
            "One bit of the leaf's signature is another.",
            receipt(own).but(certificates=(bytes(damaged), own.intermediate, own.root)),
            UNTRUSTED,
        ),
        (
            "leaf-algorithms-differ",
            "The leaf names SHA-512 inside and SHA-256 outside; the signature is good by the outer one.",
            receipt(own).but(certificates=(two_algorithms, own.intermediate, own.root)),
            UNTRUSTED,
        ),
        (
            "leaf-marker-missing",
            "The leaf has no marker: issued by the trusted authority for something else.",
            receipt(own).but(certificates=(bare_leaf, own.intermediate, own.root)),
            "marker_oid_missing",
        ),
        (
            "intermediate-marker-missing",
            "The intermediate has no marker.",
            receipt(own).but(certificates=(own.leaf, bare_intermediate, own.root)),
            "marker_oid_missing",
        ),
        (
            "intermediate-not-an-authority",
            "The intermediate is no authority.",
            receipt(own).but(certificates=(own.leaf, not_an_authority, own.root)),
            UNTRUSTED,
        ),
        (
            "leaf-unknown-critical-extension",
            "The leaf has a critical extension that nobody knows.",
            receipt(own).but(certificates=(leaf.with_extension(demand).encode(), own.intermediate, own.root)),
            UNTRUSTED,
        ),
        (
            "certificate-unreadable",
            "In place of the leaf there is an empty sequence.",
            receipt(own).but(certificates=(der.sequence(), own.intermediate, own.root)),
            "certificate_malformed",
        ),
    ]
    for name, words, container, reason in rows:
        also = (UNTRUSTED, MALFORMED) if reason == "certificate_malformed" else ("certificate_malformed",)
        yield case(kit, f"chain-{name}", words, container.encode(), reason, *also)
    yield case(
        kit,
        "chain-root-not-configured",
        "A sound receipt whose root is not configured.",
        receipt(own).encode(),
        UNTRUSTED,
        trust={"roots": [foreign.root_pem]},
    )


def _validity(kit: Kit) -> Iterator[Case]:
    own, year = kit.receipts, 31_536_000
    not_valid = "certificate_not_valid_at_signing"

    def under(created: int, **changes) -> bytes:
        body = pkcs7.content(t12=pkcs7.date(created))
        leaf = own.leaf_recipe.but(**changes).encode()
        return receipt(own, body).but(certificates=(leaf, own.intermediate, own.root)).encode()

    created = pkcs7.CREATED
    yield case(
        kit,
        "control-expired-since",
        "The leaf was valid when the receipt was made, not now.",
        under(created, not_after=created + 1),
    )
    yield case(
        kit,
        "expired-when-made",
        "The leaf had expired when the receipt was made.",
        under(created, not_after=created - year),
        not_valid,
    )
    yield case(
        kit,
        "not-yet-valid-when-made",
        "The leaf became valid later.",
        under(created, not_before=created + year),
        not_valid,
    )
    yield case(
        kit, "made-before-the-chain", "The receipt says that it was made in 2001.", under(1_000_000_000), not_valid
    )
