"""Receipts: what the signature covers, and how it says so."""

from collections.abc import Iterator

import certificates as c
import der
import pkcs7
from authority import Authority, Keys
from case import Case, Kit
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from pkcs7 import Signer, receipt, signed_attributes

from cases.receipts import CONTENT, INVALID, MALFORMED, UNTRUSTED, case


def cases(kit: Kit) -> Iterator[Case]:
    yield from _changes(kit)
    yield from _attributes(kit)
    yield from _algorithms(kit)


def _changes(kit: Kit) -> Iterator[Case]:
    """Changed after signing."""
    own = kit.receipts
    changes = {
        "bundle": pkcs7.content(t2=der.utf8("com.example.premium.x")),
        "creation-date": pkcs7.content(t12=pkcs7.date(pkcs7.CREATED + 86_400)),
        "environment": pkcs7.content(t0=der.utf8("Production")),
        "one-purchase-more": pkcs7.content(2),
        "no-purchase": pkcs7.content(0),
        "expiry-of-a-purchase": CONTENT.replace(b"2025-11-08", b"2035-11-08"),
        "product": CONTENT.replace(b"pro.monthly", b"pro.forever"),
        "order-of-attributes": der.tlv(der.SET, *reversed(der.elements(CONTENT))),
    }
    for name, sent in changes.items():
        assert sent != CONTENT, name
        yield case(
            kit,
            f"changed-{name}",
            f"Changed after signing: {name.replace('-', ' ')}.",
            receipt(own).but(sent=sent).encode(),
            INVALID,
        )
    yield case(
        kit,
        "changed-under-signed-attributes",
        "The content was changed; the signed attributes still hold the digest of the old one.",
        receipt(own, CONTENT, attributes=signed_attributes(CONTENT)).but(sent=changes["product"]).encode(),
        "receipt_digest_mismatch",
        INVALID,
    )


def _attributes(kit: Kit) -> Iterator[Case]:
    own = kit.receipts
    kind, digest = signed_attributes(CONTENT)
    other_digest = signed_attributes(CONTENT + b"\0")[1]
    mismatch = "receipt_digest_mismatch"
    rows = {
        "of-other-digest": ((kind, other_digest), "hold the digest of another content", mismatch, ()),
        "without-digest": (
            (kind,),
            "hold no digest, so that nothing binds them to the content",
            MALFORMED,
            (mismatch, INVALID),
        ),
        "without-type": ((digest,), "hold no content type, which RFC 5652 requires", MALFORMED, (INVALID,)),
        "of-other-type": (
            signed_attributes(CONTENT, content_type=pkcs7.SIGNED_DATA),
            "say that the content is of another type",
            MALFORMED,
            (INVALID,),
        ),
        "two-digests": ((kind, digest, other_digest), "hold two digests", MALFORMED, (mismatch, INVALID)),
        "two-values": (
            (kind, _values(digest, other_digest)),
            "hold a digest attribute with two values",
            MALFORMED,
            (mismatch, INVALID),
        ),
        "empty": ((), "are empty", MALFORMED, (mismatch, INVALID)),
    }
    for name, (attributes, words, reason, also) in rows.items():
        encoded = receipt(own, CONTENT, attributes=attributes).encode()
        yield case(
            kit,
            f"attributes-{name}",
            f"The signed attributes {words}; their signature is good.",
            encoded,
            reason,
            *also,
        )
    ignored = Signer(own, attributes=(kind, digest))
    signature = own.keys.leaf.sign(CONTENT, c.padding.PKCS1v15(), hashes.SHA256())
    yield case(
        kit,
        "attributes-not-signed",
        "There are signed attributes, but the signature is over the content itself.",
        receipt(own).but(signers=(Signer(own, attributes=ignored.attributes, signature=signature),)).encode(),
        INVALID,
    )
    over_attributes = der.set_of(kind, digest)
    signature = own.keys.leaf.sign(over_attributes, c.padding.PKCS1v15(), hashes.SHA256())
    yield case(
        kit,
        "attributes-as-content",
        "A signature over signed attributes is moved to a receipt whose content is those attributes (CVE of 2024 in "
        "several CMS libraries).",
        receipt(own, signature=signature).but(sent=over_attributes).encode(),
        MALFORMED,
        INVALID,
    )


def _values(first: bytes, second: bytes) -> bytes:
    """An attribute with the values of two."""
    values = [item[-34:] for item in (first, second)]
    return der.sequence(der.oid(pkcs7.MESSAGE_DIGEST), der.set_of(*values))


def _algorithms(kit: Kit) -> Iterator[Case]:
    own = kit.receipts
    unsupported = "digest_algorithm_not_supported"
    yield case(
        kit,
        "digest-named-sha1-signed-sha256",
        "The signer names SHA-1 and signed with SHA-256.",
        receipt(own, claimed_digest="sha1").encode(),
        INVALID,
        unsupported,
    )
    yield case(
        kit,
        "digest-named-sha256-signed-sha1",
        "The signer names SHA-256 and signed with SHA-1.",
        receipt(own, digest="sha1", claimed_digest="sha256").encode(),
        INVALID,
        unsupported,
    )
    yield case(
        kit,
        "digest-md5",
        "The signer names MD5, for which anybody can make two contents of one digest.",
        receipt(own, claimed_digest="md5").encode(),
        unsupported,
        "algorithm_not_supported",
        INVALID,
    )
    yield case(
        kit,
        "algorithms-contradict",
        "The signer names SHA-256 as digest and RSA with SHA-1 as signature.",
        receipt(own, signature_algorithm=pkcs7.with_algorithm("sha1")).encode(),
        "algorithm_not_supported",
        unsupported,
        INVALID,
    )
    yield case(
        kit,
        "signature-algorithm-none",
        "The signer names the digest algorithm as signature algorithm and puts the digest in place of a signature.",
        receipt(own, signature_algorithm=pkcs7.DIGESTS["sha256"], signature=bytes(32)).encode(),
        "algorithm_not_supported",
        INVALID,
    )
    elliptic = Authority(
        Keys(own.keys.root, own.keys.intermediate, ec.generate_private_key(ec.SECP256R1())), digest="sha256"
    )
    signature = elliptic.keys.leaf.sign(CONTENT, ec.ECDSA(hashes.SHA256()))
    yield case(
        kit,
        "signature-ecdsa",
        "The trusted authority issued a leaf with a P-256 key, which signed: receipts are signed with RSA.",
        receipt(elliptic, signature=signature, signature_algorithm="1.2.840.10045.4.3.2").encode(),
        "algorithm_not_supported",
        UNTRUSTED,
    )
