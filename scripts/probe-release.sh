#!/usr/bin/env bash
# Starts the built program as a user would and asks it what it claims.
#
#   scripts/probe-release.sh .build/release/perennial
set -euo pipefail

program=$(realpath "${1:?usage: scripts/probe-release.sh PROGRAM}")
folder=$(mktemp -d)
store_id='' server_id=''

finish() {
    local status=$?
    for id in $server_id $store_id; do
        kill "$id" 2>/dev/null || true
    done
    for id in $server_id $store_id; do
        wait "$id" 2>/dev/null || true
    done
    if ((status != 0)); then
        for log in "$folder"/*.log; do
            [[ -e $log ]] && printf -- '--- %s\n' "${log##*/}" && tail -n 40 "$log"
        done
        echo "probe: FAILED"
    fi
    rm -rf "$folder"
}
trap finish EXIT

# The first line of a program's output is "listening on URL"; bounded wait.
listening_url() {
    local output=$1 url=''
    for _ in $(seq 600); do
        url=$(sed -n '1s/^listening on //p' "$output")
        if [[ -n $url ]]; then
            printf '%s\n' "$url"
            return 0
        fi
        sleep 0.1
    done
    echo "probe: nothing listens after 60 s ($output)" >&2
    return 1
}

# get URL: prints the body; anything but a 2xx answer within 60 s fails.
get() {
    python3 -c '
import sys, urllib.request
with urllib.request.urlopen(sys.argv[1], timeout=60) as answer:
    print(answer.read().decode())
' "$1"
}

echo "== store and server"
"$program" store --port 0 >"$folder/store.out" 2>"$folder/store.log" &
store_id=$!
store=$(listening_url "$folder/store.out")
"$program" serve --port 0 --store "$store" --database "sqlite:$folder/probe.db" \
    >"$folder/serve.out" 2>"$folder/serve.log" &
server_id=$!
server=$(listening_url "$folder/serve.out")
for url in "$store/_store/status" "$server/healthz" "$server/readyz"; do
    printf '%s\n' "${url#http://}"
    get "$url"
done
# The pages of the program itself are shared with the file cache; what the server allocates is its own.
kib() { awk -v name="$1:" '$1 == name { print $2 }' "/proc/$server_id/status"; }
resident_kib=$(kib VmRSS)
own_kib=$(kib RssAnon)
echo "memory of serve at rest: $((own_kib / 1024)) MiB of its own, $((resident_kib / 1024)) MiB in all"
if ((own_kib > 16 * 1024 || resident_kib > 72 * 1024)); then
    echo "probe: serve takes more than 16 MiB of its own, or more than 72 MiB in all, at rest"
    exit 1
fi

echo "== demo"
"$program" demo --once --json --accounts 50 --months 3 --seed 7 >"$folder/demo.json" 2>"$folder/demo.log"
cat "$folder/demo.json"
python3 - "$folder/demo.json" <<'PYTHON'
import json, sys
result = json.load(open(sys.argv[1]))
assert result["accounts"] == 50, result
assert result["notifications"]["sent"] > 0 and result["compared"] > 0, result
assert result["notifications"]["missing"] == 0 and result["disagreements"] == 0, result
PYTHON

echo "== bench"
"$program" bench verify --json
"$program" bench receipts --json
echo "probe: passed"
