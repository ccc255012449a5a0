"""The audit log of a real server: its chain, checked by the program and by the script of its page."""

import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from perennial_command import perennial
from test_server_process import start_server  # noqa: F401

PAGE = Path(__file__).parents[2] / "Documentation" / "reference" / "audit-log.md"


@pytest.fixture
def logged(start_store, start_server, tmp_path):  # noqa: F811
    """The database of a server after some changes by an operator, one of them an erasure."""
    database = tmp_path / "audited.db"
    server = start_server(start_store(), database)
    for number in range(6):
        grant = {"entitlement_id": "pro", "reason": f"número {number} ✓"}
        assert server.call("POST", f"/v1/customers/u_{number % 2}/grants", grant).status_code == 200
    assert server.call("DELETE", "/v1/customers/u_1").status_code == 200
    assert server.call("PATCH", "/v1/app", {"transfer_policy": "share"}).status_code == 200
    server.stop()
    return database


def export(database):
    done = perennial("audit", "export", "--database", f"sqlite:{database}")
    assert done.status == 0, done
    return done.stdout.splitlines()


def verify(*arguments, stdin=""):
    done = perennial("audit", "verify", *arguments, "--json", stdin=stdin)
    assert done.status in (0, 1), done
    assert done.json["verified"] == (done.status == 0)
    return done.json["apps"]


def findings(lines):
    [app] = verify("-", stdin="".join(line + "\n" for line in lines))
    return [(finding["code"], finding["sequence"]) for finding in app["findings"]]


def script(lines):
    """The script of the page."""
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", code], input="".join(line + "\n" for line in lines), capture_output=True, text=True
    )
    return done.returncode, done.stdout


def test_holds_in_the_database_in_a_file_and_for_another_program(logged):
    lines = export(logged)
    assert [json.loads(line)["sequence"] for line in lines] == list(range(1, 9))
    assert "u_1" not in "".join(lines) and "u_0" in "".join(lines)
    [app] = verify("--database", f"sqlite:{logged}")
    assert app["checked"] == 8 and app["erased"] == 3 and app["findings"] == []
    assert findings(lines) == []
    status, output = script(lines)
    assert status == 0 and "8" in output
    text = perennial("audit", "verify", "--database", f"sqlite:{logged}")
    assert text.status == 0
    assert f"head {app['head']}" in text.stdout


def test_a_changed_missing_or_swapped_line_is_found(logged):
    lines = export(logged)
    for index in range(len(lines)):
        entry = json.loads(lines[index])
        for name in ("actor", "action", "occurred_at", "request_id", "digest", "previous_digest", "content_digest"):
            value = entry[name]
            changed = entry | {name: value + 1 if isinstance(value, int) else "1" * 64 if "digest" in name else "x"}
            bad = [*lines[:index], json.dumps(changed, ensure_ascii=False, separators=(",", ":")), *lines[index + 1 :]]
            assert ("entry_changed", index + 1) in findings(bad), name
            assert script(bad)[0] != 0
        if index < len(lines) - 1:
            missing = [*lines[:index], *lines[index + 1 :]]
            # Without the entry of the erasure, the emptied entries before it have no reason either.
            emptied = {("entry_emptied", number) for number in (2, 4, 6)} if index == 6 else set()
            assert set(findings(missing)) == {("entries_missing", index + 1)} | emptied
            swapped = [*lines[:index], lines[index + 1], lines[index], *lines[index + 2 :]]
            assert findings(swapped) == [("entry_misplaced", index + 1)]
            assert script(missing)[0] != 0 and script(swapped)[0] != 0
    assert findings([*lines, lines[2]]) == [("entry_repeated", 3)]


def test_a_missing_end_of_a_file_is_found_with_a_noted_head_only(logged):
    *rest, last = export(logged)
    head = f"{len(rest) + 1}:{json.loads(last)['digest']}"
    cut = "".join(line + "\n" for line in rest)
    without = perennial("audit", "verify", "-", stdin=cut)
    assert without.status == 0
    assert "the file proves nothing about entries after this head" in without.stdout
    [app] = verify("-", "--head", head, stdin=cut)
    assert "entries_missing" in [finding["code"] for finding in app["findings"]]
    whole = perennial("audit", "verify", "-", "--head", head, stdin=cut + last + "\n")
    assert whole.status == 0
    assert "proves nothing" not in whole.stdout


def test_an_entry_that_no_erasure_emptied_is_found(logged):
    lines = export(logged)
    erasure = json.loads(lines[6])
    assert erasure["action"] == "customer.erased" and json.loads(erasure["after"]) == {"emptied": [2, 4, 6]}
    for index, action, target in ((0, "grant.created", "customer (erased)"), (7, "app.changed", "app")):
        entry = json.loads(lines[index])
        assert entry["action"] == action
        emptied = entry | {"target": target, "before": None, "after": None, "salt": None}
        bad = [*lines[:index], json.dumps(emptied, ensure_ascii=False), *lines[index + 1 :]]
        assert findings(bad) == [("entry_emptied", index + 1)]
        assert script(bad)[0] != 0
    # The same with rows of the database.
    with sqlite3.connect(logged) as database:
        database.execute(
            "UPDATE audit_entries SET target = 'customer (erased)', before = NULL, after = NULL, salt = NULL "
            "WHERE sequence = 1"
        )
    [app] = verify("--database", f"sqlite:{logged}")
    assert [(f["code"], f["sequence"]) for f in app["findings"]] == [("entry_emptied", 1)]


