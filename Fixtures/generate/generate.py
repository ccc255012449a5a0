#!/usr/bin/env python3
"""Makes the adversarial vectors anew, with new keys.

    .venv/bin/python Fixtures/generate/generate.py [--only AREA/NAME…] [--into FOLDER]

With --only, cases whose path begins so are made, and all others are left as they are: each case carries its own roots,
so cases of different runs stand beside each other.
"""

import argparse
import shutil
import sys
from collections import Counter
from pathlib import Path

from case import Case, Kit
from cases import (
    algorithms,
    chains,
    contents,
    encodings,
    headers,
    identity,
    payload_forms,
    receipt_forms,
    receipt_signatures,
    receipts,
    signatures,
    validity,
)

FOLDER = Path(__file__).resolve().parent.parent / "adversarial"
MODULES = [
    algorithms,
    headers,
    chains,
    contents,
    validity,
    signatures,
    encodings,
    payload_forms,
    identity,
    receipts,
    receipt_signatures,
    receipt_forms,
]


def chosen(cases: list[Case], prefixes: list[str]) -> list[Case]:
    return [case for case in cases if f"{case.area}/{case.name}".startswith(tuple(prefixes))]


def report(cases: list[Case]) -> None:
    for area, count in Counter(case.area for case in cases).items():
        good = sum(case.area == area and case.reason is None for case in cases)
        print(f"{area:12} {count:4} cases, {good} of them good")
    print(f"{'all':12} {len(cases):4}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", action="append", default=[], metavar="AREA/NAME")
    parser.add_argument("--into", type=Path, default=FOLDER, metavar="FOLDER")
    arguments = parser.parse_args()
    kit = Kit()
    made = [case for module in MODULES for case in module.cases(kit)]
    names = Counter((case.area, case.name) for case in made)
    if twice := [name for name, count in names.items() if count > 1]:
        print(f"made twice: {twice}", file=sys.stderr)
        return 1
    if arguments.only:
        made = chosen(made, arguments.only)
    else:
        shutil.rmtree(arguments.into, ignore_errors=True)
    for case in made:
        case.write(arguments.into, kit.trust)
    report(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
