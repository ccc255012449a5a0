"""What a header may carry beside algorithm and chain: hints to follow, demands, duplicates, other forms."""

import json
from collections.abc import Iterator

import jws
import payloads
from case import Case, Kit
from cryptography.hazmat.primitives.asymmetric import ec

AREA = "header"
MALFORMED = "malformed_jws"
TRANSACTION = payloads.transaction()
IGNORED = "An unknown or unneeded member of the header is ignored (RFC 7515, section 4); the chain alone decides."


def cases(kit: Kit) -> Iterator[Case]:
    yield from _harmless(kit)
    yield from _hints(kit)
    yield from _demands(kit)
    yield from _chains_of_other_types(kit)
    yield from _duplicates(kit)
    yield from _other_json(kit)
    yield from _other_forms(kit)


def _harmless(kit: Kit) -> Iterator[Case]:
    members = {
        "typ": ("`typ` is `JWT`, as many libraries write", {"typ": "JWT"}),
        "kid": ("a `kid` names a key", {"kid": "Apple_Xcode_Key"}),
        "kid-path": ("`kid` is a path, for verifiers that read key files", {"kid": "../../../../dev/null"}),
        "kid-query": ("`kid` is an SQL fragment, for verifiers that look keys up", {"kid": "' OR '1'='1"}),
        "unknown-member": ("a member that nobody knows", {"apple": {"internal": [1, 2, 3]}}),
        "many-members": ("a hundred members that nobody knows", {f"x{number}": number for number in range(100)}),
        "zip": ("`zip`, which is for encryption and means nothing here", {"zip": "DEF"}),
        "cty": ("`cty` is `JWT`", {"cty": "JWT"}),
    }
    for name, (words, changes) in members.items():
        text = kit.sign(TRANSACTION, **changes)
        yield Case(AREA, f"control-{name}", f"A good transaction; the header has {words}.", text, notes=IGNORED)
    pretty = json.dumps(kit.head(), indent=2).encode()
    yield Case(
        AREA,
        "control-white-space",
        "A good transaction; the header's JSON is written over several lines.",
        jws.compact(pretty, TRANSACTION, kit.key),
    )
    reordered = {key: kit.head()[key] for key in ("x5c", "alg")}
    yield Case(
        AREA,
        "control-chain-first",
        "A good transaction; `x5c` stands before `alg`.",
        jws.compact(reordered, TRANSACTION, kit.key),
    )


def _public_jwk(key: ec.EllipticCurvePrivateKey) -> dict:
    numbers = key.public_key().public_numbers()
    x, y = (jws.base64url(number.to_bytes(32, "big")) for number in (numbers.x, numbers.y))
    return {"kty": "EC", "crv": "P-256", "x": x, "y": y}


def _hints(kit: Kit) -> Iterator[Case]:
    attacker = ec.generate_private_key(ec.SECP256R1())
    jwk = _public_jwk(attacker)
    hints = {
        "jwk": ("brings the attacker's key as `jwk`", {"jwk": jwk}),
        "jku": ("points to the attacker's keys by `jku`", {"jku": "https://attacker.example/keys.json"}),
        "x5u": ("points to the attacker's chain by `x5u`", {"x5u": "https://attacker.example/chain.pem"}),
    }
    for name, (words, changes) in hints.items():
        yield Case(
            AREA,
            f"{name}-attacker",
            f"The trusted chain is sent along, but the header {words}, which signed.",
            jws.compact(kit.head(**changes), TRANSACTION, attacker),
            reason="signature_invalid",
        )
    yield Case(
        AREA,
        "jwk-instead-of-chain",
        "No `x5c`; the header brings the attacker's key as `jwk`, which signed.",
        jws.compact({"alg": "ES256", "jwk": jwk}, TRANSACTION, attacker),
        reason="chain_length",
    )
    yield Case(
        AREA,
        "control-jwk-ignored",
        "A good transaction whose header has a stranger's key as `jwk`; the leaf of the chain signed.",
        kit.sign(TRANSACTION, jwk=jwk),
        notes=IGNORED,
    )
    yield Case(
        AREA,
        "thumbprint-only",
        "No `x5c`; only the SHA-256 thumbprint of the trusted leaf (`x5t#S256`). The trusted leaf signed.",
        kit.sign(TRANSACTION, x5c=..., **{"x5t#S256": jws.base64url(bytes(32))}),
        reason="chain_length",
    )


def _demands(kit: Kit) -> Iterator[Case]:
    refused = ("algorithm_not_supported", (MALFORMED,))
    demands = {
        "unknown": ("names a member that is there and that nobody knows", {"crit": ["x"], "x": True}),
        "absent": ("names a member that is not there", {"crit": ["x"]}),
        "exp": ("demands `exp`", {"crit": ["exp"], "exp": 1}),
        "b64": ("demands an unencoded payload (RFC 7797)", {"crit": ["b64"], "b64": False}),
        "empty": ("is an empty list, which RFC 7515 forbids", {"crit": []}),
        "text": ("is a text", {"crit": "alg"}),
        "null": ("is null", {"crit": None}),
    }
    for name, (words, changes) in demands.items():
        yield Case(
            AREA,
            f"crit-{name}",
            f"The header's `crit` {words}; the signature is good.",
            kit.sign(TRANSACTION, **changes),
            reason=refused[0],
            also=refused[1],
        )
    head = kit.head(crit=["b64"], b64=False)
    body = jws.compact_json(TRANSACTION).replace(b".", b"")
    prefix = jws.base64url(jws.compact_json(head)) + "."
    signature = jws.sign_raw(kit.key, prefix.encode() + body)
    yield Case(
        AREA,
        "b64-unencoded-payload",
        "RFC 7797 to the letter: the payload is not encoded, and signed as it stands.",
        f"{prefix}{body.decode()}.{jws.base64url(signature)}",
        reason="algorithm_not_supported",
        also=(MALFORMED,),
    )


