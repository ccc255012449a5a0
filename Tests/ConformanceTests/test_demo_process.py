"""The demo as a process: killed, stopped by signals, and with closed output. Its programs always end with it."""

import json
import os
import re
import signal
import socket
import subprocess
import threading
import time

import pytest

from local_store import START_SECONDS_MAX, STOP_SECONDS_MAX, binary
from perennial_command import perennial

EXIT_SECONDS_MAX = 60
DEMO_SECONDS_MAX = 900


class Demo:
    """A running `perennial demo`. Its first lines are already read."""

    def __init__(self, tmp_path):
        # The folder for the temporary files of the demo and of its child processes.
        self.folder = tmp_path / "demo"
        self.folder.mkdir()
        self.process = subprocess.Popen(
            [str(binary()), "demo", "--port", "0", "--accounts", "1", "--months", "1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | {"TMPDIR": str(self.folder)},
        )
        watchdog = threading.Timer(START_SECONDS_MAX, self.process.kill)
        watchdog.start()
        self.lines = [self.process.stdout.readline() for _ in range(3)]
        watchdog.cancel()
        assert self.lines[0].startswith("local App Store  http://"), self.lines

    def children(self):
        return children_of(self.process.pid)

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
        status = self.process.wait(STOP_SECONDS_MAX)
        self.process.stdout.close()
        return status


def children_of(parent):
    """The child processes of a process. Call this before the parent ends, because they get another parent then."""
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True)
    return [int(line) for line in listed.stdout.split()]


