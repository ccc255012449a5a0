import ArgumentParser
import PerennialCommandSupport
import SubscriptionOperations
import SubscriptionStorage

extension KeysCommand {
    /// The name of a key on the command line.
    static let keyHelp = ArgumentHelp(
        "The key as keys list prints it (sk_…3f9a), its identifier, its last four characters, or the whole key.",
        valueName: "key"
    )

    /// `perennial keys revoke`.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                """
                Revoke a key. Running servers accept it for at most \(KnownKeys.trustedFor.components.seconds) more \
                seconds.
                """
        )

        @OptionGroup var target: Target

        @Argument(help: keyHelp)
        var key: String

        func run() async throws {
            let view = try await target.use { keys throws(OperationError) in
                try await keys.revoke(key, app: target.appID, by: Operator("perennial keys revoke"))
            }
            StandardOutput.printLine("revoked \(view.record.shownText)")
        }
    }
}
