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

/// A product that only those resolve and build who want what the trait stands for.
func product(_ name: String, _ package: String, for trait: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: [trait]))
}

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let hummingbird = product("Hummingbird", "hummingbird", for: "Server")
let hummingbirdTesting = product("HummingbirdTesting", "hummingbird", for: "Server")
let hummingbirdCore = product("HummingbirdCore", "hummingbird", for: "Server")
let httpTypes = product("HTTPTypes", "swift-http-types", for: "Server")
let nioCore = product("NIOCore", "swift-nio", for: "Client")
let nioHTTP1 = product("NIOHTTP1", "swift-nio", for: "Client")
let nioPosix = product("NIOPosix", "swift-nio", for: "Server")
let nioEmbedded = product("NIOEmbedded", "swift-nio", for: "Server")
let nioSSL = product("NIOSSL", "swift-nio-ssl", for: "Server")
let nioHTTPTypes = product("NIOHTTPTypes", "swift-nio-extras", for: "Server")
let asyncHTTPClient = product("AsyncHTTPClient", "async-http-client", for: "Client")
let configuration = product("Configuration", "swift-configuration", for: "Server")
let yams = product("Yams", "Yams", for: "Server")
let logging = product("Logging", "swift-log", for: "Server")
let coreMetrics = product("CoreMetrics", "swift-metrics", for: "Server")
let serviceLifecycle = product("ServiceLifecycle", "swift-service-lifecycle", for: "Server")
let unixSignals = product("UnixSignals", "swift-service-lifecycle", for: "Server")
let argumentParser = product("ArgumentParser", "swift-argument-parser", for: "Server")
let grdb = product("GRDB", "GRDB.swift", for: "Server")
let sqlite = product("GRDBSQLite", "GRDB.swift", for: "Server")

/// A target of ours that only those build who want what the trait stands for.
func target(_ name: String, for trait: String) -> Target.Dependency {
    .target(name: name, condition: .when(traits: [trait]))
}

let libpq = target("CLibPQ", for: "PostgreSQL")

