import AppStoreModel
import LocalAppStore
import NIOHTTP1
import PerennialCommandSupport

/// Measures two extension campaigns over all subscriptions of a local store: by single calls, and by one order.
struct ExtensionsBenchmark {
    private static let day = "P1D"
    private static let product = "pro.monthly"

    /// What a part of the work cost.
    private struct Cost {
        var seconds: Double
        var cpuSeconds: Double

        func perSecond(_ count: Int) -> Double { Double(count) / seconds }
        func cpuMicroseconds(_ count: Int) -> Double { cpuSeconds / Double(count) * 1e6 }

        static func += (total: inout Cost, part: Cost) {
            total.seconds += part.seconds
            total.cpuSeconds += part.cpuSeconds
        }
    }

    /// The number of subscriptions.
    var subscriptions: Int
    /// Whether the store announces the extensions by single calls at once, and waits for that before it answers.
    var announcesCalls: Bool
    /// The database; nil for a temporary SQLite file.
    var database: EmptyDatabase?

    /// The results, one object for programs.
    func run() async throws -> JSONObject {
        try await database?.require()
        let folder = try BenchmarkFolder()
        defer { folder.remove() }
        let servers = MeasuredServers(on: database, folder)
        let load = try ServerUnderLoad(
            subscriptions: subscriptions,
            period: Self.day,
            configuration: LocalAppStore.Configuration(settings: StoreSettings(rateLimits: .off))
        )
        let raw = try RawSignature().costNanoseconds()
        let payloads = load.payloads
        return try await load.use(servers) { running in
            _ = try await running.send(payloads[...], connections: 64)
            // The store sends the renewals and the announcements of the order in the same way. The database grows with
            // each, so the renewals before and after the announcements are measured.
            var renewals = try await cost(running) { try await running.moveStore(by: "P1M", sending: subscriptions) }
            let order = try await running.approveCampaign(product: Self.product, days: 3, method: "mass")
            try await running.start(order) { campaign in
                let state = campaign["orders"]?.arrayValue?.first?.objectValue?["state"]
                return campaign["is_enlisted"] == .bool(true) && state == "accepted"
            }
            let announcements = try await cost(running) {
                // All subscriptions, and the summary.
                try await running.moveStore(by: Self.day, sending: subscriptions + 1)
            }
            try await running.wait(for: order, until: { $0["state"] == "finished" })
            // The extended month.
            renewals += try await cost(running) { try await running.moveStore(by: "P1M3D", sending: subscriptions) }
            let single = try await running.approveCampaign(product: Self.product, days: 2, method: "single")
            if !announcesCalls { try await running.leaveStore() }
            try await running.start(single) { ($0.count("members") ?? 0) > 0 }
            let (calls, called, reads) = try await singleCalls(of: single, running)
            for campaign in [order, single] {
                let found = try await running.campaign(campaign)
                guard found.count("extended") == Int64(subscriptions) else { throw found.notExtended }
            }
            var figures: JSONObject = [
                "benchmark": "extensions",
                "build": .string(VerificationReport.build),
                "database": .string(servers.database.engine),
                "subscriptions": .integer(Int64(subscriptions)),
                "announces_calls": .bool(announcesCalls),
                "raw_p256_microseconds": .rounded(raw / 1e3, 1),
                "single_calls_measured": .integer(Int64(called)),
                "single_per_second": .rounded(calls.perSecond(called), 0),
                "single_cpu_microseconds": .rounded(calls.cpuMicroseconds(called), 0),
                "renewals_per_second": .rounded(renewals.perSecond(2 * subscriptions), 0),
                "renewal_cpu_microseconds": .rounded(renewals.cpuMicroseconds(2 * subscriptions), 0),
                "announcements_per_second": .rounded(announcements.perSecond(subscriptions + 1), 0),
                "announcement_cpu_microseconds": .rounded(announcements.cpuMicroseconds(subscriptions + 1), 0),
                "peak_resident_bytes": .integer(try running.usage().peakResidentBytes),
                "time": "server_process_cpu",
            ]
            // A read costs nothing for each member already done, so both take about as long.
            for (name, read) in zip(["early", "late"], reads) {
                figures["progress_\(name)_members_done"] = .integer(read.membersDone)
                figures["progress_\(name)_read_microseconds"] = .rounded(read.seconds * 1e6, 0)
            }
            return figures
        }
    }

    /// Waits for the end of a campaign, and reads its progress when 1 % and 99 % of its members are extended.
    ///
    /// The time and the CPU while it reads count for nothing, and neither do the members that are extended meanwhile.
    ///
    /// - Returns: What the others cost, their number, and the reads.
    private func singleCalls(
        of campaign: String,
        _ running: ServerUnderLoad.Running
    ) async throws -> (cost: Cost, count: Int, reads: [ServerUnderLoad.Running.ProgressRead]) {
        var total = Cost(seconds: 0, cpuSeconds: 0)
        var (done, count): (Int64, Int64) = (0, 0)
        var reads: [ServerUnderLoad.Running.ProgressRead] = []
        for percent in [1, 99, 100] as [Int64] {
            var reached = done
            let part = try await cost(running) { reached = try await running.wait(for: campaign, whenDone: percent) }
            total += part
            count += reached - done
            guard percent < 100 else { break }
            let read = try await running.readProgress(of: campaign)
            (done, reads) = (read.membersDone, reads + [read])
        }
        try await running.wait(for: campaign, until: { $0["state"] == "finished" })
        return (total, Int(count), reads)
    }

