public import ArgumentParser
import PerennialCommandSupport
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

/// `perennial keys`: the keys of the server's own API.
public struct KeysCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Create, list, rotate and revoke API keys, and rotate the key that signs entitlement tokens.",
        subcommands: [Create.self, List.self, Rotate.self, Revoke.self, RotateSigning.self]
    )

    /// Makes the command; the parser sets its values.
    public init() {}

    /// The common options of the subcommands for an app's keys.
    struct Target: ParsableArguments {
        @Option(help: ArgumentHelp("The server's database.", valueName: "sqlite:path|postgres://…"))
        var database = "sqlite:perennial.db"

        @Option(help: "The app's bundle identifier.")
        var bundleId: String

        @Option(help: "sandbox or production.")
        var environment: StoreEnvironment = .sandbox

        var appID: AppID { AppID(bundleID: bundleId, environment: environment) }

        /// Runs a body with the keys of the database, which must exist, and reports errors as commands do.
        func use<Value>(_ body: (APIKeys) async throws(OperationError) -> Value) async throws -> Value {
            do {
                let database = try await DatabaseAddress.openExisting(database)
                let value = try await body(APIKeys(database: database))
                try await database.close()
                return value
            } catch let error as StartError {
                throw CommandFailure.report(
                    "\(error)",
                    status: error.kind == .configuration ? .wrongConfiguration : .failed
                )
            } catch let error as StorageError {
                throw CommandFailure.report(error.descriptionToReport, status: .failed)
            } catch let error as OperationError {
                throw CommandFailure.report(
                    TerminalText.escaped("\(error.code): \(error.message)"),
                    status: error.code == "app_not_configured" ? .wrongConfiguration : .failed
                )
            }
        }
    }

    /// `perennial keys create`.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a key and print it. It is shown only once, because only its digest is stored."
        )

        @OptionGroup var target: Target

        @Option(help: "sk (servers) or pk (apps).")
        var kind: APIKeyRecord.Kind = .secret

        @Option(
            help: """
                What a secret key may do: read; write (one customer); operate (campaigns, erasure, recovery); \
                admin (everything) (default: admin).
                """
        )
        var scope: KeyScope?

        @Option(help: ArgumentHelp("After how many days it stops being accepted (default: never).", valueName: "days"))
        var expiresIn: Int?

        @Option(help: "The purpose of the key, 1 to 60 characters; keys list prints it.")
        var label: String?

        func validate() throws {
            if let label, !APIKeys.isLabel(label) {
                throw ValidationError("--label must be one line of 1 to \(APIKeys.labelCharactersMax) characters.")
            }
            if let expiresIn, !(1...3_650).contains(expiresIn) {
                throw ValidationError("--expires-in must be a number of days from 1 to 3650.")
            }
            guard kind == .secret || scope == nil else {
                throw ValidationError("--scope is for secret keys: a publishable key has none.")
            }
        }

        func run() async throws {
            var draft = APIKeys.Draft(kind: kind, scope: scope ?? (kind == .secret ? .admin : .read), label: label)
            draft.expiresAt = expiresIn.map { days in
                SystemTimeSource().now().adding(milliseconds: Int64(days) * 86_400_000)
            }
            let new = try await target.use { [draft] keys throws(OperationError) in
                try await keys.create(draft, app: target.appID, by: Operator("perennial keys create"))
            }
            StandardOutput.printLine(new.text)
        }
    }

    /// `perennial keys list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List an app's keys, oldest first, with what they may do and when they were last used."
        )

        @OptionGroup var target: Target

        func run() async throws {
            let views = try await target.use { keys throws(OperationError) in try await keys.list(of: target.appID) }
            let now = SystemTimeSource().now()
            for line in KeyTable(views.map { KeyTable.Row($0, at: now) }).lines { StandardOutput.printLine(line) }
        }
    }
}

extension KeyTable.Row {
    fileprivate init(_ view: APIKeys.View, at now: Timestamp) {
        let record = view.record
        self.init(
            key: record.shownText,
            id: record.publicID,
            kind: record.kind == .secret ? "secret" : "publishable",
            scope: record.kind == .secret ? record.scope.rawValue : nil,
            createdAt: record.createdAt.milliseconds,
            expiresAt: record.expiresAt?.milliseconds,
            isExpired: record.expiresAt.map { $0 <= now } ?? false,
            lastUsedAt: view.lastUsedAt?.milliseconds,
            label: record.label
        )
    }
}

extension StoreEnvironment: ExpressibleByArgument {}
extension APIKeyRecord.Kind: ExpressibleByArgument {}
extension KeyScope: ExpressibleByArgument {}
