import AppStoreModel
import AppStoreSigning
import NIOCore
import NIOHTTP1
import NIOPosix
import PerennialCommandSupport
import Synchronization

/// Measures deliveries of webhooks.
struct WebhooksBenchmark {
    private static let connections = 64
    /// The notifications whose events all endpoints get: with a thousand endpoints they take longer than the deadline
    /// of a request, so that requests to receivers that never answer fail in the meantime.
    private static let sharedNotificationsMax = 100

    /// The discard port: nobody listens there.
    private static let refusingURL = "http://127.0.0.1:9/"

    var subscriptions: Int
    var months: Int
    /// The rate of the latency measurement, in notifications per second.
    var pace: Int
    /// The number of receivers that get each event.
    var endpoints: Int
    /// The number of further receivers: every other one never answers, the rest refuse connections.
    var dead: Int
    /// The database; nil for a temporary SQLite file.
    var database: EmptyDatabase?

    /// The results, one object for programs.
    func run() async throws -> JSONObject {
        let load = try ServerUnderLoad(subscriptions: subscriptions, period: "P\(months)M")
        let raw = try RawSignature().costNanoseconds()
        let arrivals = WebhookArrivals()
        return try await WebhookReceiver.use(answer: arrivals.take) { _, url in
            try await load.use(database, filledBy: nil) { running in
                _ = try await running.send(load.payloads.prefix(subscriptions / 10), connections: Self.connections)
            } measure: { running in
                try await measure(running, load.payloads, arrivals, url, raw)
            }
        }
    }

    private func measure(
        _ running: ServerUnderLoad.Running,
        _ payloads: [[UInt8]],
        _ arrivals: WebhookArrivals,
        _ url: String,
        _ raw: Double
    ) async throws -> JSONObject {
        // A tenth of a round was sent before. The last notifications are for all endpoints.
        let shared = min(Self.sharedNotificationsMax, payloads.count / 10)
        let rest = payloads.dropFirst(subscriptions / 10).dropLast(2 * shared)
        let atPace = rest.suffix(rest.count / 4)
        let intake = try await measureIntake(running, rest.dropLast(atPace.count), arrivals, url)

        let (start, before) = (ContinuousClock.now, try running.usage())
        let whole = try await running.addEndpoint(url, ["after": "beginning"])
        let events = try await running.wait(for: whole)
        let seconds = (ContinuousClock.now - start).inSeconds
        let cpu = try running.usage().cpuSeconds - before.cpuSeconds
        guard arrivals.count >= events else { throw BenchmarkError.noServer }
        let without = intake.without.microseconds
        let delivering = intake.delivering.microseconds(withoutWebhooksCosting: cpu / Double(events))

        let latency = try await arrivals.latency { sent in
            _ = try await running.send(
                atPace,
                connections: Self.connections,
                perSecond: Double(pace),
                onSend: sent
            )
            _ = try await running.wait(for: whole)
        }
        try await running.removeEndpoint(whole)

        let last = payloads.suffix(2 * shared)
        var all: [String] = []
        for _ in 0..<endpoints { all.append(try await running.addEndpoint(url, [:])) }
        let alive = try await running.share(last.prefix(shared), with: all, arrivals)
        let withDead = try await SilentReceiver.use { silentURL in
            for number in 0..<dead {
                _ = try await running.addEndpoint(number.isMultiple(of: 2) ? silentURL : Self.refusingURL, [:])
            }
            return try await running.share(last.suffix(shared), with: all, arrivals)
        }
        return [
            "benchmark": "webhooks",
            "build": .string(VerificationReport.build),
            "database": .string(running.engine),
            "raw_p256_microseconds": .rounded(raw / 1e3, 1),
            "events": .integer(Int64(events)),
            "deliveries_per_second": .rounded(Double(events) / seconds, 0),
            "delivery_cpu_microseconds": .rounded(cpu / Double(events) * 1e6, 0),
            "deliveries_per_cpu_second": .rounded(Double(events) / cpu, 0),
            "ingest_cpu_microseconds": .rounded(without, 0),
            "ingest_cpu_microseconds_with_endpoint": .rounded(intake.with.microseconds, 0),
            "ingest_cpu_ratio": .rounded(intake.with.microseconds / without, 3),
            "ingest_cpu_microseconds_delivering": .rounded(delivering, 0),
            "ingest_cpu_ratio_delivering": .rounded(delivering / without, 3),
            "fixed_rate_per_second": .integer(Int64(pace)),
            "fixed_rate_p50_milliseconds": .rounded(latency.milliseconds(atShare: 0.5), 1),
            "fixed_rate_p99_milliseconds": .rounded(latency.milliseconds(atShare: 0.99), 1),
            "endpoints": .integer(Int64(endpoints)),
            "dead_endpoints": .integer(Int64(dead)),
            "shared_per_second": .rounded(alive, 0),
            "shared_per_second_with_dead": .rounded(withDead, 0),
            "shared_ratio": .rounded(withDead / alive, 3),
            "peak_resident_bytes": .integer(try running.usage().peakResidentBytes),
            "time": "server_process_cpu",
        ]
    }
}