def test_a_log_without_links_is_named_and_foreign_text_is_escaped(logged):
    lines = [json.loads(line) for line in export(logged)]
    links = ("sequence", "salt", "content_digest", "previous_digest", "digest")
    unlinked = [json.dumps(entry | dict.fromkeys(links)) for entry in lines]
    # Only a version with the chain writes which entries an erasure emptied.
    [app] = verify("-", stdin="".join(line + "\n" for line in unlinked))
    assert app["unlinked"] and app["checked"] == 0 and app["before_chain"] == 8
    assert [finding["code"] for finding in app["findings"]] == ["entry_unlinked"]
    assert script(unlinked)[0] != 0
    # So the erasure of an earlier version looked.
    unlinked[6] = json.dumps(lines[6] | dict.fromkeys((*links, "after")))
    [app] = verify("-", stdin="".join(line + "\n" for line in unlinked))
    assert app["unlinked"] and app["checked"] == 0 and app["before_chain"] == 8 and app["findings"] == []
    assert script(unlinked)[0] == 0
    text = perennial("audit", "verify", "-", stdin="".join(line + "\n" for line in unlinked))
    assert text.status == 0 and "warning: no entry is linked" in text.stdout
    escape = json.dumps(lines[-1] | dict.fromkeys(links) | {"id": "aud_\x1b[2J\n0 findings"})
    text = perennial("audit", "verify", "-", stdin="\n".join([*map(json.dumps, lines), escape, ""]))
    assert text.status == 1 and "entry_added" in text.stdout
    assert "\x1b" not in text.stdout and "\\u001b[2J\\u000a0 findings" in text.stdout


def test_a_changed_or_removed_row_is_found(logged):
    [app] = verify("--database", f"sqlite:{logged}")
    with sqlite3.connect(logged) as database:
        database.execute("UPDATE audit_entries SET actor = 'nobody' WHERE sequence = 2")
    [changed] = verify("--database", f"sqlite:{logged}")
    assert [(f["code"], f["sequence"]) for f in changed["findings"]] == [("entry_changed", 2)]
    with sqlite3.connect(logged) as database:
        database.execute("DELETE FROM audit_entries WHERE sequence >= 7")
    [shorter] = verify("--database", f"sqlite:{logged}")
    assert ("entries_missing", 6) in [(f["code"], f["sequence"]) for f in shorter["findings"]]
    # Somebody who also moves the head is found by one that was noted elsewhere.
    with sqlite3.connect(logged) as database:
        database.execute(
            "UPDATE audit_heads SET sequence = 6, digest = (SELECT digest FROM audit_entries WHERE sequence = 6)"
        )
        database.execute("UPDATE audit_entries SET actor = actor WHERE sequence = 2")
    own = ["--database", f"sqlite:{logged}", "--bundle-id", "com.example.app", "--environment", "sandbox"]
    bundle, environment = app["app_id"].rsplit("/", 1)
    own[3], own[5] = bundle, environment
    [noted] = verify(*own, "--head", app["head"])
    assert ("entries_missing", 6) in [(f["code"], f["sequence"]) for f in noted["findings"]]


def test_a_part_is_checked_with_the_head_before_it(logged):
    lines = export(logged)
    third = json.loads(lines[2])
    part = "".join(line + "\n" for line in lines[3:])
    [app] = verify("-", "--after", f"3:{third['digest']}", stdin=part)
    assert app["findings"] == [] and app["checked"] == 5
    [without] = verify("-", stdin=part)
    assert [f["code"] for f in without["findings"]] == ["entries_missing"]


def test_bad_input_says_what_to_do(logged, tmp_path):
    lines = export(logged)
    cases = [
        (("-",), "x\n", "line 1 of standard input is not a line of perennial audit export"),
        (("-",), lines[0], "ends within line 1"),
        (("-",), "", "has no entries"),
        ((tmp_path / "missing",), "", "input_not_found"),
        (("--database", f"sqlite:{tmp_path / 'none.db'}"), "", "database_not_found"),
        (("--database", f"sqlite:{logged}", "--bundle-id", "com.other"), "", "app_not_configured"),
        (("--database", f"sqlite:{logged}", "--head", "1:00"), "", "head"),
        (("--after", "1:" + "0" * 64), "", "--after needs a file"),
    ]
    for arguments, stdin, text in cases:
        done = perennial("audit", "verify", *arguments, stdin=stdin)
        assert done.status != 0 and text in done.stderr, (arguments, done)
        assert str(Path.home()) not in done.stderr or "missing" in text
