import AppStoreModel
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import PerennialCommandSupport

/// Measures entitlement answers of a server, with and without changes.
struct ReadBenchmark {
    /// The number of customers whose entity tags are used; the unchanged answers cycle through them.
    private static let taggedMax = 500

    var subscriptions: Int
    var reads: Int
    var connections: Int
    /// The server's database; nil for a temporary SQLite file.
    var database: EmptyDatabase?
    /// Enlarges the database before the measurement.
    var fill: FillProgram?

    /// The results, one object for programs.
    func run() async throws -> JSONObject {
        let progress = Progress()
        progress.update("selling \(subscriptions) subscriptions")
        // Long enough for the first notification of each, too short for a renewal.
        let load = try ServerUnderLoad(subscriptions: subscriptions, period: "P1D")
        let raw = try RawSignature().costNanoseconds()
        return try await load.use(database, filledBy: fill) { running in
            progress.update("the server stores \(load.payloads.count) notifications")
            _ = try await running.send(load.payloads[...], connections: connections)
        } measure: { running in
            progress.update("\(reads) new answers")
            let whole = try await measure(running, load.customers.map { ($0, nil) })
            var tagged: [(String, String?)] = []
            for customer in load.customers.prefix(Self.taggedMax) {
                tagged.append((customer, try await running.entityTag(of: customer)))
            }
            progress.update("\(reads) unchanged answers")
            let unchanged = try await measure(running, tagged)
            progress.update("")
            return [
                "benchmark": "read",
                "build": .string(VerificationReport.build),
                "database": .string(running.engine),
                "customers": .integer(Int64(load.customers.count)),
                "reads": .integer(Int64(reads)),
                "connections": .integer(Int64(connections)),
                "raw_p256_microseconds": .rounded(raw / 1e3, 1),
                "entitlements_cpu_microseconds": .rounded(whole.cpuMicroseconds, 0),
                "entitlements_per_second": .rounded(whole.perSecond, 0),
                "entitlements_half_load_p99_milliseconds": .rounded(whole.halfLoadP99, 1),
                "not_modified_cpu_microseconds": .rounded(unchanged.cpuMicroseconds, 0),
                "not_modified_per_second": .rounded(unchanged.perSecond, 0),
                "not_modified_half_load_p99_milliseconds": .rounded(unchanged.halfLoadP99, 1),
                "time": "server_process_cpu",
            ]
        }
    }

    private struct Figures {
        let cpuMicroseconds: Double
        let perSecond: Double
        let halfLoadP99: Double
    }

    private func measure(
        _ running: ServerUnderLoad.Running,
        _ customers: [(id: String, tag: String?)]
    ) async throws -> Figures {
        _ = try await running.read(customers, count: reads / 10, connections: connections)
        let before = try running.usage()
        let clock = ContinuousClock()
        let start = clock.now
        let report = try await running.read(customers, count: reads, connections: connections)
        let seconds = (clock.now - start).inSeconds
        let after = try running.usage()
        let count = Double(report.latencies.count)
        let half = try await running.read(
            customers,
            count: reads / 4,
            connections: connections,
            perSecond: count / seconds / 2
        )
        return Figures(
            cpuMicroseconds: (after.cpuSeconds - before.cpuSeconds) / count * 1e6,
            perSecond: count / seconds,
            halfLoadP99: half.milliseconds(atShare: 0.99)
        )
    }
}

extension ServerUnderLoad.Running {
    fileprivate func read(
        _ customers: [(id: String, tag: String?)],
        count: Int,
        connections: Int,
        perSecond: Double? = nil
    ) async throws -> LoadReport {
        var load = LoadGenerator(ports: ports, connections: connections)
        load.interval = perSecond.map { .nanoseconds(Int64(Double(connections) / $0 * 1e9)) }
        return try await load.run { [secretKey] connection, number in
            let index = connection + number * connections
            guard index < count else { return nil }
            let customer = customers[index % customers.count]
            var headers: HTTPHeaders = ["Authorization": "Bearer \(secretKey)"]
            if let tag = customer.tag { headers.add(name: "If-None-Match", value: tag) }
            return LoadRequest(.GET, "/v1/customers/\(customer.id)/entitlements", headers: headers)
        }
    }

    /// The entity tag of a customer's current answer.
    fileprivate func entityTag(of customer: String) async throws -> String {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(ports[0])/v1/customers/\(customer)/entitlements")
        request.headers.add(name: "Authorization", value: "Bearer \(secretKey)")
        let response = try await http.execute(request, timeout: .seconds(10))
        _ = try await response.body.collect(upTo: 1 << 20)
        guard response.status == .ok, let tag = response.headers.first(name: "ETag") else {
            throw BenchmarkError.callRefused(Int(response.status.code))
        }
        return tag
    }
}
