"""Authorities that are built like Apple's: a root, an intermediate and a leaf with Apple's marker extensions.

Keys are made afresh in each run and forgotten at its end.
"""

from dataclasses import dataclass, field
from functools import cached_property

import der
from certificates import (
    CRL_SIGN,
    DIGITAL_SIGNATURE,
    KEY_CERT_SIGN,
    RECEIPT_SIGNING,
    WORLDWIDE_DEVELOPER_RELATIONS,
    Recipe,
    authority_key,
    basic_constraints,
    ec_key,
    key_usage,
    marker,
    pem,
    public_info,
    rsa_key,
    subject_key,
)
from cryptography.hazmat.primitives.asymmetric import ec

APPLE = "Apple Inc."
APPLE_CA = "Apple Certification Authority"


@dataclass(frozen=True)
class Names:
    """The subjects of the three certificates."""

    root: bytes
    intermediate: bytes
    leaf: bytes


OWN_NAMES = Names(
    der.name("Adversarial test root", "Not issued by Apple", "Perennial"),
    der.name("Adversarial test intermediate", "Not issued by Apple", "Perennial"),
    der.name("Adversarial test signing", "Not issued by Apple", "Perennial"),
)
APPLE_LIKE_NAMES = Names(
    der.name("Apple Root CA - G3", APPLE_CA, APPLE, "US"),
    der.name("Apple Worldwide Developer Relations Certification Authority", "G6", APPLE, "US"),
    der.name(
        "Prod ECC Mac App Store and iTunes Store Receipt Signing",
        "Apple Worldwide Developer Relations",
        APPLE,
        "US",
    ),
)


@dataclass(frozen=True)
class Keys:
    """The private keys of an authority."""

    root: object = field(default_factory=lambda: ec_key(ec.SECP384R1()))
    intermediate: object = field(default_factory=lambda: ec_key(ec.SECP384R1()))
    leaf: object = field(default_factory=lambda: ec_key(ec.SECP256R1()))

    @classmethod
    def rsa(cls) -> "Keys":
        """As the authorities of receipts have them."""
        return cls(rsa_key(), rsa_key(), rsa_key())


@dataclass(frozen=True)
class Authority:
    """Three certificates, each of which a case may take apart."""

    keys: Keys = field(default_factory=Keys)
    names: Names = OWN_NAMES
    digest: str = "sha384"

    @cached_property
    def root_recipe(self) -> Recipe:
        info = public_info(self.keys.root)
        return Recipe(
            subject=self.names.root,
            issuer=self.names.root,
            key=self.keys.root,
            issuer_key=self.keys.root,
            extensions=(subject_key(info), basic_constraints(True), key_usage(KEY_CERT_SIGN | CRL_SIGN)),
            serial=0x1001,
            digest=self.digest,
        )

    @cached_property
    def intermediate_recipe(self) -> Recipe:
        return Recipe(
            subject=self.names.intermediate,
            issuer=self.names.root,
            key=self.keys.intermediate,
            issuer_key=self.keys.root,
            extensions=(
                basic_constraints(True, 0),
                authority_key(public_info(self.keys.root)),
                subject_key(public_info(self.keys.intermediate)),
                key_usage(KEY_CERT_SIGN | CRL_SIGN),
                marker(WORLDWIDE_DEVELOPER_RELATIONS),
            ),
            serial=0x2002,
            digest=self.digest,
        )

    @cached_property
    def leaf_recipe(self) -> Recipe:
        return Recipe(
            subject=self.names.leaf,
            issuer=self.names.intermediate,
            key=self.keys.leaf,
            issuer_key=self.keys.intermediate,
            extensions=(
                basic_constraints(False),
                authority_key(public_info(self.keys.intermediate)),
                subject_key(public_info(self.keys.leaf)),
                key_usage(DIGITAL_SIGNATURE),
                marker(RECEIPT_SIGNING),
            ),
            serial=0x3003,
            digest=self.digest,
        )

    @cached_property
    def root(self) -> bytes:
        return self.root_recipe.encode()

    @cached_property
    def intermediate(self) -> bytes:
        return self.intermediate_recipe.encode()

    @cached_property
    def leaf(self) -> bytes:
        return self.leaf_recipe.encode()

    @property
    def chain(self) -> list[bytes]:
        return [self.leaf, self.intermediate, self.root]

    @property
    def root_pem(self) -> str:
        return pem(self.root)

    def leaf_with_key(self, key) -> bytes:
        """A leaf that this authority issued for another key."""
        info = public_info(key)
        recipe = self.leaf_recipe.but(key=key).instead("2.5.29.14", subject_key(info))
        return recipe.encode()
