import AppStoreModel
import AppStoreTestAuthorities
import LocalAppStore
import NIOHTTP1
import PerennialCommandSupport

/// Measures the recovery of missed notifications, relative to the intake of as many received ones.
struct RecoveryBenchmark {
    /// The renewals of each subscription: Apple's history in production has 180 days.
    private static let renewals = 5
    /// How often the state of the recovery is read.
    private static let pollInterval = Duration.milliseconds(20)
    /// The sales are on the first day, the first renewals a month later.
    private static let day: Int64 = 86_400_000

    /// How a round's notifications reach the server.
    private enum Way: String, CaseIterable {
        case received
        case recovered
    }

    /// What the renewals of all rounds cost.
    private struct Cost {
        var notifications = 0
        var seconds = 0.0
        var cpuSeconds = 0.0
        var peakResidentBytes: Int64 = 0

        var perSecond: Double { Double(notifications) / seconds }
        var cpuMicroseconds: Double { cpuSeconds / Double(notifications) * 1e6 }

        mutating func add(_ other: Cost) {
            notifications += other.notifications
            seconds += other.seconds
            cpuSeconds += other.cpuSeconds
            peakResidentBytes = max(peakResidentBytes, other.peakResidentBytes)
        }
    }

    /// The number of missed notifications, and of received ones; rounded up to whole subscriptions.
    var notifications: Int
    /// The maximum number of subscriptions of a store, which holds about 20 KB for each of their notifications.
    var subscriptions: Int
    /// The number of concurrent notifications when they are sent.
    var connections: Int
    /// The server's database; nil for a temporary SQLite file.
    var database: EmptyDatabase?

    /// The results, one object for programs.
    func run() async throws -> JSONObject {
        try await database?.require()
        let folder = try BenchmarkFolder()
        defer { folder.remove() }
        let servers = MeasuredServers(on: database, folder)
        let raw = try RawSignature().costNanoseconds()
        let costs = try await measure(servers)
        guard let received = costs[.received], let recovered = costs[.recovered] else { throw BenchmarkError.noServer }
        return [
            "benchmark": "recovery",
            "build": .string(VerificationReport.build),
            "database": .string(servers.database.engine),
            "notifications": .integer(Int64(recovered.notifications)),
            "connections": .integer(Int64(connections)),
            "raw_p256_microseconds": .rounded(raw / 1e3, 1),
            "ingest_per_second": .rounded(received.perSecond, 0),
            "ingest_cpu_microseconds": .rounded(received.cpuMicroseconds, 0),
            "recovery_per_second": .rounded(recovered.perSecond, 0),
            "recovery_cpu_microseconds": .rounded(recovered.cpuMicroseconds, 0),
            "recovery_to_ingest": .rounded(recovered.perSecond / received.perSecond, 2),
            "peak_resident_bytes": .integer(max(received.peakResidentBytes, recovered.peakResidentBytes)),
            "peak_memory_bytes": .integer(PeakMemory.bytes()),
            "time": "server_process_cpu",
        ]
    }

    /// Runs all rounds. The order of the ways alternates, so that the growth of the database concerns both.
    private func measure(_ servers: MeasuredServers) async throws -> [Way: Cost] {
        let authority = try TestAuthority()
        let progress = Progress()
        var costs: [Way: Cost] = [:]
        var missing = (notifications + Self.renewals - 1) / Self.renewals
        var round = 0
        while missing > 0 {
            let subscriptions = min(missing, subscriptions)
            for way in round.isMultiple(of: 2) ? Way.allCases : Way.allCases.reversed() {
                progress.update("\(missing * Self.renewals) notifications to go, \(way.rawValue)")
                let load = try Self.load(way, round: round, subscriptions: subscriptions, signedBy: authority)
                costs[way, default: Cost()].add(try await measure(way, load, subscriptions, servers))
            }
            missing -= subscriptions
            round += 1
        }
        progress.update("")
        return costs
    }

    /// A round's store. Its app is its own, because every store counts its transactions from the same number.
    private static func load(
        _ way: Way,
        round: Int,
        subscriptions: Int,
        signedBy authority: TestAuthority
    ) throws -> ServerUnderLoad {
        try ServerUnderLoad(
            subscriptions: subscriptions,
            period: "P\(renewals)M",
            signedBy: authority,
            configuration: LocalAppStore.Configuration(
                bundleId: "com.example.\(way.rawValue)\(round)",
                appAppleId: 6_400_000_001 + Int64(round),
                environment: .production,
                seed: UInt64(round),
                settings: StoreSettings(rateLimits: .off)
            )
        )
    }

    private func measure(
        _ way: Way,
        _ load: ServerUnderLoad,
        _ subscriptions: Int,
        _ servers: MeasuredServers
    ) async throws -> Cost {
        let (payloads, connections) = (load.payloads, connections)
        return try await load.use(servers) { running in
            // The sales have arrived before the measurement in both ways.
            _ = try await running.send(payloads.prefix(subscriptions), connections: connections)
            let renewals = payloads.dropFirst(subscriptions)
            let before = try running.usage()
            let start = ContinuousClock.now
            switch way {
            case .received: _ = try await running.send(renewals, connections: connections)
            case .recovered:
                try await running.recover(renewals.count, since: ServerUnderLoad.start + Self.day, Self.pollInterval)
            }
            let seconds = (ContinuousClock.now - start).inSeconds
            let after = try running.usage()
            return Cost(
                notifications: renewals.count,
                seconds: seconds,
                cpuSeconds: after.cpuSeconds - before.cpuSeconds,
                peakResidentBytes: after.peakResidentBytes
            )
        }
    }
}

extension ServerUnderLoad.Running {
    /// Requests a recovery and waits for its end.
    ///
    /// - Throws: `BenchmarkError.notRecovered` if the server did not recover exactly these notifications.
    fileprivate func recover(_ count: Int, since start: Int64, _ interval: Duration) async throws {
        let url = "http://127.0.0.1:\(ports[0])/v1/recovery/windows"
        let span: JSONObject = ["from": .integer(start), "to": .integer(.max)]
        var window = try await call(http, .POST, url, body: span, key: secretKey).objectValue
        guard let id = window?["id"]?.stringValue else { throw BenchmarkError.notRecovered }
        while window?["state"] == "running", window?["error"] == .null {
            try await Task.sleep(for: interval)
            window = try await call(http, .GET, "\(url)/\(id)", key: secretKey).objectValue
        }
        guard window?["state"] == "finished", window?["recovered"] == .integer(Int64(count)) else {
            throw BenchmarkError.notRecovered
        }
    }
}
