import ArgumentParser
import PerennialCommandSupport
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

extension KeysCommand {
    /// `perennial keys rotate`.
    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a new key for entitlement tokens. The old one signs nothing any more, and is destroyed; its"
                + " public part is shown until its tokens have ended."
        )

        @Option(help: ArgumentHelp("Where the server keeps everything.", valueName: "sqlite:path|postgres://…"))
        var database = "sqlite:perennial.db"

        func run() async throws {
            do {
                let opened = try await DatabaseAddress.openExisting(database)
                let id = try await EntitlementTokens.rotate(
                    in: opened,
                    at: SystemTimeSource().now(),
                    by: Operator("perennial keys rotate")
                )
                try await opened.close()
                StandardOutput.printLine(id)
            } catch let error as StartError {
                throw CommandFailure.report(
                    "\(error)",
                    status: error.kind == .configuration ? .wrongConfiguration : .failed
                )
            } catch let error as StorageError {
                throw CommandFailure.report("\(error)", status: .failed)
            }
        }
    }
}
