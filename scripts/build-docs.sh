#!/usr/bin/env bash
# Builds the DocC documentation of the libraries into .build/docs, from what `swift build` compiled before.
# A link to a symbol that is not there, or a page that cannot be read, fails the build.
set -euo pipefail
cd "$(dirname "$0")/.."

libraries=(AppStoreModel AppStoreSigning AppStoreClient AppStoreTesting LocalAppStore)
products=${1:-$(swift build --show-bin-path)}
graphs=.build/symbol-graphs
output=.build/docs
triple=$(swift -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["triple"])')
rm -rf "$graphs" "$output"
mkdir -p "$output"

# The C modules below SwiftNIO and swift-crypto: some have their map in the sources, some get one from the build.
module_maps=()
while IFS= read -r map; do
    module_maps+=(-Xcc "-fmodule-map-file=$map")
done < <(
    find -H "$products" -maxdepth 2 -name module.modulemap
    find .build/checkouts/*/Sources -path '*/include/module.modulemap' -not -path '*SQLCipher*'
)

for library in "${libraries[@]}"; do
    mkdir -p "$graphs/$library"
    swift symbolgraph-extract -module-name "$library" -I "$products/Modules" "${module_maps[@]}" \
        -target "$triple" \
        -minimum-access-level public -output-dir "$graphs/$library"
    docc convert "Sources/$library/$library.docc" \
        --additional-symbol-graph-dir "$graphs/$library" \
        --fallback-display-name "$library" --fallback-bundle-identifier "dev.perennial.$library" \
        --warnings-as-errors --output-path "$output/$library"
    echo "$output/$library"
done