    private func cost(_ running: ServerUnderLoad.Running, _ work: () async throws -> Void) async throws -> Cost {
        let before = try running.usage()
        let start = ContinuousClock.now
        try await work()
        return Cost(
            seconds: (ContinuousClock.now - start).inSeconds,
            cpuSeconds: try running.usage().cpuSeconds - before.cpuSeconds
        )
    }
}

/// The calls of an operator, and those that move the store.
extension ServerUnderLoad.Running {
    private static let pollInterval = Duration.milliseconds(20)
    /// The number of reads of which the median counts.
    private static let readsCount = 21

    /// How long `GET /v1/extension_campaigns/{id}` takes while the server asks Apple.
    struct ProgressRead: Sendable {
        /// The members with a result at the last read.
        var membersDone: Int64
        /// The median of some reads.
        var seconds: Double
    }

    private var server: String { "http://127.0.0.1:\(ports[0])" }
    private var campaigns: String { "\(server)/v1/extension_campaigns" }

    func campaign(_ id: String) async throws -> JSONObject {
        try await call(http, .GET, "\(campaigns)/\(id)", key: secretKey).objectValue ?? [:]
    }

    /// Drafts a campaign, waits for its dry run, and approves it.
    ///
    /// - Returns: Its identifier.
    func approveCampaign(product: String, days: Int64, method: String) async throws -> String {
        let terms: JSONObject = [
            "product_ids": .array([.string(product)]),
            "extend_by_days": .integer(days),
            "reason": "outage",
            "method": .string(method),
        ]
        let draft = try await call(http, .POST, campaigns, body: terms, key: secretKey).objectValue
        guard let id = draft?["id"]?.stringValue else { throw (draft ?? [:]).notExtended }
        _ = try await call(http, .POST, "\(campaigns)/\(id)/dry_run", body: [:], key: secretKey)
        try await wait(for: id) { $0["dry_run"]?.objectValue?["finished_at"]?.integerValue != nil }
        _ = try await call(http, .POST, "\(campaigns)/\(id)/approve", body: ["approve_own": true], key: secretKey)
        return id
    }

    /// Starts a campaign, and waits until the server works on it.
    func start(_ id: String, until isBegun: @Sendable (JSONObject) -> Bool) async throws {
        _ = try await call(http, .POST, "\(campaigns)/\(id)/start", body: [:], key: secretKey)
        try await wait(for: id, until: isBegun)
    }

    func wait(for id: String, until isDone: @Sendable (JSONObject) -> Bool) async throws {
        while try await !isDone(campaign(id)) { try await Task.sleep(for: Self.pollInterval) }
    }

    /// Waits until a part of a campaign's members is extended, or the campaign is finished.
    ///
    /// - Returns: The number of extended members.
    func wait(for id: String, whenDone percent: Int64) async throws -> Int64 {
        while true {
            let found = try await campaign(id)
            let (done, all) = (found.count("extended") ?? 0, found.count("members") ?? 0)
            if found["state"] == "finished" || all > 0 && done * 100 >= all * percent { return done }
            try await Task.sleep(for: Self.pollInterval)
        }
    }

    /// Reads a campaign some times.
    func readProgress(of id: String) async throws -> ProgressRead {
        var seconds: [Double] = []
        var found: JSONObject = [:]
        for _ in 0..<Self.readsCount {
            let start = ContinuousClock.now
            found = try await campaign(id)
            seconds.append((ContinuousClock.now - start).inSeconds)
        }
        return ProgressRead(membersDone: found.count("extended") ?? 0, seconds: seconds.sorted()[Self.readsCount / 2])
    }

    /// Moves the store's clock.
    ///
    /// - Throws: `BenchmarkError.notExtended` if the store did not send as many notifications.
    func moveStore(by period: String, sending count: Int) async throws {
        let url = "\(storeURL)/_store/clock/advance"
        let report = try await call(http, .POST, url, body: ["by": .string(period)]).objectValue
        let sent = report?["notifications"]?.objectValue?["sent"]?.integerValue
        guard sent == Int64(count) else { throw (report ?? [:]).notExtended }
    }

    /// Lets the store forget the server: its calls wait neither for the server's clock nor for their notifications.
    func leaveStore() async throws {
        let endpoint: JSONObject = ["url": .null]
        _ = try await call(http, .PUT, "\(storeURL)/_store/notification-endpoint", body: endpoint)
        let url = "\(storeURL)/_store/followers"
        for follower in try await call(http, .GET, url).objectValue?["followers"]?.arrayValue ?? [] {
            guard let id = follower.objectValue?["followerId"]?.stringValue else { continue }
            _ = try await call(http, .DELETE, "\(url)/\(id)")
        }
    }
}

extension JSONObject {
    /// A count of a campaign.
    fileprivate func count(_ name: String) -> Int64? { self["counts"]?.objectValue?[name]?.integerValue }

    /// The error about an answer that does not say what was expected.
    fileprivate var notExtended: BenchmarkError { .notExtended(String(decoding: serialize(), as: UTF8.self)) }
}
