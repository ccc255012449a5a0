import AppStoreModel
import AppStoreSigning
public import ArgumentParser
import Foundation
import LocalAppStore
import LocalAppStoreServer
import Logging
import SubscriptionServer

/// `perennial store`: a local App Store on a port.
public struct StoreCommand: AsyncParsableCommand {
    /// How the command is named and explained.
    public static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Run a local App Store: Apple's server API, signed notifications, a virtual clock.",
        discussion: """
            Apple's API answers at Apple's own paths (/inApps/…), the store's own calls are under /_store/. The first \
            line of standard output is the address. The clock stands still until POST /_store/clock/advance moves it.
            """
    )

    /// Apple's two environments, as the command line names them.
    enum Environment: String, ExpressibleByArgument, CaseIterable {
        case sandbox, production

        /// The name that payloads carry.
        var appStoreEnvironment: AppStoreEnvironment {
            switch self {
            case .sandbox: .sandbox
            case .production: .production
            }
        }
    }

    @Option(help: "The port to listen on; 0 picks a free one.")
    var port: UInt16 = 8081

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The products, as an Xcode .storekit file; without it an example.", valueName: "file"))
    var catalog: String?

    @Option(
        help: """
            Names the payloads, and picks Apple's rules for delivery: production retries, sandbox tries once. Without \
            it, what the profile is about, or sandbox.
            """
    )
    var environment: Environment?

    @Option(help: "A named behaviour of Apple's servers; without it the plain rules of the environment.")
    var profile: StoreProfile?

    @Option(help: "Reproduces a run: the same seed and the same calls give the same payloads.")
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "Where the clock starts: ISO 8601 (2026-01-31T09:00:00Z) or milliseconds since 1970; without it, now.",
            valueName: "time"
        )
    )
    var now: VirtualTime?

    @Flag(help: .hidden)
    var untilEndOfInput = false

    /// Makes the command; the parser fills it in.
    public init() {}

    /// Refuses a profile of another environment.
    public func validate() throws {
        guard let environment, let profile, let expected = profile.environment,
            expected != environment.appStoreEnvironment
        else { return }
        throw ValidationError("the profile \(profile.rawValue) is about \(expected.rawValue): leave --environment out")
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
        } catch let error as ServerStartError {
            throw CommandFailure.report("\(error)", status: .failed)
        }
    }

    private func makeServer(logger: Logger) throws -> LocalAppStoreServer {
        let authority = try TestAuthority()
        let seed = seed ?? .random(in: 0...UInt64(Int64.max))
        let environment = environment?.appStoreEnvironment ?? profile?.environment ?? .sandbox
        let store = LocalAppStore(
            configuration: LocalAppStore.Configuration(environment: environment, seed: seed, profile: profile),
            catalog: try loadCatalog(),
            signer: authority.signer,
            receipts: try TestReceiptAuthority(under: authority),
            now: now?.milliseconds ?? RealTime.milliseconds()
        )
        logger.notice("the store opens", metadata: ["environment": "\(environment.rawValue)", "seed": "\(seed)"])
        return LocalAppStoreServer(
            store: store,
            key: InAppPurchaseKey.generate(),
            rootCertificatePEM: authority.rootCertificatePEM,
            configuration: LocalAppStoreServer.Configuration(host: host, port: Int(port)),
            logger: logger,
            realSeconds: { RealTime.milliseconds() / 1000 },
            onListening: { [host] port in
                StandardOutput.printLine("listening on \(ServerAddress(host: host, port: port).url)")
            }
        )
    }

    private func loadCatalog() throws -> Catalog {
        guard let catalog else { return try Catalog.example() }
        guard let bytes = FileManager.default.contents(atPath: catalog) else { throw CatalogUnreadable(path: catalog) }
        return try Catalog(storekit: Array(bytes))
    }
}

/// The catalogue's file cannot be read.
private struct CatalogUnreadable: Error, CustomStringConvertible {
    let path: String

    var description: String {
        "catalog_unreadable: \(path) cannot be read: check that the file is there and that you may read it"
    }
}

extension StoreProfile: ExpressibleByArgument {}
