#!/usr/bin/env python3
"""Runs the adversarial vectors through this project's program and Apple's Python library, and writes the scoreboard.

    .venv/bin/python scripts/adversarial-scoreboard.py [--program .build/debug/perennial] [--check]

Without --check it writes Documentation/reference/adversarial-scoreboard.md. With --check it compares what the program
says with what the vectors expect, and the written scoreboard with a fresh one; the exit status is 1 when anything
differs.
"""

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

from adversarial_judges import (
    REFUSED,
    VERIFIED,
    Judgement,
    identifier_by_apple,
    judge_by_apple,
    judge_by_program,
)

ROOT = Path(__file__).resolve().parent.parent
VECTORS = ROOT / "Fixtures" / "adversarial"
REMARKS = ROOT / "Fixtures" / "adversarial-remarks.json"
SCOREBOARD = ROOT / "Documentation" / "reference" / "adversarial-scoreboard.md"
COMMAND = ".venv/bin/python scripts/adversarial-scoreboard.py"


def load() -> list[tuple[str, dict]]:
    """All cases with their area, in the order of their names."""
    paths = sorted(VECTORS.glob("*/*.json"))
    return [(path.parent.name, json.loads(path.read_text())) for path in paths]


def judge_all(program: Path, cases: list[tuple[str, dict]]) -> list[Judgement]:
    """The program's verdicts; as many processes at once as there are processors."""
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda case: judge_by_program(program, case[1], Path(name)), cases))


def is_right(case: dict, judgement: Judgement) -> bool:
    return judgement.verdict == case["expected"]["verdict"]


def is_right_with_reason(case: dict, judgement: Judgement) -> bool:
    expected = case["expected"]
    reasons = [expected.get("reason"), *expected.get("alsoAccepted", [])]
    return is_right(case, judgement) and (judgement.verdict != REFUSED or judgement.reason in reasons)


def wrong(cases: list[tuple[str, dict]], ours: list[Judgement]) -> list[str]:
    """What the program does not judge as the vectors expect."""
    lines = []
    for (area, case), judgement in zip(cases, ours, strict=True):
        if not is_right_with_reason(case, judgement):
            lines.append(f"{area}/{case['name']}: expected {case['expected']}, got {judgement}")
    return lines


