public import ArgumentParser
import PerennialCommandSupport
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

/// `perennial operators`: the people who operate the server.
public struct OperatorsCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "operators",
        abstract: "Add, list, change and remove the people who operate the server, and their keys.",
        discussion: """
            Example:
              perennial operators add anna --role support
              perennial operators add deploy --role operator --key --label CI
              perennial operators list
            """,
        subcommands: [
            OperatorAddCommand.self, OperatorListCommand.self, OperatorShowCommand.self, OperatorChangeCommand.self,
            OperatorResetCommand.self, OperatorUnlockCommand.self, OperatorRemoveCommand.self,
            OperatorKeysCommand.self,
        ]
    )

    /// Makes the command; the parser sets its values.
    public init() {}
}

/// The database of the operators.
struct OperatorDatabaseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server's database.", valueName: "sqlite:path|postgres://…"))
    var database = "sqlite:perennial.db"

    /// Runs a body with the database, which must exist, and reports errors as commands do.
    func run<Value>(_ body: (OperatorAdministration) async throws -> Value) async throws -> Value {
        do {
            let opened = try await DatabaseAddress.openExisting(database)
            let value = try await body(OperatorAdministration(database: opened))
            try await opened.close()
            return value
        } catch let error as StartError {
            throw CommandFailure.report(
                "\(error)",
                status: error.kind == .configuration ? .wrongConfiguration : .failed
            )
        } catch let error as OperatorError {
            throw CommandFailure.report(
                "\(error)",
                status: error.code == "app_not_configured" ? .wrongConfiguration : .failed
            )
        } catch let error as StorageError {
            throw CommandFailure.report(error.descriptionToReport, status: .failed)
        }
    }
}

/// An operator of the database.
struct NamedOperatorOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The operator's name, in any case.", valueName: "name"))
    var name: String

    @OptionGroup var database: OperatorDatabaseOptions
}

/// The apps of an operator on the command line.
enum OperatorApps {
    /// The apps of `--app`; nil for none, which means all.
    static func apps(_ texts: [String]) -> [AppID]? { texts.isEmpty ? nil : texts.map { AppID(rawValue: $0) } }

    /// - Throws: `ValidationError` for a text that names no app.
    static func check(_ texts: [String]) throws {
        for text in texts where AppID(rawValue: text).environment == nil || text.hasPrefix("/") {
            throw ValidationError("--app must be BUNDLE_ID/production or BUNDLE_ID/sandbox.")
        }
    }
}

/// The options of a new key.
struct OperatorKeyOptions: ParsableArguments {
    private static let daysMax = 3_650

    @Option(help: ArgumentHelp("The days for which the key is valid. For ever without it.", valueName: "days"))
    var expiresIn: Int?

    @Option(help: ArgumentHelp("The purpose of the key, 1 to 60 characters.", valueName: "text"))
    var label: String?

    /// The key to make.
    var draft: OperatorAdministration.KeyDraft {
        OperatorAdministration.KeyDraft(label: label, lifetime: expiresIn.map { Int64($0) * 86_400_000 })
    }

    func validate() throws {
        if let expiresIn, !(1...Self.daysMax).contains(expiresIn) {
            throw ValidationError("--expires-in must be 1 to \(Self.daysMax) days.")
        }
        guard let label else { return }
        guard (1...60).contains(label.count), label.allSatisfy({ !$0.isNewline && $0 != "\0" }) else {
            throw ValidationError("--label must be one line of 1 to 60 characters.")
        }
    }
}

extension OperatorRole: ExpressibleByArgument {}
