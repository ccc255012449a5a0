"""Which certificates are sent, in which order, and who issued them."""

from collections.abc import Iterator

import jws
import payloads
from authority import Authority, Keys
from case import Case, Kit, apple_root
from certificates import rsa_key
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

AREA = "chain"
UNTRUSTED = "chain_not_trusted"
TRANSACTION = payloads.transaction()


def cases(kit: Kit) -> Iterator[Case]:
    yield from _controls(kit)
    yield from _lengths(kit)
    yield from _orders(kit)
    yield from _forged(kit)
    yield from _sent_roots(kit)
    yield from _apple(kit)


def _controls(kit: Kit) -> Iterator[Case]:
    good = kit.good
    yield Case(AREA, "control-three-certificates", "Leaf, intermediate and root.", kit.sign(TRANSACTION))
    yield Case(
        AREA,
        "control-second-root",
        "Two roots are configured, and the chain leads to the second.",
        kit.sign(TRANSACTION),
        trust={"roots": [kit.apple_like.root_pem, good.root_pem]},
    )
    yield Case(
        AREA,
        "control-roots-of-one-name",
        "Two roots with the same name and other keys are configured; the chain leads to the second.",
        kit.sign(TRANSACTION),
        trust={"roots": [kit.foreign.root_pem, good.root_pem]},
    )
    p256 = Authority(Keys(*(ec.generate_private_key(ec.SECP256R1()) for _ in range(3))), digest="sha256")
    yield Case(
        AREA,
        "control-all-p256",
        "Root, intermediate and leaf all have P-256 keys, like the test chain of Apple's own libraries.",
        jws.compact(jws.header(p256.chain), TRANSACTION, p256.keys.leaf),
        trust={"roots": [p256.root_pem]},
    )
    rsa = Authority(Keys(rsa_key(), rsa_key(), ec.generate_private_key(ec.SECP256R1())), digest="sha256")
    yield Case(
        AREA,
        "control-rsa-issuers",
        "Root and intermediate have RSA keys, the leaf a P-256 key: who issues may use another algorithm.",
        jws.compact(jws.header(rsa.chain), TRANSACTION, rsa.keys.leaf),
        trust={"roots": [rsa.root_pem]},
    )
    renewed = good.root_recipe.but(serial=0x1002, not_after=good.root_recipe.not_after - 86_400)
    yield Case(
        AREA,
        "control-renewed-root-sent",
        "The sent root is a renewal of the configured one: same name and key, another serial number and end.",
        kit.under([good.leaf, good.intermediate, renewed.encode()]),
        notes="The configured root is the anchor in any case; what is sent only names it.",
    )


def _lengths(kit: Kit) -> Iterator[Case]:
    leaf, intermediate, root = kit.good.chain
    chains = {
        "one": ([leaf], "only the leaf, as Xcode sends it"),
        "two": ([leaf, intermediate], "leaf and intermediate without the root"),
        "four-repeated-root": ([leaf, intermediate, root, root], "the root twice"),
        "four-stranger-last": ([leaf, intermediate, root, kit.apple_like.root], "a stranger's root behind the chain"),
        "four-stranger-first": ([kit.apple_like.leaf, leaf, intermediate, root], "a stranger's leaf before the chain"),
        "six": ([leaf, intermediate, root] * 2, "the chain twice"),
        "hundred": ([leaf, intermediate] + [root] * 98, "a hundred certificates"),
    }
    for name, (chain, words) in chains.items():
        yield Case(
            AREA,
            f"length-{name}",
            f"`x5c` holds {words}; the trusted leaf signed.",
            kit.under(chain),
            reason="chain_length",
        )


def _orders(kit: Kit) -> Iterator[Case]:
    leaf, intermediate, root = kit.good.chain
    chains = {
        "reversed": [root, intermediate, leaf],
        "leaf-last": [intermediate, root, leaf],
        "intermediate-and-root-swapped": [leaf, root, intermediate],
        "leaf-and-intermediate-swapped": [intermediate, leaf, root],
        "leaf-three-times": [leaf, leaf, leaf],
        "leaf-twice": [leaf, leaf, root],
        "root-twice": [leaf, root, root],
        "root-three-times": [root, root, root],
    }
    for name, chain in chains.items():
        yield Case(
            AREA,
            f"order-{name}",
            f"The right certificates in the wrong places ({name.replace('-', ' ')}); the trusted leaf signed.",
            kit.under(chain),
            reason=UNTRUSTED,
        )
    yield Case(
        AREA,
        "order-signed-by-the-intermediate",
        "Intermediate, intermediate, root of an all-P-256 authority; the intermediate signed the payload itself.",
        **_signed_by_the_intermediate(),
        reason=UNTRUSTED,
        also=("marker_oid_missing",),
    )


def _signed_by_the_intermediate() -> dict:
    p256 = Authority(Keys(*(ec.generate_private_key(ec.SECP256R1()) for _ in range(3))), digest="sha256")
    chain = [p256.intermediate, p256.intermediate, p256.root]
    text = jws.compact(jws.header(chain), TRANSACTION, p256.keys.intermediate)
    return {"input": text, "trust": {"roots": [p256.root_pem]}}


