import AppStoreModel
import ArgumentParser
import PerennialCommandSupport

/// `perennial webhooks listen`: shows events as a receiver gets them.
struct WebhookListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Receive webhooks on this machine and print one line for each, until Ctrl-C.",
        discussion: """
            Adds an endpoint with an address of this machine, checks each signature, and removes the endpoint at the \
            end. The server must run on this machine and may call it: it follows a local store, or \
            webhooks.allow_private_addresses is set. Each line has the type, the customer and the state_version.
            """
    )

    @Option(help: ArgumentHelp("The types of events, separated by commas. All without it.", valueName: "types"))
    var events: String?

    @Option(
        help: ArgumentHelp("Begin after this event (evt_…), or with the first one: beginning.", valueName: "event-id")
    )
    var after: String?

    @Option(help: ArgumentHelp("End after this number of events.", valueName: "number"))
    var count: Int?

    @OptionGroup var connection: ServerOptions

    @Flag(help: "Print each body as it arrives, one on a line.")
    var json = false

    func validate() throws {
        guard count ?? 1 > 0 else { throw ValidationError("--count must be 1 or more.") }
    }

    func run() async throws {
        let signals = StopSignals()
        defer { signals.stop() }
        let (messages, message) = AsyncStream.makeStream(of: WebhookReceiver.Message.self)
        try await connection.withCalls { server in
            try await WebhookReceiver.use { received in
                message.yield(received)
                return received.isGenuine ? 204 : 400
            } _: { receiver, url in
                let endpoint = try await add(url, to: server)
                if let secret = endpoint.secret { receiver.verify(with: secret) }
                let outcome = await show(messages, until: signals)
                _ = try await server.delete("/v1/webhook_endpoints/\(ServerCalls.encoded(endpoint.id))")
                guard outcome else { throw ExitCode.failure }
            }
        }
    }

    private func add(_ url: String, to server: ServerCalls) async throws -> (id: String, secret: String?) {
        var body: JSONObject = ["url": .string(url), "label": "perennial webhooks listen"]
        if let events { body["event_types"] = .types(events) }
        if let after { body["after"] = .string(after) }
        let made = try await server.post("/v1/webhook_endpoints", body)
        let secret = made["secrets"]?.arrayValue?.first?.objectValue?["secret"]?.stringValue
        return (made["id"]?.stringValue ?? "", secret)
    }

    /// Prints messages until there were enough, a signal arrives, or the output is closed.
    ///
    /// - Returns: Whether every signature was valid.
    private func show(_ messages: AsyncStream<WebhookReceiver.Message>, until signals: StopSignals) async -> Bool {
        await withTaskGroup(of: Bool?.self) { group in
            group.addTask {
                for await _ in signals.received { break }
                return true
            }
            group.addTask { [json, count] in
                var shown = 0
                for await message in messages {
                    guard message.isGenuine else { return false }
                    StandardOutput.printLine(json ? String(decoding: message.body, as: UTF8.self) : Self.line(message))
                    shown += 1
                    if shown == count { return true }
                }
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first ?? true
        }
    }

    private static func line(_ message: WebhookReceiver.Message) -> String {
        guard let object = try? JSONParser.parseObject(message.body) else {
            return TerminalText.escapedLine(message.id)
        }
        let data = object["data"]?.objectValue
        let customer = data?["app_user_id"]?.stringValue ?? "-"
        var version = "-"
        if case .integer(let number)? = data?["state_version"] { version = "\(number)" }
        return TerminalText.escapedLine("\(object["type"]?.stringValue ?? "?")  \(customer)  \(version)")
    }
}
