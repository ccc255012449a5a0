#!/usr/bin/env python3
"""Checks that the package keeps its layers.

Three sources must agree:
  1. the import table in Documentation/explanation/architecture.md (what a target may import of ours),
  2. the manifest (`swift package dump-package`: what it depends on),
  3. the import lines in Sources and Tests (what it really imports).

Exit status: 0 everything agrees, 1 a layer is broken (each finding is printed), 2 the check itself could not run.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "Documentation" / "explanation" / "architecture.md"

STORE_SIDE = {"LocalAppStore", "LocalAppStoreServer"}
# Test targets that play both sides against each other; among the libraries only those of commands may.
BOTH_SIDES = {
    "PerennialBenchmarks", "PerennialCommands", "PerennialCommandsTests", "PerennialSimulation", "SimulationTests",
    "perennial",
}
ENGINES = {"SubscriptionStorageSQLite", "SubscriptionStoragePostgreSQL"}
COMPOSITION_ROOT = "SubscriptionServer"
TEST_SUPPORT = {"LocalAppStoreTesting", "PostgreSQLTesting", "SubscriptionStorageTesting"}
WITHOUT_FOUNDATION = {"AppStoreModel", "PerennialPrimitives", "SubscriptionCore"}
FOUNDATION = {"Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationInternationalization"}
TOOLCHAIN = FOUNDATION | {
    "Android", "Darwin", "Dispatch", "Glibc", "Musl", "Swift", "Synchronization", "Testing", "_Concurrency",
}

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?([A-Za-z_]\w*)"
)
NAME = re.compile(r"[A-Za-z]\w*")


def is_subscription_side(target):
    return target.startswith("Subscription")


def import_table():
    """Reads `| target | may import |` rows: a name, then names separated by commas, or a dash."""
    rows, inside = {}, False
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")]
        if len(cells) >= 2 and cells[0] == "target" and cells[1] == "may import":
            inside = True
        elif inside and not line.lstrip().startswith("|"):
            break
        elif inside and NAME.fullmatch(cells[0]):
            rows[cells[0]] = set(NAME.findall(cells[1]))
    return rows


def manifest():
    """Target name to (kind, our dependencies, products of other packages)."""
    dump = subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    targets = {}
    for target in json.loads(dump.stdout)["targets"]:
        ours, products = set(), set()
        for dependency in target["dependencies"]:
            if "product" in dependency:
                products.add(dependency["product"][0])
            else:
                ours.add((dependency.get("byName") or dependency.get("target"))[0])
        targets[target["name"]] = (target["type"], ours, products)
    return targets


def imports_of(target, kind):
    """Every (file, line number, module) imported by the target's sources."""
    folder = ROOT / ("Tests" if kind == "test" else "Sources") / target
    for path in sorted(folder.rglob("*.swift")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            match = IMPORT.match(line)
            if match:
                yield path.relative_to(ROOT), number, match.group(1)


def forbidden(target, module):
    """The reason why `target` must not use `module` of ours, or None."""
    if target not in BOTH_SIDES:
        if is_subscription_side(target) and module in STORE_SIDE:
            return "the subscription side never imports the local store"
        if (target in STORE_SIDE or target.removesuffix("Tests") in STORE_SIDE) and is_subscription_side(module):
            return "the local store never imports the subscription side"
    tests = target.endswith("Tests")
    if module in ENGINES and target != COMPOSITION_ROOT and not tests:
        return f"only {COMPOSITION_ROOT}, the composition root, picks a storage engine"
    if module in TEST_SUPPORT and not tests:
        return "test support stays out of the product"
    return None


def check_manifest(targets, table):
    findings = []
    libraries = {name for name, (kind, _, _) in targets.items() if kind != "test"}
    for name in sorted(libraries - table.keys()):
        findings.append(f"{TABLE.name}: target {name} has no row in the import table")
    for name in sorted(table.keys() - libraries):
        findings.append(f"{TABLE.name}: the import table has a row for {name}, which the manifest does not have")
    for name, (kind, ours, _) in sorted(targets.items()):
        for module in sorted(ours):
            reason = forbidden(name, module)
            if reason is None and kind != "test" and module not in table.get(name, set()):
                reason = "the import table does not allow it"
            if reason:
                findings.append(f"Package.swift: {name} depends on {module}: {reason}")
    return findings


def check_sources(targets):
    findings = []
    for name, (kind, ours, products) in sorted(targets.items()):
        declared = ours | products | TOOLCHAIN
        for path, number, module in imports_of(name, kind):
            if name in WITHOUT_FOUNDATION and module in FOUNDATION:
                reason = f"{name} uses the standard library only, no Foundation"
            elif module in targets and forbidden(name, module):
                reason = forbidden(name, module)
            elif module not in declared:
                reason = f"{name} does not declare this dependency in Package.swift"
            else:
                continue
            findings.append(f"{path}:{number}: import {module}: {reason}")
    return findings


def main():
    try:
        table = import_table()
        targets = manifest()
    except (OSError, subprocess.CalledProcessError, ValueError, KeyError) as error:
        detail = getattr(error, "stderr", None) or error
        print(f"check-layers: cannot run: {detail}", file=sys.stderr)
        return 2
    if not table:
        print(f"check-layers: no import table found in {TABLE.relative_to(ROOT)}", file=sys.stderr)
        return 2
    findings = check_manifest(targets, table) + check_sources(targets)
    for finding in findings:
        print(finding)
    if findings:
        print(f"check-layers: {len(findings)} broken rule(s); the rules are in {TABLE.relative_to(ROOT)}")
        return 1
    print(f"check-layers: {len(targets)} targets keep their layers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
