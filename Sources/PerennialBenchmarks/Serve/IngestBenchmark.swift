import AppStoreModel
import PerennialCommandSupport

/// Measures how a server ingests notifications: it verifies and stores each one before it answers.
struct IngestBenchmark {
    var subscriptions: Int
    var months: Int
    var connections: Int
    /// The number of server processes that share the database and the connections.
    var servers = 1
    /// The request rate of the latency measurement, per second; nil for half of the full rate.
    var pace: Int?
    /// The server's database; nil for a temporary SQLite file.
    var database: EmptyDatabase?
    /// Enlarges the database before the measurement.
    var fill: FillProgram?

    /// The results, one object for programs.
    func run() async throws -> JSONObject {
        let load = try ServerUnderLoad(subscriptions: subscriptions, period: "P\(months)M")
        let raw = try RawSignature().costNanoseconds()
        let connections = connections
        // A tenth comes first: half of it before the database is filled, half to warm caches and connections. Six parts
        // follow at full speed, and the rest at half that rate or at the given rate.
        let payloads = load.payloads
        let first = payloads.prefix(payloads.count / 20)
        let warm = payloads[first.endIndex..<(payloads.count / 10)]
        let fast = payloads[warm.endIndex..<(payloads.count * 7 / 10)]
        let atPace = payloads[fast.endIndex...]
        return try await load.use(database, servers: servers, filledBy: fill) { running in
            _ = try await running.send(first, connections: connections)
        } measure: { running in
            _ = try await running.send(warm, connections: connections)
            let before = try running.usage()
            let clock = ContinuousClock()
            let start = clock.now
            let report = try await running.send(fast, connections: connections)
            let seconds = (clock.now - start).inSeconds
            let after = try running.usage()
            let perSecond = Double(fast.count) / seconds
            let pace = pace.map(Double.init) ?? perSecond / 2
            let even = try await running.send(atPace, connections: connections, perSecond: pace)
            let cpu = (after.cpuSeconds - before.cpuSeconds) / Double(fast.count) * 1e6
            let usage = try running.usage()
            // A stopped server has checkpointed its log into the database.
            await running.stop()
            let distinct = Double(try payloads.reduce(0) { $0 + (try DistinctBytes.count(in: $1)) })
            let own = distinct / Double(payloads.count)
            var result: JSONObject = [
                "benchmark": "ingest",
                "build": .string(VerificationReport.build),
                "database": .string(running.engine),
                "notifications": .integer(Int64(fast.count)),
                "notification_bytes": .integer(Int64(fast.reduce(0) { $0 + $1.count } / max(1, fast.count))),
                "connections": .integer(Int64(connections)),
                "servers": .integer(Int64(servers)),
                "raw_p256_microseconds": .rounded(raw / 1e3, 1),
                "cpu_microseconds": .rounded(cpu, 0),
                "cpu_per_raw_p256": .rounded(cpu * 1e3 / raw, 2),
                "per_second": .rounded(perSecond, 0),
                "per_cpu_second": .rounded(1e6 / cpu, 0),
                "p50_milliseconds": .rounded(report.milliseconds(atShare: 0.5), 1),
                "p99_milliseconds": .rounded(report.milliseconds(atShare: 0.99), 1),
                "fixed_rate_per_second": .rounded(pace, 0),
                "fixed_rate_p50_milliseconds": .rounded(even.milliseconds(atShare: 0.5), 1),
                "fixed_rate_p99_milliseconds": .rounded(even.milliseconds(atShare: 0.99), 1),
                "distinct_bytes_per_notification": .rounded(own, 0),
                "peak_resident_bytes": .integer(usage.peakResidentBytes),
                "time": "server_process_cpu",
            ]
            if let stored = running.storedBytes() {
                let bytes = Double(stored) / Double(payloads.count)
                result["stored_bytes_per_notification"] = .rounded(bytes, 0)
                result["stored_beyond_distinct_bytes"] = .rounded(bytes - own, 0)
            }
            return result
        }
    }
}
