"""What the certificates themselves say: dates, markers, constraints, usages, encodings, signatures."""

import json
from collections.abc import Iterator

import certificates as c
import der
import jws
import payloads
from authority import Authority
from case import Case, Kit
from curves import ChosenGenerator, info_with_point

AREA = "certificate"
UNTRUSTED = "chain_not_trusted"
MALFORMED = "certificate_malformed"
NO_MARKER = "marker_oid_missing"
TRANSACTION = payloads.transaction()


def cases(kit: Kit) -> Iterator[Case]:
    yield from _controls(kit)
    yield from _markers(kit)
    yield from _constraints(kit)
    yield from _extensions(kit)
    yield from _signatures(kit)
    yield from _keys(kit)
    yield from _encodings(kit)
    yield from _texts(kit)


def with_leaf(kit: Kit, recipe: c.Recipe) -> str:
    return kit.under([recipe.encode(), kit.good.intermediate, kit.good.root])


def with_intermediate(kit: Kit, recipe: c.Recipe) -> str:
    return kit.under([kit.good.leaf, recipe.encode(), kit.good.root])


def _controls(kit: Kit) -> Iterator[Case]:
    leaf, intermediate = kit.good.leaf_recipe, kit.good.intermediate_recipe
    presence = "Only the presence of the marker counts, not its value."
    yield Case(
        AREA,
        "control-marker-of-other-value",
        "The leaf's marker extension holds a text instead of NULL.",
        with_leaf(kit, leaf.instead(c.RECEIPT_SIGNING, c.marker(c.RECEIPT_SIGNING, der.utf8("yes")))),
        notes=presence,
    )
    yield Case(
        AREA,
        "control-unknown-extension",
        "The leaf has an unknown extension that is not critical.",
        with_leaf(kit, leaf.with_extension(c.extension("1.3.6.1.4.1.99999.1", der.null()))),
    )
    yield Case(
        AREA,
        "control-leaf-without-basic-constraints",
        "The leaf has no basic constraints, which says the same as not being an authority.",
        with_leaf(kit, leaf.without(c.BASIC_CONSTRAINTS)),
    )
    yield Case(
        AREA,
        "control-no-path-length",
        "The intermediate is an authority without a limit on the path length.",
        with_intermediate(kit, intermediate.instead(c.BASIC_CONSTRAINTS, c.basic_constraints(True))),
    )
    yield Case(
        AREA,
        "control-sha512-signature",
        "The intermediate issued the leaf with SHA-512.",
        with_leaf(kit, leaf.but(digest="sha512")),
    )


def _markers(kit: Kit) -> Iterator[Case]:
    leaf, intermediate = kit.good.leaf_recipe, kit.good.intermediate_recipe
    bare_leaf = leaf.without(c.RECEIPT_SIGNING)
    bare_intermediate = intermediate.without(c.WORLDWIDE_DEVELOPER_RELATIONS)
    policy = c.extension(c.CERTIFICATE_POLICIES, der.sequence(der.sequence(der.oid(c.RECEIPT_SIGNING))))
    usage = c.extension(c.EXTENDED_KEY_USAGE, der.sequence(der.oid(c.RECEIPT_SIGNING)))
    value = c.extension("1.3.6.1.4.1.99999.1", der.oid(c.RECEIPT_SIGNING))
    leaves = {
        "missing": (bare_leaf, "has no marker"),
        "of-the-intermediate": (
            bare_leaf.with_extension(c.marker(c.WORLDWIDE_DEVELOPER_RELATIONS)),
            "has the intermediate's marker instead of its own",
        ),
        "neighbouring": (
            bare_leaf.with_extension(c.marker(c.RECEIPT_SIGNING[:-1] + "2")),
            "has the marker whose last number is one higher",
        ),
        "longer": (bare_leaf.with_extension(c.marker(c.RECEIPT_SIGNING + ".1")), "has a marker below the right one"),
        "shorter": (bare_leaf.with_extension(c.marker(c.RECEIPT_SIGNING[:-2])), "has the marker's parent"),
        "as-policy": (bare_leaf.with_extension(policy), "names the marker as a certificate policy only"),
        "as-key-usage": (bare_leaf.with_extension(usage), "names the marker as an extended key usage only"),
        "as-value": (bare_leaf.with_extension(value), "names the marker inside another extension only"),
    }
    for name, (recipe, words) in leaves.items():
        yield Case(AREA, f"leaf-marker-{name}", f"The leaf {words}.", with_leaf(kit, recipe), reason=NO_MARKER)
    yield Case(
        AREA,
        "intermediate-marker-missing",
        "The intermediate has no marker.",
        with_intermediate(kit, bare_intermediate),
        reason=NO_MARKER,
    )
    yield Case(
        AREA,
        "intermediate-marker-of-the-leaf",
        "The intermediate has the leaf's marker instead of its own.",
        with_intermediate(kit, bare_intermediate.with_extension(c.marker(c.RECEIPT_SIGNING))),
        reason=NO_MARKER,
    )
    yield Case(
        AREA,
        "markers-missing",
        "Neither leaf nor intermediate has a marker: a certificate for something else under the trusted root.",
        kit.under([bare_leaf.encode(), bare_intermediate.encode(), kit.good.root]),
        reason=NO_MARKER,
    )


