"""Compact JWS, right and wrong."""

import base64
import hashlib
import hmac
import json

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

# The order of P-256's group.
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def standard(content: bytes) -> str:
    return base64.b64encode(content).decode()


def compact_json(value) -> bytes:
    """JSON as Apple writes it, without blanks; bytes are left as they are."""
    if isinstance(value, bytes):
        return value
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def header(chain: list[bytes], **changes) -> dict:
    """Apple's header: the algorithm and the chain. A member given as `...` is left out."""
    members = {"alg": "ES256", "x5c": [standard(item) for item in chain], **changes}
    return {key: value for key, value in members.items() if value is not ...}


def raw(r: int, s: int, size: int = 32) -> bytes:
    return r.to_bytes(size, "big") + s.to_bytes(size, "big")


def sign_raw(key, message: bytes, digest=None) -> bytes:
    """ECDSA as JWS wants it: r and s, each as long as the curve's numbers."""
    r, s = decode_dss_signature(key.sign(message, ec.ECDSA(digest or hashes.SHA256())))
    return raw(r, s, (key.curve.key_size + 7) // 8)


def hmac_signature(secret: bytes, message: bytes, digest: str = "sha256") -> bytes:
    return hmac.new(secret, message, getattr(hashlib, digest)).digest()


def signing_input(head, payload) -> str:
    return f"{base64url(compact_json(head))}.{base64url(compact_json(payload))}"


def compact(head, payload, key) -> str:
    """A JWS signed with ES256."""
    text = signing_input(head, payload)
    return f"{text}.{base64url(sign_raw(key, text.encode()))}"


def with_signature(head, payload, make) -> str:
    """A JWS whose signature is made by the case itself, from the bytes that are to be signed."""
    text = signing_input(head, payload)
    return f"{text}.{base64url(make(text.encode()))}"


def sign_text(text: str, key) -> str:
    """Signs whatever stands before the last dot."""
    return f"{text}.{base64url(sign_raw(key, text.encode()))}"
