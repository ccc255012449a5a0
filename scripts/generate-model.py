#!/usr/bin/env python3
"""Writes Apple's vocabulary in Swift, and its reference page, from Schema/*.toml.

    scripts/generate-model.py           write the files, and remove those that the schema no longer has
    scripts/generate-model.py --check   change nothing; exit with 1 if a file is not current

`--root FOLDER` takes another copy of the project. The schema is described in
Documentation/how-to/add-to-apples-vocabulary.md.
"""

import argparse
import pathlib
import sys

from vocabulary.page import page_text
from vocabulary.schema import read_all
from vocabulary.swift import swift_files


def main():
    parser = argparse.ArgumentParser(description="Writes Apple's vocabulary in Swift from Schema/*.toml.")
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if a file is not current")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    options = parser.parse_args()
    schemas = read_all(options.root / "Schema")
    page = options.root / "Documentation/reference/vocabulary.md"
    folder = options.root / "Sources/AppStoreModel/Generated"
    wanted = {folder / path: text for path, text in swift_files(schemas).items()} | {page: page_text(schemas)}
    present = {path: path.read_text() for path in [*folder.rglob("*.swift"), page] if path.exists()}
    stale = sorted(path for path in wanted.keys() | present.keys() if wanted.get(path) != present.get(path))
    for path in stale:
        if options.check:
            print(f"{path.relative_to(options.root)} is not what Schema describes: run `make generate`.")
        elif path in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path])
        else:
            path.unlink()
    sys.exit(1 if options.check and stale else 0)


main()
