public import ArgumentParser
import SubscriptionCore

/// `perennial refunds`: what customers got back.
public struct RefundsCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "refunds",
        abstract: "List refunds, and show how often charges are refunded.",
        discussion: """
            Queries a running server. The secret key comes from --key-file, then from PERENNIAL_API_SECRET_KEY, then \
            from PERENNIAL_DEV_SECRET_KEY. Times are in the time zone of this machine.

            Example:
              perennial refunds list --from 2026-11-01 --product pro.monthly
              perennial refunds list --customer u_42 --json
              perennial refunds rates --from 2026-10-01 --to 2026-11-01 --by storefront
            """,
        subcommands: [RefundsListCommand.self, RefundsRatesCommand.self]
    )

    /// Makes the command; the parser sets its values.
    public init() {}
}

/// The time of a command about refunds.
struct RefundSpanOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The start, in ISO 8601 or milliseconds since 1970.", valueName: "time"))
    var from: String?

    @Option(help: ArgumentHelp("The end; refunds at this time are not included.", valueName: "time"))
    var to: String?

    func validate() throws {
        for (text, option) in [(from, "--from"), (to, "--to")] {
            guard let text, Timestamp(text: text) == nil else { continue }
            throw ValidationError(
                "\(option) must be a time such as 2026-11-20T00:00:00Z, or milliseconds since 1970; not \"\(text)\"."
            )
        }
    }

    /// A path with the time and further parameters.
    func path(_ path: String, _ parameters: [(String, String?)] = []) -> String {
        let all: [(String, String?)] = [("from", from), ("to", to)] + parameters
        let given = all.compactMap { name, value in
            value.map { "\(name)=\(ServerCalls.encoded($0))" }
        }
        return given.isEmpty ? path : "\(path)?\(given.joined(separator: "&"))"
    }
}
