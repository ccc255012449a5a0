import ArgumentParser
import PerennialCommandSupport
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

extension KeysCommand {
    /// `perennial keys rotate-signing`.
    struct RotateSigning: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-signing",
            abstract:
                """
                Create a new signing key for entitlement tokens, and delete the old private key. The old public key \
                is published until its tokens expire.
                """
        )

        @Option(help: ArgumentHelp("The server's database.", valueName: "sqlite:path|postgres://…"))
        var database = "sqlite:perennial.db"

        func run() async throws {
            do {
                let opened = try await DatabaseAddress.openExisting(database)
                let id = try await EntitlementTokens.rotate(
                    in: opened,
                    at: SystemTimeSource().now(),
                    by: Operator("perennial keys rotate-signing")
                )
                try await opened.close()
                StandardOutput.printLine(id)
            } catch let error as StartError {
                throw CommandFailure.report(
                    "\(error)",
                    status: error.kind == .configuration ? .wrongConfiguration : .failed
                )
            } catch let error as StorageError {
                throw CommandFailure.report(error.descriptionToReport, status: .failed)
            }
        }
    }
}
