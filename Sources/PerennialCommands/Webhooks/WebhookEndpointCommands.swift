import AppStoreModel
import ArgumentParser
import Foundation
import PerennialCommandSupport

/// `perennial webhooks list`: the endpoints.
struct WebhookListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the endpoints, oldest first."
    )

    @OptionGroup var connection: ServerOptions

    @Flag(help: "Print each endpoint as the server returns it, one on a line.")
    var json = false

    func run() async throws {
        try await connection.withCalls { server in
            try await server.eachItem(of: "/v1/webhook_endpoints") { endpoint in
                WebhookText.print(endpoint, asJSON: json) { [WebhookText.line(ofEndpoint: $0)] }
            }
        }
    }
}

/// `perennial webhooks add`: makes an endpoint.
struct WebhookAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an endpoint, and show its secret once."
    )

    @Argument(help: ArgumentHelp("The address: public, and https.", valueName: "url"))
    var url: String

    @Option(
        help: ArgumentHelp(
            "The types of events, separated by commas; alerts for problems. All without it.",
            valueName: "types"
        )
    )
    var events: String?

    @Option(help: ArgumentHelp("events, state, apple, revenuecat or text.", valueName: "form"))
    var form: String?

    @Option(help: ArgumentHelp("A description for people.", valueName: "text"))
    var label: String?

    @Option(
        help: ArgumentHelp(
            "Begin after this event (evt_…), or with the first one: beginning. Without it, from now on.",
            valueName: "event-id"
        )
    )
    var after: String?

    @Option(help: ArgumentHelp("A file with the value of Authorization; - reads standard input.", valueName: "file"))
    var authorizationFile: InputFile?

    @Flag(help: "Sign with an Ed25519 key pair instead of a shared secret.")
    var ed25519 = false

    @OptionGroup var connection: ServerOptions

    @Flag(help: "Print what the server returns.")
    var json = false

    func run() async throws {
        let times = LocalTimes(zone: .current)
        try await connection.withCalls { server in
            var body = JSONObject()
            body["url"] = .string(url)
            if let events { body["event_types"] = .types(events) }
            if let form { body["form"] = .string(form) }
            if let label { body["label"] = .string(label) }
            if let after { body["after"] = .string(after) }
            if ed25519 { body["signature"] = .string("ed25519") }
            if let value = try authorizationFile?.readText().trimmingCharacters(in: .whitespacesAndNewlines) {
                body["authorization"] = .string(value)
            }
            let made = try await server.post("/v1/webhook_endpoints", body)
            WebhookText.print(made, asJSON: json) { WebhookText.lines(ofEndpoint: $0, times) }
        }
    }
}

/// `perennial webhooks show`: an endpoint with its health.
struct WebhookShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an endpoint: how far it is, and whether it takes webhooks."
    )

    @OptionGroup var endpoint: WebhookEndpointOptions

    func run() async throws {
        let times = LocalTimes(zone: .current)
        try await endpoint.connection.withCalls { server in
            let found = try await server.get(endpoint.path())
            WebhookText.print(found, asJSON: endpoint.json) { WebhookText.lines(ofEndpoint: $0, times) }
        }
    }
}

