// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "perennial-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "perennial", path: ".."),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // Without its traits: the interposers for allocation counts are not needed here.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "AppStoreSigningBenchmarks",
            dependencies: [
                .product(name: "AppStoreModel", package: "perennial"),
                .product(name: "AppStoreSigning", package: "perennial"),
                .product(name: "AppStoreTestAuthorities", package: "perennial"),
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Benchmarks/AppStoreSigningBenchmarks",
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ],
            plugins: [
                .plugin(name: "BenchmarkPlugin", package: "benchmark")
            ]
        )
    ]
)