/// A module; files that it embeds are part of its code.
func library(_ name: String, _ dependencies: [Target.Dependency] = [], embeds files: [String] = []) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        resources: files.map { .embedInCode($0) },
        swiftSettings: settings
    )
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
        .library(name: "AppStoreClient", targets: ["AppStoreClient"]),
        .library(name: "AppStoreTestAuthorities", targets: ["AppStoreTestAuthorities"]),
        .library(name: "AppStoreTesting", targets: ["AppStoreTesting"]),
        .library(name: "LocalAppStore", targets: ["LocalAppStore"]),
        .library(name: "LocalAppStoreServer", targets: ["LocalAppStoreServer"]),
        .library(name: "SubscriptionCore", targets: ["SubscriptionCore"]),
        .library(name: "SubscriptionIntake", targets: ["SubscriptionIntake"]),
        .library(name: "SubscriptionStorage", targets: ["SubscriptionStorage"]),
    ],
    traits: [
        .default(enabledTraits: ["PostgreSQL", "Server"]),
        .trait(name: "Client", description: "AppStoreClient's own transport, on AsyncHTTPClient"),
        .trait(
            name: "Server",
            description: "The program: the local App Store, the subscription server and their commands",
            enabledTraits: ["Client"]
        ),
        .trait(name: "PostgreSQL", description: "The server's engine on PostgreSQL; needs the headers of libpq"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // AsyncHTTPClient uses it too: for a user without the program it must not ask for a parser of YAML.
        .package(
            url: "https://github.com/apple/swift-configuration",
            from: "1.4.0",
            traits: [
                .trait(name: "JSON", condition: .when(traits: ["Server"])),
                .trait(name: "YAML", condition: .when(traits: ["Server"])),
            ]
        ),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.20.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // Beneath both sides: text codings and a seeded generator.
        .target(name: "CBase64"),
        library("PerennialPrimitives", ["CBase64"]),

        // Apple's side: its vocabulary, its signatures, and a local App Store that speaks both.
        library("AppStoreModel", ["PerennialPrimitives"]),
        library(
            "AppStoreSigning",
            ["AppStoreModel", "PerennialPrimitives", crypto, cryptoExtras, x509, asn1]
        ),
        library(
            "AppStoreClient",
            ["AppStoreModel", "AppStoreSigning", "PerennialPrimitives", x509, asyncHTTPClient, nioCore, nioHTTP1]
        ),
        library(
            "AppStoreTestAuthorities",
            ["AppStoreModel", "AppStoreSigning", "PerennialPrimitives", crypto, cryptoExtras, x509, asn1]
        ),
        library(
            "AppStoreTesting",
            [
                "AppStoreModel", "AppStoreSigning", "AppStoreTestAuthorities", "PerennialPrimitives",
                crypto, cryptoExtras, x509, asn1,
            ]
        ),
        library(
            "LocalAppStore",
            ["AppStoreModel", "AppStoreSigning", "AppStoreTestAuthorities", "PerennialPrimitives"],
            embeds: ["Catalog/example.storekit"]
        ),
        library(
            "LocalAppStoreServer",
            [
                "AppStoreModel", "AppStoreSigning", "AppStoreTestAuthorities", "LocalAppStore", "PerennialPrimitives",
                hummingbird, hummingbirdCore, httpTypes, nioCore, nioHTTP1, nioPosix, nioSSL, asyncHTTPClient, logging,
                serviceLifecycle,
            ],
            embeds: ["OpenAPI/openapi.yaml"]
        ),

        // The subscription side: facts, state, storage, use cases, HTTP.
        library("SubscriptionCore", ["PerennialPrimitives"]),
        library("SubscriptionIntake", ["AppStoreModel", "SubscriptionCore"]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        library("SubscriptionStorage", ["CZstd", "PerennialPrimitives", "SubscriptionCore"]),
        library("SubscriptionStorageSQLite", ["SubscriptionCore", "SubscriptionStorage", grdb, sqlite]),
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        library("SubscriptionStoragePostgreSQL", ["SubscriptionCore", "SubscriptionStorage", libpq]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        library("SubscriptionStorageTesting", ["SubscriptionCore", "SubscriptionStorage"]),
        library("PostgreSQLTesting", [libpq]),
        library("LocalAppStoreTesting"),
        library(
            "SubscriptionOperations",
            [
                "AppStoreClient", "AppStoreModel", "AppStoreSigning", "CZlib", "PerennialPrimitives",
                "SubscriptionCore", "SubscriptionIntake", "SubscriptionStorage",
                coreMetrics, crypto, cryptoExtras, logging, serviceLifecycle,
            ]
        ),
        library(
            "SubscriptionServer",
            [
                "AppStoreClient", "AppStoreModel", "AppStoreSigning", "PerennialPrimitives", "SubscriptionCore",
                "SubscriptionIntake", "SubscriptionOperations", "SubscriptionStorage",
                "SubscriptionStoragePostgreSQL", "SubscriptionStorageSQLite",
                asyncHTTPClient, configuration, coreMetrics, crypto, hummingbird, hummingbirdCore, httpTypes, logging,
                nioCore, nioHTTP1, nioHTTPTypes, nioPosix, serviceLifecycle, yams,
            ],
            embeds: ["Configuration/defaults.yaml", "OpenAPI/openapi.yaml"]
        ),

        // The program.
        library(
            "PerennialCommandSupport",
            [
                "PerennialPrimitives", "SubscriptionServer", "SubscriptionStorage",
                argumentParser, crypto, logging, nioCore, nioHTTP1, nioPosix,
            ]
        ),
        library(
            "PerennialSimulation",
            [
                "AppStoreClient", "AppStoreModel", "AppStoreSigning", "AppStoreTestAuthorities", "LocalAppStore",
                "PerennialPrimitives", "SubscriptionCore", "SubscriptionOperations", "SubscriptionStorage",
            ]
        ),
        library(
            "PerennialDemo",
            [
                "AppStoreModel", "PerennialCommandSupport", "PerennialPrimitives", "SubscriptionOperations",
                "SubscriptionStorage",
                argumentParser, asyncHTTPClient, nioCore, nioHTTP1,
            ]
        ),
        library(
            "PerennialBenchmarks",
            [
                "AppStoreClient", "AppStoreModel", "AppStoreSigning", "AppStoreTestAuthorities", "LocalAppStore",
                "LocalAppStoreServer", "PerennialCommandSupport", "PerennialPrimitives", "SubscriptionCore",
                "SubscriptionOperations", "SubscriptionServer", "SubscriptionStorage",
                argumentParser, asn1, asyncHTTPClient, crypto, logging, nioCore, nioHTTP1, nioPosix,
            ]
        ),
        library(
            "PerennialCommands",
            [
                "AppStoreClient", "AppStoreModel", "AppStoreSigning", "AppStoreTestAuthorities", "LocalAppStore",
                "LocalAppStoreServer", "PerennialBenchmarks", "PerennialCommandSupport", "PerennialDemo",
                "PerennialPrimitives", "PerennialSimulation", "SubscriptionCore", "SubscriptionOperations",
                "SubscriptionServer", "SubscriptionStorage",
                argumentParser, asn1, crypto, logging, serviceLifecycle, unixSignals, x509,
            ]
        ),
        .executableTarget(name: "perennial", dependencies: ["PerennialCommands"], swiftSettings: settings),

        tests("PerennialPrimitivesTests", ["PerennialPrimitives"]),
        tests("AppStoreModelTests", ["AppStoreModel"]),
        tests(
            "AppStoreSigningTests",
            [
                "AppStoreModel", "AppStoreSigning", "AppStoreTestAuthorities", "PerennialPrimitives",
                crypto, cryptoExtras, x509, asn1,
            ]
        ),
        tests(
            "AppStoreClientTests",
            [
                "AppStoreClient", "AppStoreModel", "AppStoreSigning", "PerennialPrimitives",
                crypto, x509, asn1, asyncHTTPClient, nioCore, nioHTTP1,
            ]
        ),
        tests(
            "AppStoreTestingTests",
            ["AppStoreModel", "AppStoreSigning", "AppStoreTestAuthorities", "AppStoreTesting"]
        ),
        tests(
            "LocalAppStoreTests",
            [
                "AppStoreModel", "AppStoreSigning", "AppStoreTestAuthorities", "LocalAppStore", "LocalAppStoreTesting",
                "PerennialPrimitives", crypto,
            ]
        ),
        tests(
            "LocalAppStoreServerTests",
            [
                "AppStoreClient", "AppStoreModel", "AppStoreSigning", "AppStoreTestAuthorities", "LocalAppStore",
                "LocalAppStoreServer", "LocalAppStoreTesting", "PerennialPrimitives",
                asyncHTTPClient, hummingbird, hummingbirdCore, httpTypes, logging, nioCore, nioHTTP1, nioPosix,
                serviceLifecycle,
            ]
        ),
        tests("SubscriptionCoreTests", ["PerennialPrimitives", "SubscriptionCore"]),
        tests("SubscriptionIntakeTests", ["AppStoreModel", "SubscriptionCore", "SubscriptionIntake"]),
        tests(
            "SubscriptionStorageTests",
            [
                "PerennialPrimitives", "PostgreSQLTesting", "SubscriptionCore", "SubscriptionStorage",
                "SubscriptionStoragePostgreSQL", "SubscriptionStorageSQLite", "SubscriptionStorageTesting",
                grdb,
            ]
        ),
        tests(
            "SubscriptionOperationsTests",
            [
                "PerennialPrimitives", "SubscriptionCore", "SubscriptionOperations", "SubscriptionStorage",
                "SubscriptionStorageTesting",
            ]
        ),
        tests(
            "SubscriptionServerTests",
            [
                "AppStoreClient", "AppStoreModel", "AppStoreSigning", "AppStoreTestAuthorities", "PerennialPrimitives",
                "PostgreSQLTesting", "SubscriptionCore", "SubscriptionOperations", "SubscriptionServer",
                "SubscriptionStorage", "SubscriptionStoragePostgreSQL", "SubscriptionStorageSQLite",
                "SubscriptionStorageTesting",
                asyncHTTPClient, coreMetrics, crypto, httpTypes, hummingbird, hummingbirdCore, hummingbirdTesting,
                logging, nioCore, nioEmbedded, nioHTTP1, nioHTTPTypes, nioPosix, serviceLifecycle,
            ]
        ),
        tests(
            "SimulationTests",
            [
                "AppStoreModel", "AppStoreSigning", "AppStoreTestAuthorities", "LocalAppStore", "PerennialPrimitives",
                "PerennialSimulation", "PostgreSQLTesting", "SubscriptionCore", "SubscriptionIntake",
                "SubscriptionOperations", "SubscriptionStorage",
                "SubscriptionStoragePostgreSQL", "SubscriptionStorageSQLite", "SubscriptionStorageTesting",
            ]
        ),
        tests(
            "PerennialCommandsTests",
            [
                "AppStoreClient", "AppStoreModel", "AppStoreSigning", "AppStoreTestAuthorities",
                "PerennialCommandSupport", "PerennialCommands", "PerennialDemo", "PerennialPrimitives",
                "SubscriptionCore", argumentParser, logging, serviceLifecycle,
            ]
        ),
    ]
)
