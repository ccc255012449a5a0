"""Which algorithm signs: only ES256, whatever the header says and whatever key the leaf has."""

from collections.abc import Iterator

import jws
import payloads
from case import Case, Kit
from certificates import pem, public_info, sign
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

AREA = "algorithms"
REFUSED = "algorithm_not_supported"
TRANSACTION = payloads.transaction()


def cases(kit: Kit) -> Iterator[Case]:
    yield Case(AREA, "control-es256", "ES256 under the trusted chain, as the App Store signs.", kit.sign(TRANSACTION))
    yield from _unsigned(kit)
    yield from _symmetric(kit)
    yield from _other_keys(kit)
    yield from _spellings(kit)


def _unsigned(kit: Kit) -> Iterator[Case]:
    head = kit.head(alg="none")
    text = jws.signing_input(head, TRANSACTION)
    yield Case(
        AREA,
        "none-without-signature",
        "`alg` is `none` and the signature is empty: the classic forgery of RFC 7519's unsecured tokens.",
        text + ".",
        reason=REFUSED,
        also=("malformed_jws",),
    )
    yield Case(
        AREA,
        "none-without-chain",
        "`alg` is `none`, with neither chain nor signature.",
        jws.signing_input({"alg": "none"}, TRANSACTION) + ".",
        reason=REFUSED,
        also=("malformed_jws", "chain_length"),
    )
    yield Case(
        AREA,
        "none-with-good-signature",
        "`alg` is `none` although the trusted leaf signed exactly these bytes with ES256.",
        jws.compact(head, TRANSACTION, kit.key),
        reason=REFUSED,
    )
    for spelling in ["None", "NONE", "nOnE"]:
        yield Case(
            AREA,
            f"none-spelled-{''.join('u' if letter.isupper() else 'l' for letter in spelling)}",
            f"`alg` is `{spelling}`: a list of forbidden names that compares case would let it through.",
            jws.signing_input(kit.head(alg=spelling), TRANSACTION) + "." + jws.base64url(bytes(64)),
            reason=REFUSED,
        )


def _symmetric(kit: Kit) -> Iterator[Case]:
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    key_pem = kit.key.public_key().public_bytes(serialization.Encoding.PEM, form)
    secrets = {
        "leaf-key-pem": ("the leaf's public key in PEM", key_pem),
        "leaf-key-der": ("the leaf's public key in DER", public_info(kit.key)),
        "leaf-certificate-der": ("the leaf's certificate in DER", kit.good.leaf),
        "leaf-certificate-pem": ("the leaf's certificate in PEM", pem(kit.good.leaf).encode()),
        "root-certificate-pem": ("the configured root in PEM", kit.good.root_pem.encode()),
        "empty": ("an empty secret", b""),
    }
    for name, (words, secret) in secrets.items():
        yield Case(
            AREA,
            f"hs256-secret-{name}",
            f"HS256 with {words} as the secret: everybody knows it, so everybody could sign.",
            jws.with_signature(
                kit.head(alg="HS256"), TRANSACTION, lambda text, secret=secret: jws.hmac_signature(secret, text)
            ),
            reason=REFUSED,
        )
    for digest in ["sha384", "sha512"]:
        algorithm = "HS" + digest[3:]
        yield Case(
            AREA,
            f"{algorithm.lower()}-secret-leaf-key-pem",
            f"{algorithm} with the leaf's public key in PEM as the secret.",
            jws.with_signature(
                kit.head(alg=algorithm),
                TRANSACTION,
                lambda text, digest=digest: jws.hmac_signature(key_pem, text, digest),
            ),
            reason=REFUSED,
        )
    yield Case(
        AREA,
        "es256-with-hmac-signature",
        "The header says ES256; the signature is an HMAC with the leaf's public key, twice, to be 64 bytes long.",
        jws.with_signature(kit.head(), TRANSACTION, lambda text: jws.hmac_signature(key_pem, text) * 2),
        reason="signature_invalid",
    )


