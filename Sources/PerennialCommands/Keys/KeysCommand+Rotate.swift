import ArgumentParser
import PerennialCommandSupport
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

extension KeysCommand {
    /// `perennial keys rotate`.
    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a key with the same rights and print it. The old key is accepted for some more hours.",
            discussion: """
                Deploy the new key within the overlap. With --overlap-hours 0 the old key ends at once. For the key \
                that signs entitlement tokens use perennial keys rotate-signing.
                """
        )

        @OptionGroup var target: Target

        @Option(help: ArgumentHelp("How long the old key is still accepted.", valueName: "hours"))
        var overlapHours = 24

        @Argument(help: keyHelp)
        var key: String

        func validate() throws {
            let most = APIKeys.overlapMax / 3_600_000
            guard (0...most).contains(Int64(overlapHours)) else {
                throw ValidationError("--overlap-hours must be a number from 0 to \(most).")
            }
        }

        func run() async throws {
            let (new, old) = try await target.use { keys throws(OperationError) in
                try await keys.rotate(
                    key,
                    overlapMilliseconds: Int64(overlapHours) * 3_600_000,
                    app: target.appID,
                    by: Operator("perennial keys rotate")
                )
            }
            StandardOutput.printLine(new.text)
            let made = new.view.record
            let lifetime = made.expiresAt.flatMap { UTCTime.text(milliseconds: $0.milliseconds) } ?? "it is revoked"
            let scope = made.kind == .secret ? " with the scope \(made.scope.rawValue)" : ""
            StandardError.printLine("\(made.shownText)\(scope) is accepted until \(lifetime)")
            let end = old.record.expiresAt.flatMap { UTCTime.text(milliseconds: $0.milliseconds) } ?? "now"
            StandardError.printLine("\(old.record.shownText) is accepted until \(end)")
        }
    }
}
