"""API keys of the server: the commands of the page on keys, against a running server."""

import hashlib
import time

import pytest

from perennial_command import perennial
from subscription_server import SECRET_KEY
from test_server_process import start_server  # noqa: F401

# A server trusts a key for five seconds.
CACHE_SECONDS = 7
DAY_SECONDS = 86_400


def key_id(key):
    """The identifier of a key. Its last characters are four hexadecimal digits, which two keys can share."""
    return "key_" + hashlib.sha256(hashlib.sha256(key.encode()).digest()).digest()[:12].hex()


class Keys:
    """The commands on the database of a server."""

    def __init__(self, server, database):
        self.server = server
        self.discarded = 0
        self._hints = {SECRET_KEY[-4:]}
        app = server.get("/v1/app")
        self._target = (
            "--bundle-id", app["bundle_id"], "--environment", app["environment"], "--database", f"sqlite:{database}",
        )

    def run(self, command, *arguments):
        return perennial("keys", command, *arguments, *self._target)

    def succeed(self, command, *arguments):
        done = self.run(command, *arguments)
        assert done.status == 0, done
        return done.stdout

    def create(self, *arguments):
        """A new key that no other created key shares its last characters with."""
        while (key := self.succeed("create", *arguments).strip())[-4:] in self._hints:
            self.succeed("revoke", key)
            self.discarded += 1
        self._hints.add(key[-4:])
        return key

    def listed(self):
        """The lines of the table by the identifier of the key."""
        header, *lines = self.succeed("list").splitlines()
        assert "LAST USED" in header
        return {line.split()[1]: line for line in lines}

    def over_http(self, key):
        """The key as the API shows it."""
        return next(k for k in self.server.get("/v1/api_keys")["data"] if k["id"] == key_id(key))

    def status(self, key, method="GET", path="/v1/app", body=None):
        return self.server.call(method, path, body, key=key).status_code

    def wait_for_error(self, key, code):
        deadline = time.monotonic() + CACHE_SECONDS
        while True:
            # A request that was sent before the deadline may be answered later.
            sent = time.monotonic()
            answer = self.server.call("GET", "/v1/app", key=key)
            if answer.status_code != 200:
                break
            assert sent < deadline
            time.sleep(0.1)
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, code)


@pytest.fixture
def keys(start_store, start_server, tmp_path):  # noqa: F811
    return Keys(start_server(start_store()), tmp_path / "perennial.db")


def test_a_key_has_the_scope_and_the_lifetime_of_its_command(keys):
    grant = ("/v1/customers/u_1/grants", {"entitlement_id": "pro"})
    product = ("/v1/entitlements/x", {"product_ids": ["x"]})
    expected = {"read": (403, 403), "write": (200, 403), "operate": (200, 403), "admin": (200, 200)}
    for scope, statuses in expected.items():
        key = keys.create("--scope", scope, "--expires-in", "90", "--label", f"for {scope}")
        assert key.startswith("sk_")
        assert keys.status(key) == 200
        assert (keys.status(key, "POST", *grant), keys.status(key, "PUT", *product)) == statuses
        assert keys.status(key, path="/v1/api_keys") == (200 if scope == "admin" else 403)
        shown = keys.over_http(key)
        assert shown["scope"] == scope and shown["label"] == f"for {scope}"
        assert abs(shown["expires_at"] / 1000 - time.time() - 90 * DAY_SECONDS) < 60
        line = keys.listed()[key_id(key)]
        assert scope in line and f"for {scope}" in line and key not in line
    everything = keys.create()
    assert keys.over_http(everything)["scope"] == "admin" and keys.over_http(everything)["expires_at"] is None
    publishable = keys.create("--kind", "pk")
    assert publishable.startswith("pk_")
    assert keys.status(publishable) == 403
    assert keys.status(publishable, path="/v1/customers/u_1") == 200


def test_a_rotated_key_works_until_its_overlap_ends(keys):
    old = keys.create("--scope", "operate", "--expires-in", "30", "--label", "backend")
    assert keys.status(old) == 200
    done = keys.run("rotate", f"sk_…{old[-4:]}", "--overlap-hours", "48")
    assert done.status == 0, done
    new = done.stdout.strip()
    assert new.startswith("sk_") and new != old
    assert "with the scope operate is accepted until" in done.stderr and f"…{old[-4:]} is accepted until" in done.stderr
    assert (keys.status(old), keys.status(new)) == (200, 200)
    shown = keys.over_http(new)
    assert shown["scope"] == "operate" and shown["label"] == "backend"
    assert abs(shown["expires_at"] / 1000 - time.time() - 30 * DAY_SECONDS) < 60
    assert abs(keys.over_http(old)["expires_at"] / 1000 - time.time() - 2 * DAY_SECONDS) < 60
    again = keys.run("rotate", old)
    assert again.status != 0 and "key_already_rotated" in again.stderr
    # A key that leaked ends at once.
    last = keys.succeed("rotate", new, "--overlap-hours", "0").strip()
    keys.wait_for_error(new, "key_expired")
    assert keys.status(last) == 200 and keys.status(old) == 200


def test_a_revoked_key_is_unknown(keys):
    key, other = keys.create("--scope", "read"), keys.create("--scope", "read")
    assert keys.status(key) == 200
    assert keys.succeed("revoke", key) == f"revoked sk_…{key[-4:]}\n"
    keys.wait_for_error(key, "key_invalid")
    assert key_id(key) not in keys.listed() and key_id(other) in keys.listed()
    assert keys.status(other) == 200
    again = keys.run("revoke", key)
    assert again.status != 0 and "key_not_found" in again.stderr
    actions = [entry["action"] for entry in keys.server.get("/v1/audit_log")["data"]]
    discarded = keys.discarded * ["key.created", "key.revoked"]
    assert sorted(actions) == sorted(["key.created", "key.created", "key.revoked", *discarded])


@pytest.mark.parametrize(
    "arguments",
    [
        ("--scope", "root"), ("--expires-in", "0"), ("--expires-in", "3651"), ("--label", ""),
        ("--kind", "pk", "--scope", "read"),
    ],
)
def test_bad_options_make_no_key(keys, arguments):
    before = keys.listed()
    done = keys.run("create", *arguments)
    assert done.status == 64 and arguments[-2] in done.stderr
    assert keys.listed() == before
