"""The commands of the guide to extension campaigns print what the guide shows."""

import json
import os
import re
import subprocess

import pytest

from local_store import binary
from subscription_server import SubscriptionServer
from test_guides import blocks

GUIDE = "extension-campaigns.md"
CAMPAIGN = "perennial extend campaign"


class Terminal:
    """A shell that has the program, the address of the server, and the secret keys of the guide."""

    def __init__(self, folder, server, database):
        self._folder = folder
        self._names = {}
        self._variables = {name: value for name, value in os.environ.items() if not name.startswith("PERENNIAL_")}
        programs = folder / "programs"
        programs.mkdir()
        program = programs / "perennial"
        program.write_text(
            "#!/bin/bash\n"
            f"[ \"$1\" = keys ] && exec '{binary()}' \"$@\" --database 'sqlite:{database}'\n"
            f"exec '{binary()}' \"$@\" --server '{server.url}'\n"
        )
        program.chmod(0o755)
        self._variables |= {"TZ": "UTC", "PATH": f"{programs}:{os.environ['PATH']}"}

    def create_keys(self, commands, bundle):
        """Creates both keys with the commands of the guide, and uses the first one."""
        created = self.run("set -e\n" + commands.replace("com.example.app", bundle))
        assert created.returncode == 0, created
        self._variables["PERENNIAL_API_SECRET_KEY"] = (self._folder / "first.txt").read_text().strip()

    def replace(self, name, text):
        """Puts text in the place of a name of the guide from now on."""
        self._names[name] = text

    def run(self, command):
        return subprocess.run(
            ["bash", "-o", "pipefail", "-c", self.replaced(command)], capture_output=True, text=True, timeout=120,
            cwd=self._folder, env=self._variables,
        )

    def printed(self, command, *, status=0):
        """What a command prints."""
        ended = self.run(command)
        assert ended.returncode == status, ended
        return ended.stdout + ended.stderr

    def show(self, example, *, status=0):
        """Runs a command of the guide, and compares all that it prints with the guide."""
        command, documented = example
        printed = self.printed(command, status=status)
        expected = self.replaced(documented)
        assert re.fullmatch(form_of(expected), printed), f"{command}\n{printed}\nThe guide:\n{expected}"
        return printed

    def show_lines(self, example):
        """Runs a command of the guide, and expects the lines of the guide in order; it may print further lines."""
        command, documented = example
        printed = self.printed(command)
        rest = iter(printed.splitlines())
        for line in self.replaced(documented).splitlines():
            if line != "…":
                form = form_of_line(line)
                assert any(re.fullmatch(form, other) for other in rest), f"{command}: no {line!r} in\n{printed}"
        return printed

    def replaced(self, text):
        """Text of the guide with the names that it has here."""
        for name, other in self._names.items():
            text = text.replace(name, other)
        return text


def form_of_line(line):
    """A line of the guide, in which `…` stands for some text."""
    return ".+".join(re.escape(part) for part in line.split("…"))


def form_of(documented):
    """An output of the guide, in which a line `…` stands for some lines."""
    lines = documented.removesuffix("\n").split("\n")
    return "".join("(?:.*\n)+" if line == "…" else form_of_line(line) + "\n" for line in lines)


def examples(text):
    """The commands with a prompt and their outputs, in order."""
    found = []
    for block in text:
        if command := re.match(r"\$ ((?:.*\\\n)*.*)\n", block):
            found.append((command.group(1), block[command.end():]))
    return found


@pytest.fixture
def outage(start_store, tmp_path):
    """A store at the time of the guide, a server that follows it, and an operator with both keys."""
    store = start_store(environment="production", now="2026-11-22T09:00:00Z")
    store.put("settings", {"rateLimits": "off"})
    database = tmp_path / "perennial.db"
    server = SubscriptionServer(tmp_path / "serve.log", store.url, database)
    terminal = Terminal(tmp_path, server, database)
    [keys] = [text for text in blocks(GUIDE) if text.startswith("perennial keys create")]
    terminal.create_keys(keys, server.get("/v1/app")["bundle_id"])
    yield store, terminal
    server.stop()


