#!/usr/bin/env bash
# `make test`: every check in turn, one line for each at the end. Exit status 0 only when all of them passed.
#
# Warnings are errors here, and imports that the manifest does not declare as well. The Swift flags and PERENNIAL_STRICT
# are the same in every step: a difference would build everything again.
set -uo pipefail
cd "$(dirname "$0")/.."

export PERENNIAL_STRICT=1
swift_flags=(--explicit-target-dependency-import-check error)
venv=.venv
requirements=Tests/ConformanceTests/requirements.txt

results=()
failed=0

# step NAME COMMAND...: runs the command, remembers how it ended and how long it took.
step() {
    local name=$1 start=$SECONDS status=0
    shift
    printf '\n== %s\n' "$name"
    "$@" </dev/null || status=$?
    local verdict=passed
    if ((status != 0)); then
        verdict=FAILED
        failed=1
    fi
    results+=("$(printf '%-8s %5ds  %s' "$verdict" $((SECONDS - start)) "$name")")
    return "$status"
}

skip() {
    results+=("$(printf '%-8s %6s  %s' "not run" "" "$1")")
}

build() {
    swift build --build-tests "${swift_flags[@]}"
}

# One after another in two processes: many of them fill a core, and those with a deadline would wait behind more of them
# for a minute. `swift test` runs one process, and two of it would share its build database, so the tests' program is
# started here.
swift_tests() {
    local folder rest status=0
    folder=$(products) || return 1
    if [[ $(uname -s) != Linux ]]; then
        swift test --no-parallel --skip-build "${swift_flags[@]}"
        return
    fi
    local program=("$folder/perennialPackageTests.xctest" --testing-library swift-testing --no-parallel)
    rest=$(mktemp)
    "${program[@]}" --skip '^SubscriptionServerTests\.' >"$rest" 2>&1 &
    "${program[@]}" --filter '^SubscriptionServerTests\.' || status=1
    wait $! || status=1
    cat "$rest"
    rm -f "$rest"
    return "$status"
}

products() {
    swift build "${swift_flags[@]}" --show-bin-path
}

# What the documentation shows is run; each snippet stops with a trap when it does not do what it says.
snippets() {
    local folder snippet
    folder=$(products) || return 1
    for snippet in Snippets/*.swift; do
        snippet=$(basename "$snippet" .swift)
        "$folder/$snippet" >/dev/null || { echo "the snippet $snippet failed"; return 1; }
    done
}

documentation() {
    scripts/build-docs.sh "$(products)"
}

# The official client's Python environment, made again only when the requirements change.
prepare_venv() {
    if [[ -x $venv/bin/python ]] && cmp -s "$requirements" "$venv/requirements.txt"; then return 0; fi
    echo "Installing the Python packages of $requirements into $venv"
    python3 -m venv --clear "$venv" &&
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements" &&
        cp "$requirements" "$venv/requirements.txt"
}

conformance_tests() {
    prepare_venv || return 1
    local binary
    binary=$(products)/perennial
    PERENNIAL_BINARY=$binary "$venv/bin/python" -m pytest -q -rs --durations=20 -n 2 --dist worksteal \
        Tests/ConformanceTests
}

summary() {
    printf '\n== summary\n'
    printf '%s\n' "${results[@]}"
    if [[ -z ${PERENNIAL_VECTORS:-} ]]; then
        echo "note: PERENNIAL_VECTORS is not set; the tests that need Apple's real data were skipped"
    fi
    if ((failed)); then echo "FAILED"; else echo "all passed"; fi
    return "$failed"
}

step "dependencies" scripts/install-dependencies.sh test || { summary; exit 1; }
step "layers" scripts/check-layers.py
step "generated code" scripts/generate-model.py --check
step "format" scripts/check-format.sh
if step "strict build" build; then
    step "Swift tests" swift_tests
    step "snippets" snippets
    step "documentation" documentation
    step "conformance: Apple's official client" conformance_tests
else
    skip "Swift tests"
    skip "snippets"
    skip "documentation"
    skip "conformance: Apple's official client"
fi
summary