def _forged(kit: Kit) -> Iterator[Case]:
    good, foreign = kit.good, kit.foreign
    key = foreign.keys.leaf
    alone = good.leaf_recipe.but(key=key, issuer_key=key, issuer=good.names.leaf, digest="sha256").encode()
    chains = {
        "same-names-other-keys": (foreign.chain, "All three names and serial numbers are the trusted ones; no key is."),
        "trusted-root-appended": (
            [foreign.leaf, foreign.intermediate, good.root],
            "A forged leaf and intermediate name the trusted root, which stands behind them and did not issue them.",
        ),
        "trusted-intermediate-and-root": (
            [foreign.leaf, good.intermediate, good.root],
            "Only the leaf is forged: it names the trusted intermediate, which did not issue it.",
        ),
        "forged-intermediate-only": (
            [good.leaf, foreign.intermediate, good.root],
            "The leaf and the root are the trusted ones; the intermediate has the right name and another key.",
        ),
        "self-signed-leaf": ([alone, alone, alone], "A leaf with Apple's marker that issued itself, three times."),
        "self-signed-leaf-before-trusted": (
            [alone, good.intermediate, good.root],
            "A leaf that issued itself before the trusted intermediate and root.",
        ),
    }
    for name, (chain, words) in chains.items():
        yield Case(AREA, f"forged-{name}", words, kit.under(chain, key), reason=UNTRUSTED)
    leaf_as_issuer = good.leaf_recipe.but(
        key=key, issuer=good.names.leaf, issuer_key=good.keys.leaf, digest="sha256"
    ).encode()
    yield Case(
        AREA,
        "forged-leaf-as-issuer",
        "A leaf of the trusted authority, which is no authority itself, issued another leaf and stands between.",
        kit.under([leaf_as_issuer, good.leaf, good.root], key),
        reason=UNTRUSTED,
        also=("marker_oid_missing",),
    )
    below = Authority(Keys(leaf=key), names=kit.apple_like.names)
    sub_authority = below.intermediate_recipe.but(issuer=good.names.intermediate, issuer_key=good.keys.intermediate)
    yield Case(
        AREA,
        "forged-sub-authority",
        "The trusted intermediate, whose path length is zero, issued another authority; the root is left out.",
        kit.under([below.leaf, sub_authority.encode(), good.intermediate], key),
        reason=UNTRUSTED,
    )
    direct = good.leaf_recipe.but(issuer=good.names.root, issuer_key=good.keys.root)
    yield Case(
        AREA,
        "forged-leaf-issued-by-root",
        "The root issued the leaf itself; the intermediate is sent along and is not part of the path.",
        kit.under([direct.encode(), good.intermediate, good.root]),
        reason=UNTRUSTED,
    )


def _sent_roots(kit: Kit) -> Iterator[Case]:
    good = kit.good
    anchored = "Leaf and intermediate lead to the configured root; the third certificate is not that root."
    stray = "Harmless for whoever anchors in the configured root; `x5c` is still not the chain that it has to be."
    sent = {
        "foreign": (kit.foreign.root, "It has the root's name and another key.", UNTRUSTED),
        "other-name": (kit.apple_like.root, "It is another authority's root.", UNTRUSTED),
        "garbage": (b"not a certificate", "It is no certificate at all.", "certificate_malformed"),
        "empty": (b"", "It is empty.", "certificate_malformed"),
    }
    for name, (certificate, words, reason) in sent.items():
        yield Case(
            AREA,
            f"sent-root-{name}",
            f"{anchored} {words}",
            kit.under([good.leaf, good.intermediate, certificate]),
            reason=reason,
            also=tuple({UNTRUSTED, "certificate_malformed"} - {reason}),
            notes=stray,
        )
    yield Case(
        AREA,
        "root-not-configured",
        "A sound chain to a root that is not configured.",
        jws.compact(jws.header(kit.apple_like.chain), TRANSACTION, kit.apple_like.keys.leaf),
        reason=UNTRUSTED,
    )


def _apple(kit: Kit) -> Iterator[Case]:
    forger = kit.apple_like
    root = x509.load_pem_x509_certificate(apple_root().encode()).public_bytes(serialization.Encoding.DER)
    chains = {
        "lookalike": (
            forger.chain,
            "Every subject is Apple's, word for word; the root is the forger's. Apple's real root is configured.",
        ),
        "lookalike-with-real-root": (
            [forger.leaf, forger.intermediate, root],
            "A forged leaf and intermediate with Apple's subjects before Apple's real root.",
        ),
        "real-root-three-times": ([root, root, root], "Apple's real root in place of every certificate."),
    }
    for name, (chain, words) in chains.items():
        yield Case(
            AREA,
            f"apple-{name}",
            words,
            kit.under(chain, forger.keys.leaf),
            reason=UNTRUSTED,
            trust=kit.apple_trust,
        )
    yield Case(
        AREA,
        "apple-lookalike-where-another-root-is-configured",
        "Every subject is Apple's, word for word; only a root of one's own is configured.",
        kit.under(forger.chain, forger.keys.leaf),
        reason=UNTRUSTED,
    )