def is_running(process):
    """Whether the process exists and is not a zombie."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True).stdout.strip()
    return bool(state) and not state.startswith("Z")


def assert_gone(processes):
    end = time.monotonic() + EXIT_SECONDS_MAX
    while (left := [p for p in processes if is_running(p)]) and time.monotonic() < end:
        time.sleep(0.05)
    for process in left:
        os.kill(process, signal.SIGKILL)
    assert left == []


@pytest.fixture
def demo(tmp_path):
    demo = Demo(tmp_path)
    yield demo
    demo.end()


def test_the_programs_of_a_killed_demo_end(demo):
    children = demo.children()
    assert len(children) == 2
    demo.process.send_signal(signal.SIGKILL)
    demo.process.wait(STOP_SECONDS_MAX)
    assert_gone(children)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_ends_the_demo_and_its_programs_and_removes_their_data(demo, number):
    children = demo.children()
    assert len(children) == 2
    demo.process.send_signal(number)
    assert demo.process.wait(STOP_SECONDS_MAX) == 0
    assert_gone(children)
    assert list(demo.folder.iterdir()) == []


def test_a_demo_whose_output_is_closed_ends_with_its_programs(demo):
    children = demo.children()
    assert len(children) == 2
    demo.process.stdout.close()
    assert demo.process.wait(STOP_SECONDS_MAX) == 0
    assert_gone(children)
    assert list(demo.folder.iterdir()) == []


def test_a_demo_piped_into_head_ends(tmp_path):
    command = f"'{binary()}' demo --port 0 --accounts 1 --months 1 2>&1 | head -1"
    ended = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        capture_output=True, text=True, timeout=START_SECONDS_MAX, env=os.environ | {"TMPDIR": str(tmp_path)},
    )
    assert ended.returncode == 0, ended
    assert len(ended.stdout.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_signal_during_startup_leaves_nothing_behind(tmp_path):
    for pause in (0, 0.02, 0.05, 0.1, 0.2, 0.4):
        demo = subprocess.Popen(
            [str(binary()), "demo", "--port", "0"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | {"TMPDIR": str(tmp_path)},
        )
        time.sleep(pause)
        children = children_of(demo.pid)
        demo.send_signal(signal.SIGTERM)
        demo.wait(STOP_SECONDS_MAX)
        assert_gone(children)
        assert list(tmp_path.iterdir()) == []


def test_an_error_at_startup_is_one_line_after_the_log(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = subprocess.run(
            [str(binary()), "demo", "--once", "--json", "--port", str(port)],
            capture_output=True, text=True, timeout=START_SECONDS_MAX, env=os.environ | {"TMPDIR": str(tmp_path)},
        )
    assert ended.returncode == 1 and ended.stdout == ""
    *log, error = ended.stderr.splitlines()
    assert error.startswith("error: demo_program_ended: ")
    assert "port_in_use" in "\n".join(log)
    assert list(tmp_path.iterdir()) == []


def assert_campaigns(report):
    """The outage week has an order for one product, and single calls for another. Each member has a result."""
    mass, single = report["campaigns"]
    assert (mass["method"], single["method"]) == ("mass", "single")
    assert mass["product_ids"] != single["product_ids"]
    for campaign in (mass, single):
        assert campaign["members"] == campaign["extended"] + campaign["refused"] + campaign["unknown"], campaign
        assert campaign["extended"] >= 1 and campaign["hours"] >= 1, campaign
        assert campaign["extended_alone"] <= campaign["unknown"], campaign
    assert mass["extended_by_order"] >= 1 and single["extended_by_order"] == 0
    # Apple's order extends nobody beyond the limit, and neither does the call that follows.
    assert mass["refused"] >= mass["failures"], mass
    return mass, single


def assert_webhooks(report):
    """A receiver that failed a third of the time has the whole feed; order and contents count as disagreements."""
    webhooks = report["webhooks"]
    assert webhooks["received"] == webhooks["events"] > 0, webhooks
    # Half as many as events on average; less than a tenth is less likely than once in a billion runs.
    assert webhooks["failures"] > webhooks["events"] // 10, webhooks


def test_the_outage_week_extends_who_is_subscribed_and_asks_anew_for_lost_answers():
    completed = subprocess.run(
        [binary(), "demo", "--once", "--json", "--accounts", "150", "--months", "3", "--seed", "11"],
        capture_output=True, text=True, timeout=DEMO_SECONDS_MAX,
    )
    assert completed.returncode == 0, completed.stderr
    report = json.loads(completed.stdout)
    assert report["disagreements"] == 0 and "faults" not in report
    assert_webhooks(report)
    mass, single = assert_campaigns(report)
    # About one in ten fails.
    for campaign in (mass, single):
        assert campaign["members"] >= 5 and campaign["hours"] <= 24, campaign
        assert 1 <= campaign["failures"] <= campaign["members"] // 10 + 1, campaign
    # A third of the failed calls had no effect and no answer. The others were repeated, or their effect was found.
    assert single["unknown"] == single["extended_alone"] == (single["failures"] + 2) // 3, single
    assert "outage week: " in completed.stderr


@pytest.mark.parametrize("accounts", ["1", "5"])
def test_a_demo_of_few_customers_has_as_many_campaigns_as_it_can(accounts):
    completed = subprocess.run(
        [binary(), "demo", "--once", "--json", "--accounts", accounts, "--months", "1"],
        capture_output=True, text=True, timeout=DEMO_SECONDS_MAX,
    )
    assert completed.returncode == 0, completed.stderr
    report = json.loads(completed.stdout)
    assert report["disagreements"] == 0 and len(report["campaigns"]) <= 2
    assert all(campaign["members"] >= 1 for campaign in report["campaigns"]), report


def test_with_every_fault_nothing_is_missing_and_nothing_differs():
    completed = subprocess.run(
        [binary(), "demo", "--once", "--json", "--faults", "--accounts", "60", "--months", "4", "--seed", "3"],
        capture_output=True, text=True, timeout=DEMO_SECONDS_MAX,
    )
    assert completed.returncode == 0, completed.stderr
    report = json.loads(completed.stdout)
    assert report["notifications"]["missing"] == 0 and report["disagreements"] == 0 and report["compared"] > 0
    window = report["recovery_window"]
    assert (window["state"], window["sent"], window["refused"], window["missing"]) == (
        "finished", window["held"] + window["recovered"], 0, 0
    )
    assert window["sent"] > 0
    assert_webhooks(report)
    mass, _ = assert_campaigns(report)
    assert mass["failures"] >= 1, mass
    occurred = {fault for fault, count in report["faults"].items() if count > 0}
    assert {"drop", "truncate", "reset", "status", "delay", "reorder", "duplicate"} <= occurred, report["faults"]


@pytest.mark.parametrize("faults", [[], ["--faults"]], ids=["without faults", "with every fault"])
def test_with_renewals_a_day_early_nothing_is_missing_and_nothing_differs(faults):
    completed = subprocess.run(
        [
            binary(), "demo", "--once", "--json", "--accounts", "60", "--months", "4", "--seed", "9",
            "--renewal-lead", "86400", *faults,
        ],
        capture_output=True, text=True, timeout=DEMO_SECONDS_MAX,
    )
    assert completed.returncode == 0, completed.stderr
    report = json.loads(completed.stdout)
    assert report["notifications"]["missing"] == 0 and report["disagreements"] == 0, completed.stderr
    assert report["compared"] > 100 and report["campaigns"]
    assert_webhooks(report)


def test_after_every_fault_a_rebuild_finds_nothing(tmp_path):
    database = f"sqlite:{tmp_path / 'demo.db'}"
    completed = subprocess.run(
        [
            binary(), "demo", "--once", "--json", "--faults", "--accounts", "30", "--months", "3", "--seed", "5",
            "--database", database,
        ],
        capture_output=True, text=True, timeout=DEMO_SECONDS_MAX,
    )
    assert completed.returncode == 0, completed.stderr
    occurred = {fault for fault, count in json.loads(completed.stdout)["faults"].items() if count > 0}
    assert {"drop", "truncate", "reset", "status", "delay", "reorder", "duplicate"} <= occurred, completed.stdout
    ended = perennial("rebuild", "--verify", "--json", "--database", database)
    assert ended.status == 0, ended
    counts = ended.json
    assert counts["differences"] == 0 and counts["purchases"] >= 20 and counts["facts"] > counts["inputs"] > 60


def test_a_year_has_no_empty_month_and_ends_with_one_customer_of_each_kind(tmp_path):
    """Checks the printed text, and runs the commands that the demo suggests."""
    log = tmp_path / "progress.txt"
    with open(log, "wb") as progress:
        demo = subprocess.Popen(
            [str(binary()), "demo", "--port", "0"], stdout=subprocess.PIPE, stderr=progress, text=True,
            env=os.environ | {"TMPDIR": str(tmp_path)},
        )
        watchdog = threading.Timer(DEMO_SECONDS_MAX, demo.kill)
        watchdog.start()
        shown = []
        while not (shown and shown[-1].startswith("Ctrl-C")):
            line = demo.stdout.readline()
            assert line, log.read_text()
            shown.append(line)
        watchdog.cancel()
    try:
        text = "".join(shown)
        months = re.findall(r"^month (\d+): (\d+) customers, (\d+) with access, (\d+) disagreements$",
                            log.read_text(), flags=re.MULTILINE)
        assert [int(month) for month, *_ in months] == list(range(1, 13))
        assert all(int(customers) > 0 and int(wrong) == 0 for _, customers, _, wrong in months)
        assert "0 disagreements\n(a disagreement is " in text
        assert re.search(r"^outage week: [\w.]+ by one order: [1-9]\d* members, [1-9]\d* extended, ", text, re.M), text
        assert re.search(r"^the server's report of the last weeks: [1-9]\d* sent, .* 0 refused, 0 missing$", text, re.M)
        received, events, failures = map(int, re.search(
            r"^webhooks: (\d+) of (\d+) events received, by a receiver that failed (\d+) times; \d+ arrived again$",
            text, flags=re.MULTILINE,
        ).groups())
        assert received == events > 100 and failures > events // 10, text
        for kind, sentence in {
            "active": r"pro\.monthly  access; renews on \d+ \w+ 2027 for ¥1,500",
            "trial": r"pro\.monthly  access: a free trial until ",
            "grace": r"pro\.monthly  access until .*, a grace period: .* Apple keeps trying",
            "retry": r"pro\.weekly  no access: the renewal of .* failed, and Apple keeps trying",
            "refunded": r"pro\.monthly  no access: it was refunded",
            "family": r"pro\.yearly  access until .*, shared by a family member",
            "lapsed": r"pro\.monthly  no access: it ended on ",
        }.items():
            assert re.search(rf"^  u_{kind} +{sentence}", text, flags=re.MULTILINE), text
        commands = [line.strip() for line in shown if line.strip().startswith("curl ")]
        assert any("explain=true" in command for command in commands)
        assert any(command.endswith("/timeline") for command in commands)
        for command in commands:
            command = command.replace("curl", "curl -sS --fail-with-body", 1)
            completed = subprocess.run(
                ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, timeout=60
            )
            assert completed.returncode == 0, f"{command}\n{completed.stdout}{completed.stderr}"
            assert "/purchases " not in command or len(completed.stdout) < 100, "no signed text is printed"
    finally:
        demo.terminate()
        assert demo.wait(STOP_SECONDS_MAX) == 0
        demo.stdout.close()
