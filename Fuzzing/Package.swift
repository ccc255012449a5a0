// swift-tools-version: 6.2

import PackageDescription

// One executable for each untrusted input. `scripts/fuzz.sh` builds and runs them: it sets the flags that instrument
// all Swift code and link libFuzzer.
func fuzzer(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies + ["LibFuzzer"],
        path: "Targets/\(name)",
        swiftSettings: [
            .swiftLanguageMode(.v6),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
    )
}

let model = Target.Dependency.product(name: "AppStoreModel", package: "perennial")
let signing = Target.Dependency.product(name: "AppStoreSigning", package: "perennial")
let authorities = Target.Dependency.product(name: "AppStoreTestAuthorities", package: "perennial")
let store = Target.Dependency.product(name: "LocalAppStore", package: "perennial")

let package = Package(
    name: "perennial-fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Without its traits: the program and its dependencies are not resolved.
        .package(name: "perennial", path: "..", traits: []),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .systemLibrary(name: "LibFuzzer", path: "Targets/LibFuzzer"),
        fuzzer("FuzzJWS", model, signing, authorities),
        fuzzer("FuzzChain", model, signing, authorities, .product(name: "Crypto", package: "swift-crypto")),
        fuzzer("FuzzReceipt", signing),
        fuzzer("FuzzNotification", model),
        fuzzer("FuzzCatalog", model, signing, authorities, store),
    ]
)