extension WebhooksBenchmark {
    /// The number of times that each kind of intake is measured: in turn, because the database grows.
    private static let rounds = 6

    /// The intake without an endpoint, with one that wants none of the events, and with one that gets them all.
    private struct Intake {
        var without = IntakeCost()
        var with = IntakeCost()
        var delivering = IntakeCost()
    }

    private func measureIntake(
        _ running: ServerUnderLoad.Running,
        _ payloads: ArraySlice<[UInt8]>,
        _ arrivals: WebhookArrivals,
        _ url: String
    ) async throws -> Intake {
        var intake = Intake()
        let part = payloads.count / (3 * Self.rounds)
        var rest = payloads
        for _ in 0..<Self.rounds {
            intake.without += try await running.ingest(rest.prefix(part))
            rest = rest.dropFirst(part)
            let idle = try await running.addEndpoint(url, ["event_types": .array(["customer.aliased"])])
            intake.with += try await running.ingest(rest.prefix(part))
            rest = rest.dropFirst(part)
            try await running.removeEndpoint(idle)
            let whole = try await running.addEndpoint(url, [:])
            intake.delivering += try await running.ingest(rest.prefix(part), deliveredTo: whole, arrivals)
            rest = rest.dropFirst(part)
            try await running.removeEndpoint(whole)
        }
        return intake
    }
}

/// What some notifications cost.
private struct IntakeCost {
    var notifications = 0
    var cpuSeconds = 0.0
    /// The webhooks that were delivered meanwhile.
    var webhooks = 0

    /// The CPU time of a notification.
    var microseconds: Double { microseconds(withoutWebhooksCosting: 0) }

    /// The CPU time of a notification without the webhooks.
    ///
    /// - Parameter seconds: The CPU time of a webhook alone, in seconds.
    func microseconds(withoutWebhooksCosting seconds: Double) -> Double {
        (cpuSeconds - Double(webhooks) * seconds) / Double(notifications) * 1e6
    }

    static func += (sum: inout IntakeCost, other: IntakeCost) {
        sum.notifications += other.notifications
        sum.cpuSeconds += other.cpuSeconds
        sum.webhooks += other.webhooks
    }
}

/// The webhooks that arrived, and when.
private final class WebhookArrivals: Sendable {
    private struct State {
        var count = 0
        /// When the notification about a purchase was sent, by the purchase.
        var sent: [String: ContinuousClock.Instant]?
        var latencies: [Int64] = []
    }

    private let state = Mutex(State())

    /// The number of all webhooks.
    var count: Int { state.withLock(\.count) }

    /// Takes a webhook.
    func take(_ message: WebhookReceiver.Message) -> Int {
        let now = ContinuousClock.now
        let isMeasured = state.withLock { state in
            state.count += 1
            return state.sent != nil
        }
        guard isMeasured, let body = try? JSONParser.parseObject(message.body),
            let purchase = body["data"]?.objectValue?["purchase_id"]?.stringValue
        else { return 204 }
        state.withLock { state in
            // The first event of a notification counts.
            guard let sent = state.sent?.removeValue(forKey: purchase) else { return }
            state.latencies.append(Int64((now - sent) / .nanoseconds(1)))
        }
        return 204
    }

    /// The times from a notification to its first webhook, during a body.
    func latency(_ body: (@escaping @Sendable ([UInt8]) -> Void) async throws -> Void) async throws -> LoadReport {
        state.withLock { $0.sent = [:] }
        try await body { payload in
            guard let purchase = Self.purchase(in: payload) else { return }
            self.state.withLock { $0.sent?[purchase] = .now }
        }
        return state.withLock { state in
            state.sent = nil
            return LoadReport(latencies: state.latencies)
        }
    }

