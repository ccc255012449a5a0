import AppStoreModel
import ArgumentParser
import Foundation
import PerennialCommandSupport
import SubscriptionServer

/// `perennial consumption list`: all refund requests.
struct ConsumptionListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List refund requests, newest first.",
        discussion: """
            Asks a running server. The secret key comes from --key-file, then from PERENNIAL_API_SECRET_KEY, then \
            from PERENNIAL_DEV_SECRET_KEY.
            """
    )

    @OptionGroup var connection: ServerOptions

    @Flag(help: "Print each request as the server returns it, one on a line.")
    var json = false

    func run() async throws {
        try await connection.withCalls { server in
            let times = LocalTimes(zone: .current)
            try await server.eachItem(of: "/v1/refund_requests") { request in
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