/// `perennial webhooks change`: changes an endpoint.
struct WebhookChangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Change an endpoint, or enable or disable it. An enabled endpoint goes on where it stopped."
    )

    @OptionGroup var endpoint: WebhookEndpointOptions

    @Option(help: ArgumentHelp("The new address.", valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("The types of events, separated by commas; * for all.", valueName: "types"))
    var events: String?

    @Option(help: ArgumentHelp("A description for people.", valueName: "text"))
    var label: String?

    @Option(
        help: ArgumentHelp("A file with the new value of Authorization; - reads standard input.", valueName: "file")
    )
    var authorizationFile: InputFile?

    @Flag(help: "Send no Authorization any more.")
    var noAuthorization = false

    @Flag(help: "Send webhooks.")
    var enable = false

    @Flag(help: "Stop sending webhooks.")
    var disable = false

    func validate() throws {
        let isChange =
            url != nil || events != nil || label != nil || authorizationFile != nil || noAuthorization || enable
            || disable
        guard isChange, !(enable && disable) else {
            throw ValidationError(
                "Give what to change: --url, --events, --label, --authorization-file, --no-authorization, --enable or "
                    + "--disable."
            )
        }
        guard authorizationFile == nil || !noAuthorization else {
            throw ValidationError("Give --authorization-file or --no-authorization, not both.")
        }
    }

    func run() async throws {
        let times = LocalTimes(zone: .current)
        try await endpoint.connection.withCalls { server in
            var body = JSONObject()
            if let url { body["url"] = .string(url) }
            if let events { body["event_types"] = .types(events) }
            if let label { body["label"] = .string(label) }
            if let value = try authorizationFile?.readText().trimmingCharacters(in: .whitespacesAndNewlines) {
                body["authorization"] = .string(value)
            }
            if noAuthorization { body["authorization"] = .null }
            if enable || disable { body["enabled"] = .bool(enable) }
            let changed = try await server.patch(endpoint.path(), body)
            WebhookText.print(changed, asJSON: endpoint.json) { WebhookText.lines(ofEndpoint: $0, times) }
        }
    }
}

/// `perennial webhooks rotate`: replaces the secret of an endpoint.
struct WebhookRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Replace the secret. The old one signs too until the overlap has passed."
    )

    private static let hoursMax = 168

    @OptionGroup var endpoint: WebhookEndpointOptions

    @Option(help: ArgumentHelp("How many hours the old secret is used too, 0 to 168.", valueName: "hours"))
    var overlapHours = 24

    func validate() throws {
        guard (0...Self.hoursMax).contains(overlapHours) else {
            throw ValidationError("--overlap-hours must be a number from 0 to \(Self.hoursMax).")
        }
    }

    func run() async throws {
        let times = LocalTimes(zone: .current)
        try await endpoint.connection.withCalls { server in
            let body: JSONObject = ["overlap_ms": .integer(Int64(overlapHours) * 3_600_000)]
            let rotated = try await server.post(endpoint.path("/rotate"), body)
            WebhookText.print(rotated, asJSON: endpoint.json) { WebhookText.lines(ofEndpoint: $0, times) }
        }
    }
}

/// `perennial webhooks test`: sends a test message.
struct WebhookTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Send a signed test message now. The exit status is 1 if the endpoint does not take it."
    )

    @OptionGroup var endpoint: WebhookEndpointOptions

    func run() async throws {
        try await endpoint.connection.withCalls { server in
            let result = try await server.post(endpoint.path("/test"), [:])
            WebhookText.print(result, asJSON: endpoint.json) { result in
                let id = result["message_id"]?.stringValue ?? "?"
                let attempt = result["attempt"]?.objectValue.map(WebhookText.result) ?? "?"
                return ["\(result["delivered"] == .bool(true) ? "delivered" : "not delivered"): \(id)", "  \(attempt)"]
            }
            guard result["delivered"] == .bool(true) else { throw ExitCode.failure }
        }
    }
}

/// `perennial webhooks remove`: removes an endpoint.
struct WebhookRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an endpoint and the log of its deliveries."
    )

    private static let deadline = Duration.seconds(600)

    @OptionGroup var endpoint: WebhookEndpointOptions

    func run() async throws {
        try await endpoint.connection.withCalls { server in
            let removed = try await server.delete(endpoint.path(), within: Self.deadline)
            WebhookText.print(removed, asJSON: endpoint.json) { ["\($0["id"]?.stringValue ?? "?") is removed."] }
        }
    }
}

extension JSONValue {
    /// The types of an option, separated by commas.
    static func types(_ text: String) -> JSONValue {
        .array(text.split(separator: ",").map { .string($0.trimmingCharacters(in: .whitespaces)) })
    }
}