def _other_keys(kit: Kit) -> Iterator[Case]:
    p384, p521, koblitz = (ec.generate_private_key(curve()) for curve in (ec.SECP384R1, ec.SECP521R1, ec.SECP256K1))
    brainpool = ec.generate_private_key(ec.BrainpoolP256R1())
    rsa_key, edwards = rsa.generate_private_key(65537, 2048), ed25519.Ed25519PrivateKey.generate()
    signers = {
        "es384": (p384, "ES384", lambda text: jws.sign_raw(p384, text, hashes.SHA384())),
        "es512": (p521, "ES512", lambda text: jws.sign_raw(p521, text, hashes.SHA512())),
        "es256k": (koblitz, "ES256K", lambda text: jws.sign_raw(koblitz, text)),
        "eddsa": (edwards, "EdDSA", edwards.sign),
        "rs256": (rsa_key, "RS256", lambda text: sign(rsa_key, "sha256", text)),
        "ps256": (rsa_key, "PS256", lambda text: _pss(rsa_key, text)),
        "es256-leaf-p384": (p384, "ES256", lambda text: jws.sign_raw(p384, text)),
        "es256-leaf-p521": (p521, "ES256", lambda text: jws.sign_raw(p521, text)),
        "es256-leaf-secp256k1": (koblitz, "ES256", lambda text: jws.sign_raw(koblitz, text)),
        "es256-leaf-brainpool": (brainpool, "ES256", lambda text: jws.sign_raw(brainpool, text)),
        "es256-leaf-rsa": (rsa_key, "ES256", lambda text: sign(rsa_key, "sha256", text)),
        "es256-leaf-ed25519": (edwards, "ES256", edwards.sign),
    }
    for name, (key, algorithm, make) in signers.items():
        head = jws.header([kit.good.leaf_with_key(key), kit.good.intermediate, kit.good.root], alg=algorithm)
        yield Case(
            AREA,
            name,
            f"`alg` is {algorithm} and the signature is good, by the key of a leaf that the trusted authority issued"
            f" ({_kind(key)}). The App Store signs with P-256 keys only.",
            jws.with_signature(head, TRANSACTION, make),
            reason=REFUSED,
            also=("certificate_malformed",) if key in (koblitz, brainpool) else (),
        )
    yield Case(
        AREA,
        "es384-leaf-p256",
        "`alg` is ES384 with a P-256 key and SHA-384: neither ES256 nor ES384.",
        jws.with_signature(
            kit.head(alg="ES384"), TRANSACTION, lambda text: jws.sign_raw(kit.key, text, hashes.SHA384())
        ),
        reason=REFUSED,
    )


def _spellings(kit: Kit) -> Iterator[Case]:
    spellings = {
        "lower-case": "es256",
        "trailing-space": "ES256 ",
        "trailing-nul": "ES256\0",
        "full-width": "ＥＳ２５６",
        "empty": "",
    }
    for name, spelling in spellings.items():
        yield Case(
            AREA,
            f"es256-{name}",
            f"`alg` is {spelling!r}, not exactly `ES256`; the signature is good.",
            kit.sign(TRANSACTION, alg=spelling),
            reason=REFUSED,
        )
    for name, value in {"null": None, "number": 256, "list": ["ES256"], "object": {"name": "ES256"}}.items():
        yield Case(
            AREA,
            f"alg-is-{name}",
            f"`alg` is a {name} instead of a text; the signature is good.",
            kit.sign(TRANSACTION, alg=value),
            reason="malformed_jws",
            also=(REFUSED,),
        )
    yield Case(
        AREA,
        "alg-missing",
        "The header has no `alg`; the signature is good.",
        kit.sign(TRANSACTION, alg=...),
        reason="malformed_jws",
        also=(REFUSED,),
    )


def _pss(key: rsa.RSAPrivateKey, message: bytes) -> bytes:
    return key.sign(message, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())


def _kind(key) -> str:
    if isinstance(key, rsa.RSAPrivateKey):
        return "RSA of 2048 bits"
    return key.curve.name if isinstance(key, ec.EllipticCurvePrivateKey) else "Ed25519"
