"""The commands of the README have the results that the README shows."""

import json
import re
import subprocess

import pytest

from local_store import LocalStore, REPOSITORY, binary
from subscription_server import SECRET_KEY, SubscriptionServer

SECTION = "## Five minutes to the first entitlement"
README_KEY = "sk_for_development_only"
README_STORE = "http://127.0.0.1:8081"
README_SERVER = "http://127.0.0.1:8080"


def blocks():
    """The section's fenced blocks, as (language, text), in order."""
    readme = (REPOSITORY / "README.md").read_text()
    section = readme.split(SECTION)[1].split("\n## ")[0]
    return re.findall(r"^```(\w*)\n(.*?)^```$", section, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture
def run_block(tmp_path):
    """Runs a block with the ports and the key of the test. Returns the output of the last command."""
    store = LocalStore(tmp_path / "store.log", environment="production")
    server = None
    try:
        server = SubscriptionServer(tmp_path / "serve.log", store.url, tmp_path / "try.db")

        def run(block):
            script = block.replace(README_STORE, store.url).replace(README_SERVER, server.url)
            script = script.replace(README_KEY, SECRET_KEY)
            commands = re.split(r"\n\n", script.strip())
            for command in commands:
                done = subprocess.run(
                    ["bash", "-o", "pipefail", "-c",
                     command.replace("curl ", "curl --silent --show-error --fail-with-body ", 1)],
                    capture_output=True, text=True, timeout=120,
                )
                assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
            return done.stdout

        yield run
    finally:
        if server is not None:
            server.stop()
        store.stop()


def test_the_commands_of_the_readme_have_the_documented_results(run_block):
    """Runs every curl command of the section in order: purchase, advance, declined card, valid card, refund."""
    curls = [text for language, text in blocks() if language == "" and text.lstrip().startswith("curl")]
    documented = json.loads(next(text for language, text in blocks() if language == "json"))
    assert len(curls) == 6, "the section has other commands than this test knows: say here what they must show"

    assert run_block(curls[0]) == '"transactionId":"2000000000000001"\n', "short enough to be read"
    answer = json.loads(run_block(curls[1]))
    assert answer.keys() == documented.keys()
    pro, documented_pro = answer["entitlements"]["pro"], documented["entitlements"]["pro"]
    assert pro.keys() == documented_pro.keys()
    assert {**pro, "expires_at": 0} == {**documented_pro, "expires_at": 0}
    week = 7 * 86_400_000
    assert pro["expires_at"] - answer["evaluated_at"] == week
    assert documented_pro["expires_at"] - documented["evaluated_at"] == week

    assert json.loads(run_block(curls[2]))["now"] > answer["evaluated_at"]

    def state(text):
        customer = json.loads(text)
        [subscription] = customer["subscriptions"]
        return subscription["status"], customer["entitlements"]["pro"]["active"]

    assert state(run_block(curls[3])) == ("in_billing_retry", False)
    assert state(run_block(curls[4])) == ("active", True)
    assert state(run_block(curls[5])) == ("revoked", False)

    listen = next(text for _, text in blocks() if "webhooks listen" in text)
    shown = next(text for _, text in blocks() if text.startswith("subscription.started"))
    assert run_block(listen.replace(".build/release/perennial", str(binary()))) == shown
