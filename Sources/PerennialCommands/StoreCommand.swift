import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
public import ArgumentParser
import Foundation
import LocalAppStore
import LocalAppStoreServer
import Logging
import PerennialCommandSupport
import SubscriptionServer

/// `perennial store`: a local App Store on a port.
public struct StoreCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Run a local App Store: Apple's server API, signed notifications, a virtual clock.",
        discussion: """
            Apple's API is under Apple's paths (/inApps/…), the store's own calls are under /_store/. The first line \
            of standard output is the address. By default the clock is stopped; POST /_store/clock/advance advances it.
            """
    )

    /// Apple's two environments, by their command-line names.
    enum Environment: String, ExpressibleByArgument, CaseIterable {
        case sandbox, production

        /// The name in payloads.
        var appStoreEnvironment: AppStoreEnvironment {
            switch self {
            case .sandbox: .sandbox
            case .production: .production
            }
        }
    }

    @Option(help: "The port to listen on; 0 selects a free port.")
    var port: UInt16 = 8081

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(
        name: .customLong("allow-host"),
        help: ArgumentHelp(
            "A host name that clients may use, in addition to IP addresses and names without a dot; repeatable.",
            valueName: "name"
        )
    )
    var allowedHosts: [String] = []

    @Option(help: ArgumentHelp("The products, as an Xcode .storekit file (default: an example).", valueName: "file"))
    var catalog: String?

    @Option(
        help:
            """
            The environment of the payloads and of Apple's rules: production retries deliveries, sandbox does not \
            (default: sandbox).
            """
    )
    var environment: Environment?

    @Option(
        help: ArgumentHelp(
            "A named behaviour: \(StoreProfile.allCases.map(\.rawValue).joined(separator: ", ")). The profile sandbox "
                + "shortens a month to five minutes, and its clock runs.",
            valueName: "name"
        ),
        transform: StoreProfile.init(argument:)
    )
    var profile: StoreProfile?

    @Option(
        help: "Virtual milliseconds per real one; 0 stops the clock (default: 1 with the profile sandbox, else 0).",
        transform: Self.clockSpeed(argument:)
    )
    var clockSpeed: Int64?

    @Option(help: "The bundle identifier of the app that sells (default: com.example.perennial).")
    var bundleId: String?

    @Option(help: "Apple's number of the app, which production payloads contain (default: 6400000001).")
    var appAppleId: Int64?

    @Option(help: "The same seed and the same calls give the same payloads (default: random).")
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "The start of the clock: ISO 8601 (2026-01-31T09:00:00Z) or milliseconds since 1970 (default: now).",
            valueName: "time"
        )
    )
    var now: VirtualTime?

    @Flag(help: .hidden)
    var untilEndOfInput = false

    @Option(
        help: ArgumentHelp(
            "The file that keeps the store and its keys across restarts. A call is answered after its changes are in "
                + "the file. An unusable file is not changed.",
            valueName: "file"
        )
    )
    var data: String?

    @Flag(
        help: ArgumentHelp(
            "Derive the certificates' keys and the signatures (RFC 6979) from the seed, so that tests can compare "
                + "whole runs. The keys of receipts and of clients are new in each run."
        )
    )
    var deterministicSignatures = false

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Refuses a profile of another environment, and invalid identifiers.
    public func validate() throws {
        if let bundleId, !Self.isBundleId(bundleId) {
            throw ValidationError("--bundle-id must be letters, digits, hyphens and dots, such as com.example.app")
        }
        if let appAppleId, appAppleId <= 0 {
            throw ValidationError("--app-apple-id must be a positive number, such as 6400000001")
        }
        guard let environment, let profile, let expected = profile.environment,
            expected != environment.appStoreEnvironment
        else { return }
        throw ValidationError("the profile \(profile.rawValue) is for \(expected.rawValue): omit --environment")
    }

    /// Serves until SIGTERM or SIGINT.
    public func run() async throws {
        let logger = Logger.standardError(label: "perennial.store", level: .notice)
        do {
            let server = try makeServer(logger: logger)
            try await ProgramService.run(server, untilEndOfInput: untilEndOfInput, logger: logger)
        } catch let error as CatalogError {
            throw CommandFailure.report("\(error)", status: .wrongConfiguration)
        } catch let error as CatalogUnreadable {
            throw CommandFailure.report("\(error)", status: .wrongConfiguration)
        } catch let error as StoreFileError {
            throw CommandFailure.report("\(error)", status: error.code == .notWritten ? .failed : .wrongConfiguration)
        } catch let error as StoreOptionConflict {
            throw CommandFailure.report("\(error)", status: .wrongConfiguration)
        } catch let error as ServerStartError {
            throw CommandFailure.report("\(error)", status: .failed)
        }
    }

    private func makeServer(logger: Logger) throws -> LocalAppStoreServer {
        let opening = try StoreOpening(self)
        let configuration = opening.store.configuration
        logger.notice(
            "The local App Store \(ProgramVersion.current) starts",
            metadata: ["environment": "\(configuration.environment)", "seed": "\(configuration.seed)"]
        )
        let server = LocalAppStoreServer(
            store: opening.store,
            key: opening.keys.clientKey,
            rootCertificatePEM: opening.keys.authority.rootCertificatePEM,
            configuration: LocalAppStoreServer.Configuration(
                host: host,
                port: Int(port),
                clockSpeed: clockSpeed ?? (configuration.profile == .sandbox ? 1 : 0),
                allowedHosts: allowedHosts
            ),
            logger: logger,
            realSeconds: { RealTime.milliseconds() / 1000 },
            onListening: { [host] port in
                StandardOutput.printLine("listening on \(ServerAddress(host: host, port: port).url)")
            }
        )
        return opening.withPersistence(server)
    }

    /// The fixed configuration of a new store.
    func storeConfiguration(seed: UInt64) -> LocalAppStore.Configuration {
        var configuration = LocalAppStore.Configuration(
            environment: environment?.appStoreEnvironment ?? profile?.environment ?? .sandbox,
            seed: seed,
            profile: profile
        )
        configuration.bundleId = bundleId ?? configuration.bundleId
        configuration.appAppleId = appAppleId ?? configuration.appAppleId
        return configuration
    }

    /// The catalogue from the command line; the default is the example.
    ///
    /// - Throws: `CatalogError`, `CatalogUnreadable`.
    func loadCatalog() throws -> Catalog {
        guard let catalog else { return try Catalog.example() }
        guard let bytes = FileManager.default.contents(atPath: catalog) else { throw CatalogUnreadable(path: catalog) }
        return try Catalog(storekit: Array(bytes))
    }
}

/// The catalogue's file cannot be read.
private struct CatalogUnreadable: Error, CustomStringConvertible {
    let path: String

    var description: String {
        "catalog_unreadable: \(path) cannot be read: check that the file exists and that you may read it"
    }
}

extension StoreCommand {
    /// Whether a text has the form of a bundle identifier.
    fileprivate static func isBundleId(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
            default: false
            }
        }
        return isPlain && (1...155).contains(text.utf8.count)
    }

    /// Parses a clock speed.
    ///
    /// - Throws: `ValidationError` with the range.
    fileprivate static func clockSpeed(argument: String) throws -> Int64 {
        let range = LocalAppStoreServer.Configuration.clockSpeedRange
        guard let speed = Int64(argument), range.contains(speed) else {
            throw ValidationError("--clock-speed must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return speed
    }
}

extension StoreProfile {
    /// Parses a profile name.
    ///
    /// - Throws: `ValidationError` with the possible names.
    fileprivate init(argument: String) throws {
        guard let profile = StoreProfile(rawValue: argument) else {
            let names = StoreProfile.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("profile_unknown: there is no profile \"\(argument)\"; the profiles are \(names)")
        }
        self = profile
    }
}
