#!/usr/bin/env bash
# Fuzzes every reader of strangers' input with libFuzzer: scripts/fuzz.sh [SECONDS_PER_TARGET] [TARGET...]
#
# Inputs that stop a target are kept in Fuzzing/findings; the exit status is then 1. To try one again:
#   Fuzzing/.build/release/TARGET Fuzzing/findings/TARGET/FILE
# A finding becomes a case in Fixtures/generate/cases, or a test beside the code, before it is mended.
set -uo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
shift || true
targets=("$@")
if ((${#targets[@]} == 0)); then targets=(FuzzJWS FuzzChain FuzzReceipt FuzzNotification FuzzCatalog); fi
package=Fuzzing
corpus=$package/corpus
findings=$package/findings
input_bytes_max=65536
# A finding is a crash, an input that takes this long, or one that takes this much memory.
input_seconds_max=10
memory_megabytes_max=2048

# A Swift backtrace of a crash would leave the run hanging.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}

# The address sanitizer looks at the few places with unsafe pointers; PERENNIAL_FUZZ_ADDRESS=0 leaves it out.
sanitizers=fuzzer,address
if [[ ${PERENNIAL_FUZZ_ADDRESS:-1} == 0 ]]; then sanitizers=fuzzer; fi
for target in "${targets[@]}"; do
    swift build -c release --package-path "$package" --product "$target" -Xswiftc "-sanitize=$sanitizers" || exit 1
done
binaries=$(swift build -c release --package-path "$package" --show-bin-path) || exit 1

seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
python3 scripts/fuzz-corpus.py "$seeds" || exit 1
export PERENNIAL_FUZZ_RECEIPT_ROOT=$seeds/receipt-root.pem

status=0
summary=()
for target in "${targets[@]}"; do
    # What earlier runs found worth keeping is kept; the seeds are made anew.
    mkdir -p "$corpus/$target" "$findings/$target" "$seeds/$target"
    log=$seeds/$target.log
    "$binaries/$target" "$corpus/$target" "$seeds/$target" \
        -max_total_time="$seconds" -max_len="$input_bytes_max" -timeout="$input_seconds_max" \
        -rss_limit_mb="$memory_megabytes_max" -print_final_stats=1 \
        -artifact_prefix="$findings/$target/" >"$log" 2>&1
    result=$?
    rate=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    summary+=("$(printf '%-18s %10s runs %8s per second  %s' "$target" "${runs:-?}" "${rate:-?}" \
        "$(if ((result == 0)); then echo "no finding"; else echo "FINDING"; fi)")")
    if ((result != 0)); then
        tail -n 40 "$log" >&2
        status=1
    fi
done
printf '%s\n' "${summary[@]}"
exit "$status"
