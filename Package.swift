// swift-tools-version: 6.2

import PackageDescription

/// Warnings stop the build where the project is checked (`make test` sets the variable), not where it is only used.
let strict = Context.environment["PERENNIAL_STRICT"] != nil

let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + (strict ? [.treatAllWarnings(as: .error)] : [])

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdTesting = Target.Dependency.product(name: "HummingbirdTesting", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
    name: "perennial",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "perennial", targets: ["perennial"]),
        .library(name: "AppStoreModel", targets: ["AppStoreModel"]),
        .library(name: "AppStoreSigning", targets: ["AppStoreSigning"]),
        .library(name: "LocalAppStore", targets: ["LocalAppStore"]),
        .library(name: "LocalAppStoreServer", targets: ["LocalAppStoreServer"]),
        .library(name: "SubscriptionCore", targets: ["SubscriptionCore"]),
        .library(name: "SubscriptionIntake", targets: ["SubscriptionIntake"]),
        .library(name: "SubscriptionStorage", targets: ["SubscriptionStorage"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // Apple's side: its vocabulary, its signatures, and a local App Store that speaks both.
        library("AppStoreModel"),
        library("AppStoreSigning", ["AppStoreModel", crypto, x509, asn1]),
        library("LocalAppStore", ["AppStoreModel", "AppStoreSigning"]),
        library(
            "LocalAppStoreServer",
            [
                "AppStoreModel", "AppStoreSigning", "LocalAppStore",
                hummingbird, hummingbirdCore, httpTypes, nioCore, nioHTTP1, asyncHTTPClient, logging, serviceLifecycle,
            ]
        ),

        // The subscription side: facts, state, storage, use cases, HTTP.
        library("SubscriptionCore"),
        library("SubscriptionIntake", ["AppStoreModel", "SubscriptionCore"]),
        library("SubscriptionStorage", ["SubscriptionCore"]),
        library("SubscriptionStorageSQLite", ["SubscriptionCore", "SubscriptionStorage", grdb]),
        library("SubscriptionStorageTesting", ["SubscriptionCore", "SubscriptionStorage"]),
        library(
            "SubscriptionOperations",
            [
                "AppStoreModel", "AppStoreSigning", "SubscriptionCore", "SubscriptionIntake", "SubscriptionStorage",
                crypto, logging, serviceLifecycle,
            ]
        ),
        library(
            "SubscriptionServer",
            [
                "AppStoreModel", "AppStoreSigning", "SubscriptionCore", "SubscriptionIntake", "SubscriptionOperations",
                "SubscriptionStorage", "SubscriptionStorageSQLite",
                crypto, hummingbird, hummingbirdCore, httpTypes, nioCore, nioHTTP1, asyncHTTPClient, logging,
                serviceLifecycle,
            ]
        ),

        // The program.
        library(
            "PerennialCommands",
            [
                "AppStoreModel", "AppStoreSigning", "LocalAppStore", "LocalAppStoreServer", "SubscriptionCore",
                "SubscriptionOperations", "SubscriptionServer", "SubscriptionStorage",
                argumentParser, asyncHTTPClient, crypto, logging, nioCore, nioHTTP1, serviceLifecycle, unixSignals,
            ]
        ),
        .executableTarget(name: "perennial", dependencies: ["PerennialCommands"], swiftSettings: settings),

        tests("AppStoreModelTests", ["AppStoreModel"]),
        tests("AppStoreSigningTests", ["AppStoreModel", "AppStoreSigning", crypto, x509, asn1]),
        tests("LocalAppStoreTests", ["AppStoreModel", "AppStoreSigning", "LocalAppStore"]),
        tests(
            "LocalAppStoreServerTests",
            [
                "AppStoreModel", "AppStoreSigning", "LocalAppStore", "LocalAppStoreServer",
                asyncHTTPClient, hummingbird, hummingbirdCore, httpTypes, logging, nioCore, nioHTTP1,
            ]
        ),
        tests("SubscriptionCoreTests", ["SubscriptionCore"]),
        tests("SubscriptionIntakeTests", ["AppStoreModel", "SubscriptionCore", "SubscriptionIntake"]),
        tests(
            "SubscriptionStorageTests",
            [
                "SubscriptionCore", "SubscriptionStorage", "SubscriptionStorageSQLite", "SubscriptionStorageTesting",
                grdb,
            ]
        ),
        tests(
            "SubscriptionServerTests",
            [
                "AppStoreModel", "AppStoreSigning", "SubscriptionCore", "SubscriptionOperations", "SubscriptionServer",
                "SubscriptionStorage", "SubscriptionStorageSQLite", "SubscriptionStorageTesting",
                asyncHTTPClient, httpTypes, hummingbird, hummingbirdCore, hummingbirdTesting, logging, nioCore,
                nioHTTP1,
                serviceLifecycle,
            ]
        ),
        tests(
            "SimulationTests",
            [
                "AppStoreModel", "AppStoreSigning", "LocalAppStore", "SubscriptionCore", "SubscriptionIntake",
                "SubscriptionOperations", "SubscriptionStorage", "SubscriptionStorageSQLite",
                "SubscriptionStorageTesting",
            ]
        ),
        tests("PerennialCommandsTests", ["PerennialCommands"]),
    ]
)
