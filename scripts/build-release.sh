#!/usr/bin/env bash
# Builds the optimised program. On Linux it is stripped, and its symbols lie beside it in perennial.debug.
#
#   scripts/build-release.sh [FLAG...]     flags for `swift build`
#
# Debuggers find the symbols by themselves while both files are in one folder.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(swift build -c release --show-bin-path "$@")
program=$folder/perennial

# The build sees its own output unchanged, so it does not link again.
if [[ -e $program.debug ]]; then mv "$program.debug" "$program"; fi
swift build -c release --product perennial "$@"

if [[ $(uname -s) == Linux ]]; then
    mv "$program" "$program.debug"
    objcopy --strip-all --add-gnu-debuglink="$program.debug" "$program.debug" "$program"
fi
