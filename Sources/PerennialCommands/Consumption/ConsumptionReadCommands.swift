import AppStoreModel
import ArgumentParser
import Foundation
import PerennialCommandSupport
import SubscriptionServer

/// `perennial consumption list`: refund requests, newest first.
struct ConsumptionListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List refund requests, newest first.",
        discussion: """
            Asks a running server. The secret key comes from --key-file, then from PERENNIAL_API_SECRET_KEY, then \
            from PERENNIAL_DEV_SECRET_KEY.
            """
    )

    @Option(help: ArgumentHelp("Only requests about this purchase, or one of its transactions.", valueName: "id"))
    var purchase: String?

    @Option(help: ArgumentHelp("Only requests about purchases of this customer.", valueName: "app-user-id"))
    var customer: String?

    @OptionGroup var connection: ServerOptions

    @Flag(help: "Print each request as the server returns it, one on a line.")
    var json = false

    /// The path of the list, with the given filters.
    var path: String {
        let given = [("purchase_id", purchase), ("app_user_id", customer)].compactMap { name, value in
            value.map { "\(name)=\(ServerCalls.encoded($0))" }
        }
        return given.isEmpty ? "/v1/refund_requests" : "/v1/refund_requests?\(given.joined(separator: "&"))"
    }

    func validate() throws {
        guard purchase != "", customer != "" else { throw ValidationError("--purchase and --customer need a value.") }
    }

    func run() async throws {
        try await connection.withCalls { server in
            let times = LocalTimes(zone: .current)
            try await server.eachItem(of: path) { request in
                if json {
                    StandardOutput.printLine(String(decoding: request.serialize(), as: UTF8.self))
                } else {
                    StandardOutput.printLine(TerminalText.escapedLine(RefundRequestText(request).line(times)))
                }
            }
        }
    }
}

/// `perennial consumption show`: one refund request.
struct ConsumptionShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a refund request, what the server knew, and what it sent Apple."
    )

    @Argument(help: ArgumentHelp("The refund request.", valueName: "refund-request-id"))
    var id: String

    @OptionGroup var connection: ServerOptions

    @Flag(help: "Print the request as the server returns it.")
    var json = false

    func validate() throws {
        guard !id.isEmpty else { throw ValidationError("Give the id of the refund request.") }
    }

    func run() async throws {
        try await connection.withCalls { server in
            let request = try await server.get("/v1/refund_requests/\(ServerCalls.encoded(id))")
            guard !json else {
                StandardOutput.printLine(String(decoding: request.serialize(), as: UTF8.self))
                return
            }
            for line in RefundRequestText(request).lines(LocalTimes(zone: .current)) {
                StandardOutput.printLine(TerminalText.escapedLine(line))
            }
        }
    }
}
