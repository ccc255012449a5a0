#!/usr/bin/env bash
# Checks the format: swift format's rules, at most 400 lines in a file, at most 120 columns in a line. Generated files
# have no such limits.
# Changes nothing; `make format` does.
set -euo pipefail
cd "$(dirname "$0")/.."

lines_max=400
columns_max=120
failed=0

folders=()
for path in Sources Tests Snippets Package.swift Benchmarks Fuzzing; do
    if [[ -e $path ]]; then folders+=("$path"); fi
done

# `find` rather than git: a clean checkout without history is checked in the same way.
mapfile -d '' files < <(find "${folders[@]}" -name '.build*' -prune -o -name '*.swift' -type f -print0 | sort -z)

mapfile -t written < <(printf '%s\n' "${files[@]}" | grep -v '/Generated/')

swift format lint --strict --parallel --configuration .swift-format "${files[@]}" || failed=1

for file in "${written[@]}"; do
    count=$(wc -l <"$file")
    if ((count > lines_max)); then
        printf '%s: %d lines, the limit is %d: split it by topic\n' "$file" "$count" "$lines_max"
        failed=1
    fi
done

# Characters, not bytes: the locale decides what a dot matches. swift format lets comments and literals pass.
too_long=$(
    LC_ALL=C.UTF-8 grep -d skip -nE ".{$((columns_max + 1)),}" scripts/* .ci/* Makefile "${written[@]}" || true
)
if [[ -n $too_long ]]; then
    printf 'longer than %d columns: %s\n' "$columns_max" "$too_long"
    failed=1
fi

if ((failed)); then
    echo "check-format: not formatted; 'make format' fixes what can be fixed automatically"
    exit 1
fi
echo "check-format: ${#files[@]} Swift files are formatted"
