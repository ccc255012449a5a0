import AppStoreModel
import ArgumentParser
import Foundation
import PerennialCommandSupport

/// `perennial refunds list`: refunds, newest first.
struct RefundsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List refunds, newest first: what, when, to whom and why."
    )

    @OptionGroup var span: RefundSpanOptions

    @Option(help: ArgumentHelp("Only refunds of this product.", valueName: "product-id"))
    var product: String?

    @Option(help: ArgumentHelp("Only refunds to this customer.", valueName: "app-user-id"))
    var customer: String?

    @Flag(help: "Print each refund as the server returns it, one on a line.")
    var json = false

    @OptionGroup var connection: ServerOptions

    func validate() throws {
        guard product != "", customer != "" else { throw ValidationError("--product and --customer need a value.") }
    }

    func run() async throws {
        let path = span.path("/v1/refunds", [("product_id", product), ("app_user_id", customer)])
        let times = LocalTimes(zone: .current)
        try await connection.withCalls { server in
            try await server.eachItem(of: path) { refund in
                StandardOutput.printLine(
                    json ? String(decoding: refund.serialize(), as: UTF8.self) : RefundText.line(of: refund, times)
                )
            }
        }
    }
}
