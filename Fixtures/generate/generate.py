#!/usr/bin/env python3
"""Makes the adversarial vectors anew, with new keys: `.venv/bin/python Fixtures/generate/generate.py`."""

import shutil
import sys
from collections import Counter
from pathlib import Path

from case import Kit
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


def main() -> int:
    kit = Kit()
    made = [case for module in MODULES for case in module.cases(kit)]
    names = Counter((case.area, case.name) for case in made)
    if twice := [name for name, count in names.items() if count > 1]:
        print(f"made twice: {twice}", file=sys.stderr)
        return 1
    shutil.rmtree(FOLDER, ignore_errors=True)
    for case in made:
        case.write(FOLDER, kit.trust)
    for area, count in Counter(case.area for case in made).items():
        good = sum(case.area == area and case.reason is None for case in made)
        print(f"{area:12} {count:4} cases, {good} of them good")
    print(f"{'all':12} {len(made):4}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