def table(cases, ours, apples) -> list[str]:
    """The totals of each area."""
    lines = [
        "| area | cases | good | bad | Perennial: right verdict | with a right reason | Apple: right verdict "
        "| accepts bad | refuses good | not offered |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    totals = Counter()
    for area in sorted({area for area, _ in cases}):
        row = Counter()
        for (own, case), our, apple in zip(cases, ours, apples, strict=True):
            if own != area:
                continue
            good = case["expected"]["verdict"] == VERIFIED
            row.update(cases=1, good=good, bad=not good)
            row.update(ours=is_right(case, our), reasons=is_right_with_reason(case, our))
            row.update(
                apple=apple is not None and is_right(case, apple),
                accepts=apple is not None and not good and apple.verdict == VERIFIED,
                refuses=apple is not None and good and apple.verdict == REFUSED,
                none=apple is None,
            )
        totals.update(row)
        lines.append(_row(area, row))
    return [*lines, _row("**all**", totals)]


def _row(name: str, row: Counter) -> str:
    keys = ["cases", "good", "bad", "ours", "reasons", "apple", "accepts", "refuses", "none"]
    return " | ".join([f"| {name}", *(str(row[key]) for key in keys)]) + " |"


def differences(cases, ours, apples, remarks: dict) -> list[str]:
    """Every case in which the two disagree, with the weight of it."""
    weights = {"fault": "Perennial does not do what the case expects.", **remarks["weights"]}
    groups: dict[str, list[str]] = {weight: [] for weight in weights}
    for (area, case), our, apple in zip(cases, ours, apples, strict=True):
        if apple is None or apple.verdict == our.verdict:
            continue
        key = f"{area}/{case['name']}"
        remark = remarks["cases"].get(key)
        if not is_right(case, our):
            remark = {"weight": "fault", "why": case["description"]}
        if remark is None:
            raise SystemExit(f"{key}: Perennial {our.verdict}, Apple {apple.verdict}; say why in {REMARKS.name}")
        apple_words = f"{apple.verdict}" + (f" ({apple.reason})" if apple.reason else "")
        groups[remark["weight"]].append(
            f"| [`{key}`](../../Fixtures/adversarial/{key}.json) | {our.reason or our.verdict} | {apple_words} "
            f"| {remark['why']} |"
        )
    lines = []
    for weight, rows in groups.items():
        if rows:
            lines += ["", f"### {weight.capitalize()} ({len(rows)})", "", weights[weight], ""]
            lines += ["| case | Perennial | Apple | why it matters, or not |", "| --- | --- | --- | --- |", *rows]
    return lines


def undocumented(cases, apples) -> int:
    return sum(1 for apple in apples if apple and apple.reason and "undocumented" in apple.reason)


def receipt_lines(cases) -> list[str]:
    """What Apple's ReceiptUtility does with the receipts, which is no verification and not counted as one."""
    answers = Counter(
        (case["expected"]["verdict"], identifier_by_apple(case)) for _, case in cases if case["kind"] == "receipt"
    )
    good = sum(count for (verdict, _), count in answers.items() if verdict == VERIFIED)
    bad = sum(count for (verdict, _), count in answers.items() if verdict == REFUSED)
    return [
        "Apple's library verifies no receipts: its `ReceiptUtility` only extracts a transaction identifier to ask the "
        "App Store with, and says so. It is therefore not counted above. For the record, of the "
        f"{good} good receipts it finds an identifier in {answers[VERIFIED, 'identifier']} and none in "
        f"{answers[VERIFIED, 'none']} (it holds none); of the {bad} bad ones it raises an error for "
        f"{answers[REFUSED, 'refused']}, finds nothing in {answers[REFUSED, 'none']}, and returns an identifier for "
        f"{answers[REFUSED, 'identifier']}, which is what it promises: the forged identifier is worth nothing by "
        "itself, as the answer to the call that follows is signed.",
    ]


def scoreboard(cases, ours, apples) -> str:
    remarks = json.loads(REMARKS.read_text())
    apple_version = version("app-store-server-library")
    lines = [
        "# Adversarial vectors: the scoreboard",
        "",
        f"Written by `{COMMAND}` from the cases in [`Fixtures/adversarial`](../../Fixtures/README.md); `make test` "
        "checks that it is still true. Perennial is judged through its command line (`perennial verify`, `perennial "
        f"receipt`), Apple's Python library {apple_version} through `SignedDataVerifier` with the same roots, bundle "
        "identifier, number and environment, and online checks off.",
        "",
        "*Right verdict* means verified or refused as the case deserves; *with a right reason* means that the code of "
        "the refusal is one that the case names. Apple's library names few reasons, so only its verdicts count. *Not "
        "offered* are checks that it does not have: receipts, and a chain judged offline at a chosen time.",
        "",
        *table(cases, ours, apples),
        "",
        "## What to read from it, and what not",
        "",
        "The cases were written beside this project, and where Perennial was wrong, Perennial was changed; so its own "
        "column says that it keeps its promises, not that it is better by so much. **No case here is a way to forge a "
        "purchase against Apple's library.** Whatever it verifies and Perennial refuses, a trusted key did sign: what "
        "differs is how strictly the signed text is read afterwards, and whether it is what was asked for. That "
        "matters where two systems read the same text, where one kind of data is taken for another, and where texts "
        "are told apart by their bytes.",
        "",
        "A notification's inner payloads are covered by the signature of its envelope. Perennial decodes them and "
        "compares app and environment; it does not check their own signatures one by one, unless the library is "
        "asked to (`verifyNotification(_:checkingInnerSignatures:)`). No case here puts a readable payload with a "
        "forged signature into a genuine envelope: only whoever can sign the envelope could make one.",
        "",
        f"{undocumented(cases, apples)} of the refusals by Apple's library come as an exception other than the "
        "documented `VerificationException`; a server that catches only that one answers with its own error.",
        "",
        *receipt_lines(cases),
        "",
        "## Where the two differ",
        *differences(cases, ours, apples, remarks),
        "",
    ]
    return "\n".join(lines)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--program", type=Path, default=os.environ.get("PERENNIAL_BINARY", ".build/debug/perennial"))
    arguments.add_argument("--check", action="store_true")
    chosen = arguments.parse_args()
    cases = load()
    ours = judge_all(Path(chosen.program).resolve(), cases)
    problems = wrong(cases, ours)
    print("\n".join(problems), file=sys.stderr, end="\n" if problems else "")
    text = scoreboard(cases, ours, [judge_by_apple(case) for _, case in cases])
    if not chosen.check:
        SCOREBOARD.write_text(text)
    elif not SCOREBOARD.exists() or SCOREBOARD.read_text() != text:
        problems.append("scoreboard")
        print(f"{SCOREBOARD.relative_to(ROOT)} is not what {COMMAND} writes now", file=sys.stderr)
    print(f"{len(cases)} cases, {len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
