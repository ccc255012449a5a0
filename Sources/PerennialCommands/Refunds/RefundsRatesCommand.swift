import AppStoreModel
import ArgumentParser
import PerennialCommandSupport

/// `perennial refunds rates`: how often charges are refunded.
struct RefundsRatesCommand: AsyncParsableCommand {
    /// What refunds are grouped by.
    enum Grouping: String, CaseIterable, ExpressibleByArgument {
        case product, storefront, reason
    }

    static let configuration = CommandConfiguration(
        commandName: "rates",
        abstract: "Show how often charges are refunded, by product, storefront or reason.",
        discussion: """
            The time is the last 30 days by default. Refunds count when they are made, charges when they are made: a \
            rate of a short time is about different charges than its refunds.
            """
    )

    /// The server may read many events.
    private static let deadline = Duration.seconds(120)

    @OptionGroup var span: RefundSpanOptions

    @Option(help: "What refunds are grouped by: product, storefront or reason.")
    var by = Grouping.product

    @Flag(help: "Print the rates as the server returns them.")
    var json = false

    @OptionGroup var connection: ServerOptions

    func run() async throws {
        let path = span.path("/v1/refunds/rates", [("by", by.rawValue)])
        try await connection.withCalls { server in
            let rates = try await server.get(path, within: Self.deadline)
            guard !json else {
                StandardOutput.printLine(String(decoding: rates.serialize(), as: UTF8.self))
                return
            }
            for case .object(let group) in rates["data"]?.arrayValue ?? [] {
                StandardOutput.printLine(RefundText.line(ofGroup: group))
            }
            guard rates["complete"] == .bool(false) else { return }
            StandardError.printLine("The server is still reading refunds from before its last upgrade.")
        }
    }
}
