import AppStoreModel
import ArgumentParser
import Foundation
import PerennialCommandSupport
import SubscriptionOperations

/// `perennial webhooks deliveries`: the log of an endpoint, or of a customer.
struct WebhookDeliveriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliveries",
        abstract: "List deliveries to an endpoint, the newest events first, or those about a customer."
    )

    /// The most endpoints of which the position is looked at if no delivery is found, and the most events after it.
    private static let endpointsMax = 100
    private static let eventsMax = 1_000

    @Argument(help: ArgumentHelp("The endpoint.", valueName: "endpoint-id"))
    var id: String?

    @Option(help: ArgumentHelp("Only deliveries that are waiting, held or failed.", valueName: "state"))
    var state: String?

    @Option(help: ArgumentHelp("Only deliveries about this customer.", valueName: "app-user-id"))
    var customer: String?

    @OptionGroup var connection: ServerOptions

    @Flag(help: "Print each delivery as the server returns it, one on a line.")
    var json = false

    func validate() throws {
        guard id != nil || customer != nil else { throw ValidationError("Give an endpoint, or --customer.") }
        guard state.map(["waiting", "held", "failed"].contains) ?? true else {
            throw ValidationError("--state must be waiting, held or failed.")
        }
    }

    func run() async throws {
        let times = LocalTimes(zone: .current)
        let given = [("endpoint_id", id), ("state", state), ("app_user_id", customer)].compactMap { name, value in
            value.map { "\(name)=\(ServerCalls.encoded($0))" }
        }
        try await connection.withCalls { server in
            var count = 0
            try await server.eachItem(of: "/v1/webhook_deliveries?\(given.joined(separator: "&"))") { delivery in
                count += 1
                WebhookText.print(delivery, asJSON: json) { [WebhookText.line(ofDelivery: $0, times)] }
            }
            guard count == 0, !json, state == nil else { return }
            StandardOutput.printLine("The log is empty: nothing was sent yet, or what was sent was removed.")
            for line in try await linesAboutUnsentEvents(server) {
                StandardOutput.printLine(TerminalText.escapedLine(line))
            }
        }
    }

    /// What explains an empty log: a delivery has no row before its first attempt.
    private func linesAboutUnsentEvents(_ server: ServerCalls) async throws -> [String] {
        let endpoints: [JSONObject]
        if let id {
            endpoints = [try await server.get("/v1/webhook_endpoints/\(ServerCalls.encoded(id))")]
        } else {
            let page = try await server.get("/v1/webhook_endpoints?limit=\(Self.endpointsMax)")
            endpoints = page.objects("data")
        }
        var lines: [String] = []
        for endpoint in endpoints {
            guard let position = endpoint["after"]?.stringValue else { continue }
            let path = "/v1/events?limit=\(Self.eventsMax)&after=\(ServerCalls.encoded(position))"
            let types = endpoint.texts("event_types")
            let next = try await server.get(path)["data"]?.arrayValue ?? []
            let isBehind = next.contains { event in
                WebhookEventTypes.contain(event.objectValue?["type"]?.stringValue ?? "", in: types)
            }
            guard isBehind else { continue }
            lines.append(
                "\(WebhookText.line(ofEndpoint: endpoint)): events still wait to be sent for the first time, in order."
            )
        }
        return lines
    }
}

/// `perennial webhooks resend`: sends something again.
struct WebhookResendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resend",
        abstract: "Send a delivery again, or a part of the feed to an endpoint.",
        discussion: """
            With the id of a delivery (wd_…), that one. With the id of an endpoint (we_…), the events after --after up \
            to --through, in order per customer. They keep their webhook-id, so a receiver knows what it had.
            """
    )

    @Argument(help: ArgumentHelp("A delivery, or an endpoint.", valueName: "id"))
    var id: String

    @Option(
        help: ArgumentHelp("The event before the first one, or beginning for the whole feed.", valueName: "event-id")
    )
    var after: String?

    @Option(help: ArgumentHelp("The last event. The newest without it.", valueName: "event-id"))
    var through: String?

    @OptionGroup var connection: ServerOptions

    @Flag(help: "Print what the server returns.")
    var json = false

    func validate() throws {
        guard id.hasPrefix("wd_") || id.hasPrefix("we_") else {
            throw ValidationError("Give the id of a delivery, wd_…, or of an endpoint, we_….")
        }
        guard id.hasPrefix("we_") || (after == nil && through == nil) else {
            throw ValidationError("--after and --through need an endpoint.")
        }
        guard id.hasPrefix("wd_") || after != nil else {
            throw ValidationError("Give --after: an event, or beginning for the whole feed.")
        }
    }

    func run() async throws {
        let times = LocalTimes(zone: .current)
        try await connection.withCalls { server in
            guard id.hasPrefix("we_") else {
                let sent = try await server.post("/v1/webhook_deliveries/\(ServerCalls.encoded(id))/resend", [:])
                WebhookText.print(sent, asJSON: json) { [WebhookText.line(ofDelivery: $0, times)] }
                return
            }
            var (start, count, hasMore) = (after, Int64(0), true)
            while hasMore {
                var body = JSONObject()
                if let start { body["after"] = .string(start) }
                if let through { body["through"] = .string(through) }
                let path = "/v1/webhook_endpoints/\(ServerCalls.encoded(id))/resend"
                let part = try await server.post(path, body)
                if case .integer(let events)? = part["events"] { count += events }
                start = part["next_cursor"]?.stringValue
                hasMore = part["has_more"] == .bool(true)
            }
            let sent: JSONObject = ["endpoint_id": .string(id), "events": .integer(count)]
            WebhookText.print(sent, asJSON: json) { _ in ["\(id): \(count) events are sent again."] }
        }
    }
}