def subscribe(store, count, product, storefront="USA"):
    return [store.buy(store.new_account(storefront), product)["originalTransactionId"] for _ in range(count)]


def advance_half_hours(store, count):
    for _ in range(count):
        store.advance("PT30M")


def test_each_command_of_the_guide_prints_what_it_shows(outage):
    store, terminal = outage
    subscribe(store, 40, "pro.weekly")
    subscribe(store, 8, "pro.weekly", "DEU")
    subscribe(store, 3, "pro.monthly")
    store.advance("PT1M")
    shown = examples(blocks(GUIDE))
    assert all(command.startswith(f"{CAMPAIGN} ") for command, _ in shown)
    draft, window, dry_run, own, start, half, report, *follow_up = shown
    assert len(follow_up) == 2

    name = re.search(r"xc_[0-9a-f]+", draft[1]).group()
    # The draft of the guide, with the id of this one.
    printed = terminal.printed(draft[0])
    terminal.replace(name, re.search(r"xc_[0-9a-f]+", printed).group())
    assert printed == terminal.replaced(draft[1])
    terminal.show(window)
    terminal.show(dry_run)
    terminal.show(own, status=1)
    [approve] = [text.strip() for text in blocks(GUIDE) if text.startswith(f"{CAMPAIGN} approve")]
    assert terminal.printed(approve).startswith(terminal.replaced(f"Campaign {name}: approved\n"))
    terminal.show(start)
    advance_half_hours(store, 4)
    terminal.show(half)
    advance_half_hours(store, 3)
    terminal.show_lines(report)
    [header, first] = [text for text in blocks(GUIDE) if text.startswith("subscription_id,")][0].splitlines()
    printed = terminal.printed(f"{report[0]} --csv").splitlines()
    assert printed[:2] == [header, first] and len(printed) == 49
    # The CSV that the page names in a sentence.
    candidates = terminal.printed(f"{CAMPAIGN} candidates {name}").splitlines()
    assert len(candidates) == 52 and sum("extension_free_period" in line for line in candidates) == 3, candidates


def test_the_follow_up_of_the_guide_finds_the_lost_answer(outage):
    store, terminal = outage
    members = subscribe(store, 13, "pro.weekly")
    store.advance("PT1M")
    drafted = terminal.printed(
        f"{CAMPAIGN} draft --product pro.weekly --days 10 --reason outage --method single --json"
    )
    campaign = json.loads(drafted)["id"]
    terminal.printed(f"{CAMPAIGN} dry-run {campaign}")
    terminal.printed(f"{CAMPAIGN} approve {campaign} --key-file second.txt")
    # Apple refunds one member, and the server does not know it: Apple refuses its extension.
    unknown = [{"fault": "drop", "notificationType": "REFUND"}]
    store.put("faults", {"deliveries": unknown})
    store.refund(members[-1])
    lost = {"fault": "server_error", "retryable": True, "endpoint": "extendSubscriptionRenewalDate", "count": 1}
    store.put("faults", {"api": [lost], "deliveries": unknown})
    assert "in doubt: 1\n" in terminal.printed(f"{CAMPAIGN} start {campaign}", status=1)
    store.put("faults", {})
    advance_half_hours(store, 3)
    report, rest = examples(blocks(GUIDE))[-2:]
    terminal.replace("xc_…", campaign)
    terminal.show_lines(report)
    [subscription] = [row.split(",")[0] for row in terminal.show(rest).splitlines() if ",unknown," in row]

    [alone] = [text for text in blocks(GUIDE) if text.startswith("perennial extend one")]
    terminal.replace("SUBSCRIPTION_ID", subscription)
    dry_run, extend = alone.strip().splitlines()
    explained = terminal.printed(dry_run)
    assert "unknown (extension_unconfirmed)" in explained, explained
    # The new end of the period, and the one before.
    extended = terminal.printed(extend)
    assert "the period ends 2026-12-09 09:00 GMT instead of 2026-11-29 09:00 GMT" in extended, extended
