"""What a case is, and what all of them share."""

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import jws
import payloads
from authority import APPLE_LIKE_NAMES, Authority, Keys

APPLE_ROOT = Path(__file__).parent / "apple-root-ca-g3.pem"


@dataclass(frozen=True)
class Case:
    """One input with the verdict that it deserves."""

    area: str
    name: str
    description: str
    input: str
    kind: str = "transaction"
    reason: str | None = None  # None: the input is good
    also: tuple[str, ...] = ()
    notes: str | None = None
    trust: dict = field(default_factory=dict)

    def document(self, trust: dict) -> dict:
        expected = {"verdict": "refused" if self.reason else "verified"}
        if self.reason:
            expected["reason"] = self.reason
        if self.also:
            expected["alsoAccepted"] = list(self.also)
        document = {
            "name": self.name,
            "description": self.description,
            "kind": self.kind,
            "input": self.input,
            "trust": {key: value for key, value in {**trust, **self.trust}.items() if value is not ...},
            "expected": expected,
        }
        if self.notes:
            document["notes"] = self.notes
        return document

    def write(self, folder: Path, trust: dict) -> None:
        path = folder / self.area / f"{self.name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(self.document(trust), indent=2, ensure_ascii=False) + "\n")


def apple_root() -> str:
    """Apple Root CA - G3 in PEM, which Apple publishes and every verifier of App Store data has."""
    return APPLE_ROOT.read_text()


@dataclass(frozen=True)
class Kit:
    """The authorities of a run: the one that cases trust, one that nobody trusts, and theirs for receipts."""

    good: Authority = field(default_factory=Authority)
    receipts: Authority = field(default_factory=lambda: Authority(Keys.rsa(), digest="sha256"))

    @cached_property
    def foreign(self) -> Authority:
        """Another authority with the very same names and serial numbers."""
        return Authority(names=self.good.names)

    @cached_property
    def apple_like(self) -> Authority:
        return Authority(names=APPLE_LIKE_NAMES)

    @cached_property
    def trust(self) -> dict:
        """What a verifier is configured with unless a case says otherwise."""
        return {
            "roots": [self.good.root_pem],
            "bundleId": payloads.BUNDLE_ID,
            "appAppleId": payloads.APP_APPLE_ID,
            "environment": "Sandbox",
        }

    @cached_property
    def receipt_trust(self) -> dict:
        return {**self.trust, "roots": [self.receipts.root_pem]}

    @cached_property
    def apple_trust(self) -> dict:
        """The trust of a verifier for the real App Store."""
        return {"roots": [apple_root()]}

    @property
    def key(self):
        """The key that signs for the trusted authority."""
        return self.good.keys.leaf

    def head(self, **changes) -> dict:
        return jws.header(self.good.chain, **changes)

    def sign(self, payload, **changes) -> str:
        """A payload under the trusted chain."""
        return jws.compact(self.head(**changes), payload, self.key)

    def under(self, chain: list[bytes], key=None, payload=None) -> str:
        """A good transaction under another chain."""
        body = payloads.transaction() if payload is None else payload
        return jws.compact(jws.header(chain), body, key or self.key)
