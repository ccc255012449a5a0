import ArgumentParser
import PerennialCommandSupport
import SubscriptionOperations
import SubscriptionStorage

/// `perennial operators keys`: the keys of a person.
struct OperatorKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Add, list and revoke the keys of a person.",
        subcommands: [Add.self, List.self, Revoke.self]
    )

    /// `perennial operators keys add`.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a key and print it. It is shown only once, because only its digest is stored."
        )

        @OptionGroup var target: NamedOperatorOptions

        @OptionGroup var options: OperatorKeyOptions

        func run() async throws {
            let text = try await target.database.run { operators in
                let who = Operator("perennial operators keys add")
                return try await operators.addKey(options.draft, to: target.name, by: who)
            }
            StandardOutput.printLine(text)
        }
    }

    /// `perennial operators keys list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the keys and sessions of a person, oldest first."
        )

        @OptionGroup var target: NamedOperatorOptions

        func run() async throws {
            let view = try await target.database.run { try await $0.view(of: target.name) }
            for line in OperatorText.table(ofKeys: view.keys) { StandardOutput.printLine(line) }
        }
    }

    /// `perennial operators keys revoke`.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                """
                Revoke a key, or end a session. Running servers accept it for at most \
                \(KnownKeys.trustedFor.components.seconds) more seconds.
                """
        )

        @OptionGroup var target: NamedOperatorOptions

        @Argument(
            help: ArgumentHelp(
                "The key as keys list prints it (ok_…3f9a), its identifier, its last characters, or the whole key.",
                valueName: "key"
            )
        )
        var key: String

        func run() async throws {
            let revoked = try await target.database.run { operators in
                let who = Operator("perennial operators keys revoke")
                return try await operators.revokeKey(key, of: target.name, by: who)
            }
            StandardOutput.printLine("revoked \(revoked.shownText)")
        }
    }
}
