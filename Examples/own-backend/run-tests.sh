#!/usr/bin/env bash
# Starts a local App Store and a backend, both on free ports, runs the tests against them, and ends both.
#   ./run-tests.sh python3 backend.py
#   ./run-tests.sh node backend.mjs
#   ./run-tests.sh java Backend.java
# PERENNIAL names the program (default: perennial).
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT

# The address in the first line that a program prints.
address() {
    for _ in {1..600}; do
        grep -s -m1 -o 'http://.*' "$1" && return
        sleep 0.1
    done
    echo "$1 has no address after a minute" >&2
    cat "$1.log" >&2
    return 1
}

"${PERENNIAL:-perennial}" store --port 0 --environment production >"$work/store" 2>"$work/store.log" &
STORE=$(address "$work/store")
export STORE
PORT=0 "$@" >"$work/backend" 2>"$work/backend.log" &
BACKEND=$(address "$work/backend")
export BACKEND
python3 -m unittest test_backend