def _constraints(kit: Kit) -> Iterator[Case]:
    intermediate, leaf = kit.good.intermediate_recipe, kit.good.leaf_recipe
    wrong = c.extension(c.BASIC_CONSTRAINTS, der.octet_string(b"CA:TRUE"), critical=True)
    authorities = {
        "not-an-authority": (intermediate.instead(c.BASIC_CONSTRAINTS, c.basic_constraints(False)), ()),
        "without-basic-constraints": (intermediate.without(c.BASIC_CONSTRAINTS), ()),
        "unreadable-basic-constraints": (intermediate.instead(c.BASIC_CONSTRAINTS, wrong), (MALFORMED,)),
        "may-not-sign-certificates": (intermediate.instead(c.KEY_USAGE, c.key_usage(c.DIGITAL_SIGNATURE)), ()),
        "of-version-1": (intermediate.but(version=None, extensions=()), (MALFORMED, NO_MARKER)),
    }
    for name, (recipe, also) in authorities.items():
        yield Case(
            AREA,
            f"intermediate-{name}",
            f"The intermediate that the root issued: {name.replace('-', ' ')}.",
            with_intermediate(kit, recipe),
            reason=UNTRUSTED,
            also=also,
        )
    yield Case(
        AREA,
        "leaf-is-an-authority",
        "The leaf is the certificate of an authority, which the path length of the intermediate forbids.",
        with_leaf(
            kit,
            leaf.instead(c.BASIC_CONSTRAINTS, c.basic_constraints(True)).instead(
                c.KEY_USAGE, c.key_usage(c.DIGITAL_SIGNATURE | c.KEY_CERT_SIGN)
            ),
        ),
        reason=UNTRUSTED,
        notes="RFC 5280 does not count the last certificate of a path, so a verifier may accept it. Apple's leaves are "
        "never authorities; refusing costs nothing.",
    )
    yield Case(
        AREA,
        "leaf-may-not-sign",
        "The leaf's key usage allows encipherment only, not signatures.",
        with_leaf(kit, leaf.instead(c.KEY_USAGE, c.key_usage(c.KEY_ENCIPHERMENT))),
        reason=UNTRUSTED,
    )


def _extensions(kit: Kit) -> Iterator[Case]:
    leaf, intermediate = kit.good.leaf_recipe, kit.good.intermediate_recipe
    demand = c.extension("1.3.6.1.4.1.99999.1", der.null(), critical=True)
    names = c.extension(
        c.NAME_CONSTRAINTS,
        der.sequence(der.context(0, der.sequence(der.context(2, b"example.com", constructed=False)))),
        critical=True,
    )
    yield Case(
        AREA,
        "leaf-unknown-critical-extension",
        "The leaf has a critical extension that nobody knows.",
        with_leaf(kit, leaf.with_extension(demand)),
        reason=UNTRUSTED,
    )
    yield Case(
        AREA,
        "intermediate-unknown-critical-extension",
        "The intermediate has a critical extension that nobody knows.",
        with_intermediate(kit, intermediate.with_extension(demand)),
        reason=UNTRUSTED,
    )
    yield Case(
        AREA,
        "intermediate-name-constraints",
        "The intermediate is limited to names below example.com, by a critical extension.",
        with_intermediate(kit, intermediate.with_extension(names)),
        reason=UNTRUSTED,
        notes="The leaf has no DNS name, so a verifier that understands name constraints may accept it; one that does "
        "not must refuse. Apple's chains have none.",
    )
    yield Case(
        AREA,
        "duplicate-extension",
        "The intermediate has basic constraints twice: not an authority, and an authority (RFC 5280 forbids it).",
        with_intermediate(kit, intermediate.but(extensions=(c.basic_constraints(False), *intermediate.extensions))),
        reason=MALFORMED,
        also=(UNTRUSTED,),
    )