    /// The original transaction of a notification.
    private static func purchase(in payload: [UInt8]) -> String? {
        guard let data = try? UnverifiedJWS.decode(payload).payload["data"]?.objectValue,
            let signed = data["signedTransactionInfo"]?.stringValue,
            let transaction = try? UnverifiedJWS.decode(signed).payload
        else { return nil }
        return transaction["originalTransactionId"]?.stringValue
    }
}

/// A receiver that accepts connections and never answers.
private enum SilentReceiver {
    static func use<Result: Sendable>(_ body: (String) async throws -> Result) async throws -> Result {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { $0.eventLoop.makeSucceededVoidFuture() }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(try await body("http://127.0.0.1:\(channel.localAddress?.port ?? 0)/"))
        } catch {
            outcome = .failure(error)
        }
        try await channel.close()
        return try outcome.get()
    }
}

extension ServerUnderLoad.Running {
    private static let pollInterval = Duration.milliseconds(20)

    private var hooks: String { "http://127.0.0.1:\(ports[0])/v1/webhook_endpoints" }

    /// Sends notifications at full speed.
    fileprivate func ingest(_ payloads: ArraySlice<[UInt8]>) async throws -> IntakeCost {
        let before = try usage()
        _ = try await send(payloads, connections: 64)
        return IntakeCost(notifications: payloads.count, cpuSeconds: try usage().cpuSeconds - before.cpuSeconds)
    }

    /// Sends notifications at full speed while an endpoint gets their events, and waits for these.
    fileprivate func ingest(
        _ payloads: ArraySlice<[UInt8]>,
        deliveredTo endpoint: String,
        _ arrivals: WebhookArrivals
    ) async throws -> IntakeCost {
        let (before, arrived) = (try usage(), arrivals.count)
        _ = try await send(payloads, connections: 64)
        _ = try await wait(for: endpoint)
        return IntakeCost(
            notifications: payloads.count,
            cpuSeconds: try usage().cpuSeconds - before.cpuSeconds,
            webhooks: arrivals.count - arrived
        )
    }

    /// Makes an endpoint.
    ///
    /// - Returns: Its identifier.
    fileprivate func addEndpoint(_ url: String, _ members: JSONObject) async throws -> String {
        var body = members
        body["url"] = .string(url)
        let made = try await call(http, .POST, hooks, body: body, key: secretKey).objectValue
        guard let id = made?["id"]?.stringValue else { throw BenchmarkError.noServer }
        return id
    }

    fileprivate func removeEndpoint(_ id: String) async throws {
        _ = try await call(http, .DELETE, "\(hooks)/\(id)", key: secretKey)
    }

    /// Waits until an endpoint got the whole feed.
    ///
    /// - Returns: The number of events of the feed.
    fileprivate func wait(for id: String) async throws -> Int64 {
        while true {
            let found = try await call(http, .GET, "\(hooks)/\(id)", key: secretKey).objectValue
            let position = found?["after"]?.stringValue ?? ""
            let url = "http://127.0.0.1:\(ports[0])/v1/events?limit=1&after=\(position)"
            let rest = try await call(http, .GET, url, key: secretKey).objectValue
            if rest?["data"]?.arrayValue?.isEmpty == true, found?["open_deliveries"]?.integerValue == 0 {
                // The last eight bytes of a position are the number of the event.
                return Int64(position.suffix(16), radix: 16) ?? 0
            }
            try await Task.sleep(for: Self.pollInterval)
        }
    }

    /// Sends notifications whose events go to many endpoints.
    ///
    /// - Returns: The deliveries per second to these endpoints.
    fileprivate func share(
        _ payloads: ArraySlice<[UInt8]>,
        with endpoints: [String],
        _ arrivals: WebhookArrivals
    ) async throws -> Double {
        let (start, before) = (ContinuousClock.now, arrivals.count)
        _ = try await send(payloads, connections: 8)
        for endpoint in endpoints { _ = try await wait(for: endpoint) }
        return Double(arrivals.count - before) / (ContinuousClock.now - start).inSeconds
    }
}