def _chains_of_other_types(kit: Kit) -> Iterator[Case]:
    x5c = kit.head()["x5c"]
    values = {
        "missing": (..., "is missing", "chain_length", (MALFORMED,)),
        "empty": ([], "is an empty list", "chain_length", (MALFORMED,)),
        "null": (None, "is null", MALFORMED, ("chain_length",)),
        "text": (x5c[0], "is one text", MALFORMED, ("chain_length",)),
        "joined": (",".join(x5c), "is one text with commas", MALFORMED, ("chain_length",)),
        "object": ({"0": x5c[0], "1": x5c[1], "2": x5c[2]}, "is an object", MALFORMED, ("chain_length",)),
        "numbers": ([1, 2, 3], "is a list of numbers", MALFORMED, ("certificate_malformed",)),
        "nested": ([x5c], "is a list in a list", MALFORMED, ("chain_length",)),
        "nulls": ([x5c[0], None, x5c[2]], "has null as the intermediate", MALFORMED, ("certificate_malformed",)),
    }
    for name, (value, words, reason, also) in values.items():
        yield Case(
            AREA,
            f"x5c-{name}",
            f"`x5c` {words}; the trusted leaf signed.",
            kit.sign(TRANSACTION, x5c=value),
            reason=reason,
            also=also,
        )


def _duplicates(kit: Kit) -> Iterator[Case]:
    good = json.dumps(kit.head()["x5c"])
    bad = json.dumps(jws.header(kit.foreign.chain)["x5c"])
    twice = "Two readers may take different ones; nothing but a refusal is safe."
    texts = {
        "alg-none-first": (f'{{"alg":"none","alg":"ES256","x5c":{good}}}', kit.key),
        "alg-none-last": (f'{{"alg":"ES256","alg":"none","x5c":{good}}}', kit.key),
        "alg-escaped": (f'{{"\\u0061lg":"none","alg":"ES256","x5c":{good}}}', kit.key),
        "alg-same": (f'{{"alg":"ES256","alg":"ES256","x5c":{good}}}', kit.key),
        "x5c-good-first": (f'{{"alg":"ES256","x5c":{good},"x5c":{bad}}}', kit.foreign.keys.leaf),
        "x5c-good-last": (f'{{"alg":"ES256","x5c":{bad},"x5c":{good}}}', kit.key),
    }
    for name, (text, key) in texts.items():
        yield Case(
            AREA,
            f"duplicate-{name}",
            f"The header has a key twice ({name.replace('-', ' ')}). {twice}",
            jws.compact(text.encode(), TRANSACTION, key),
            reason=MALFORMED,
            also=("algorithm_not_supported",) if name.startswith("alg-none") else (),
        )


def _other_json(kit: Kit) -> Iterator[Case]:
    text = jws.compact_json(kit.head())
    texts = {
        "array": b"[" + text + b"]",
        "text": json.dumps(text.decode()).encode(),
        "number": b"7",
        "empty-object": b"{}",
        "cut-off": text[:-1],
        "trailing-brace": text + b"}",
        "trailing-object": text + b'{"alg":"none"}',
        "trailing-nul": text + b"\0",
        "byte-order-mark": b"\xef\xbb\xbf" + text,
        "utf-16": text.decode().encode("utf-16"),
        "comment": text[:-1] + b"/**/}",
        "single-quotes": text.replace(b'"', b"'"),
        "trailing-comma": text[:-1] + b",}",
        "invalid-utf8": text[:-1] + b',"x":"\xff\xfe"}',
        "nan": text[:-1] + b',"x":NaN}',
        "deep": text[:-1] + b',"x":' + b"[" * 5000 + b"]" * 5000 + b"}",
    }
    for name, header in texts.items():
        yield Case(
            AREA,
            f"json-{name}",
            f"The header is not the JSON object that it should be ({name.replace('-', ' ')}); the trusted leaf signed.",
            jws.compact(header, TRANSACTION, kit.key),
            reason=MALFORMED,
            also=("chain_length",) if name == "empty-object" else (),
        )


def _other_forms(kit: Kit) -> Iterator[Case]:
    good = kit.sign(TRANSACTION)
    head, body, signature = good.split(".")
    forms = {
        "empty": ("nothing at all", ""),
        "dots": ("two dots and nothing else", ".."),
        "two-segments": ("header and payload without a signature", f"{head}.{body}"),
        "no-signature": ("an empty signature", f"{head}.{body}."),
        "no-payload": ("a detached payload (RFC 7515, appendix F)", f"{head}..{signature}"),
        "four-segments": ("a fourth segment", f"{good}.{signature}"),
        "five-segments": ("five segments, as encrypted tokens have", f"{head}.{body}.{body}.{body}.{signature}"),
        "leading-dot": ("a dot in front", f".{good}"),
        "bearer": ("the word Bearer in front", f"Bearer {good}"),
        "listed": ("a JSON list with the text in it", json.dumps([good])),
        "flattened": (
            "the flattened JSON form of RFC 7515",
            json.dumps({"protected": head, "payload": body, "signature": signature}),
        ),
        "swapped": ("header and payload changed places", f"{body}.{head}.{signature}"),
    }
    for name, (words, text) in forms.items():
        yield Case(
            AREA,
            f"form-{name}",
            f"Not a compact JWS: {words}.",
            text,
            reason=MALFORMED,
            also=() if text else ("input_empty",),
        )