def _signatures(kit: Kit) -> Iterator[Case]:
    leaf = kit.good.leaf_recipe
    damaged = bytearray(kit.good.leaf)
    damaged[-5] ^= 0x01
    renamed = kit.good.leaf.replace(b"test signing", b"best signing")
    chains = {
        "leaf-signature-damaged": (bytes(damaged), "One bit of the leaf's signature is another."),
        "leaf-subject-changed": (renamed, "One letter of the leaf's subject was changed after it was issued."),
        "leaf-signature-empty": (
            leaf.but(signer=lambda *_: b"").encode(),
            "The signature under the leaf is empty.",
        ),
        "leaf-signature-zero": (
            leaf.but(signer=lambda *_: der.sequence(der.integer(0), der.integer(0))).encode(),
            "The signature under the leaf is r = 0, s = 0.",
        ),
        "leaf-signature-sha1": (leaf.but(digest="sha1").encode(), "The intermediate issued the leaf with SHA-1."),
        "leaf-algorithms-differ": (
            leaf.but(inner_algorithm=c.algorithm(leaf.issuer_key, "sha256")).encode(),
            "The leaf names SHA-256 inside and SHA-384 outside; the signature is good by the outer one.",
        ),
    }
    for name, (certificate, words) in chains.items():
        yield Case(
            AREA,
            name,
            words,
            kit.under([certificate, kit.good.intermediate, kit.good.root]),
            reason=UNTRUSTED,
            also=(MALFORMED,),
        )
    forger = ChosenGenerator(kit.good.keys.root)
    root = kit.good.root_recipe.but(info=forger.info, signer=forger.sign)
    forged = Authority(names=kit.good.names)
    below = forged.intermediate_recipe.but(signer=forger.sign)
    yield Case(
        AREA,
        "root-of-chosen-curve",
        "CVE-2020-0601: a forged root with the trusted root's name and public key on a curve of the forger's choice.",
        kit.under([forged.leaf, below.encode(), root.encode()], forged.keys.leaf),
        reason=UNTRUSTED,
        also=(MALFORMED,),
    )
    yield Case(
        AREA,
        "intermediate-of-chosen-curve",
        "CVE-2020-0601 without the root: the intermediate is signed on the forger's curve, the sent root is the real.",
        kit.under([forged.leaf, below.encode(), kit.good.root], forged.keys.leaf),
        reason=UNTRUSTED,
    )


def _keys(kit: Kit) -> Iterator[Case]:
    leaf = kit.good.leaf_recipe
    point = c.public_info(kit.key)[-65:]
    off_curve = point[:-1] + bytes([point[-1] ^ 0x01])
    infos = {
        "off-the-curve": (off_curve, "is a point that is not on the curve"),
        "at-infinity": (b"\x00", "is the point at infinity"),
        "cut-off": (point[:-1], "is one byte too short"),
        "empty": (b"", "is empty"),
    }
    for name, (bytes_of_point, words) in infos.items():
        yield Case(
            AREA,
            f"leaf-key-{name}",
            f"The leaf's public key {words}.",
            with_leaf(kit, leaf.but(info=info_with_point(kit.key, bytes_of_point))),
            reason=MALFORMED,
            also=("algorithm_not_supported", UNTRUSTED),
        )


def _encodings(kit: Kit) -> Iterator[Case]:
    whole = kit.good.leaf
    body = whole[4:]
    encodings = {
        "trailing-byte": (whole + b"\0", "is followed by a zero byte"),
        "trailing-certificate": (whole + kit.good.intermediate, "is followed by another certificate in one entry"),
        "indefinite-length": (der.indefinite(der.SEQUENCE, body), "has an outer sequence of indefinite length (BER)"),
        "long-length": (der.long_length(der.SEQUENCE, body), "spells its length in four octets (BER)"),
        "length-too-long": (der.lying(der.SEQUENCE, body, len(body) + 1), "claims one byte more than there is"),
        "length-too-short": (der.lying(der.SEQUENCE, body, len(body) - 1), "claims one byte less than there is"),
        "length-enormous": (b"\x30\x88" + b"\xff" * 8 + body, "claims 2^64 - 1 bytes"),
        "cut-off": (whole[: len(whole) // 2], "is cut off in the middle"),
        "nested": (b"\x30\x80" * 2000, "is two thousand sequences that never end"),
        "text": (b"not a certificate", "is a text"),
        "empty": (b"", "is empty"),
        "key-only": (c.public_info(kit.key), "is only the public key"),
        "pem": (c.pem(whole).encode(), "is in PEM before it is base64"),
    }
    for name, (certificate, words) in encodings.items():
        yield Case(
            AREA,
            f"leaf-encoding-{name}",
            f"The leaf in `x5c` {words}; RFC 7515 wants DER.",
            kit.under([certificate, kit.good.intermediate, kit.good.root]),
            reason=MALFORMED,
        )


def _padded_leaf(kit: Kit) -> bytes:
    """A leaf whose base64 ends in two padding characters; a signature's length is chance."""
    while True:
        leaf = kit.good.leaf_recipe.encode()
        if len(leaf) % 3 == 1:
            return leaf


def _texts(kit: Kit) -> Iterator[Case]:
    der_leaf = _padded_leaf(kit)
    leaf = jws.standard(der_leaf)
    rest = kit.head()["x5c"][1:]
    lines = "\n".join(leaf[start : start + 64] for start in range(0, len(leaf), 64))
    texts = {
        "base64url": leaf.replace("+", "-").replace("/", "_").rstrip("="),
        "line-breaks": lines,
        "leading-space": " " + leaf,
        "unpadded": leaf.rstrip("="),
        "too-much-padding": leaf.rstrip("=") + "====",
        "hexadecimal": der_leaf.hex(),
        "pem": c.pem(der_leaf),
        "foreign-letter": leaf[:40] + "*" + leaf[41:],
    }
    for name, text in texts.items():
        yield Case(
            AREA,
            f"leaf-text-{name}",
            f"The leaf's text in `x5c` is not standard base64 ({name.replace('-', ' ')}).",
            jws.compact(json.dumps(kit.head(x5c=[text, *rest])).encode(), TRANSACTION, kit.key),
            reason=MALFORMED,
        )
