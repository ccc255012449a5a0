import AppStoreModel
import PerennialCommandSupport
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

/// Measures the dry run of an extension campaign.
struct CampaignBenchmark {
    /// The number of subscriptions.
    var subscriptions: Int
    /// The database; nil for a temporary SQLite file.
    var database: EmptyDatabase?

    /// The results, one object for programs.
    func run() async throws -> JSONObject {
        let folder = try BenchmarkFolder()
        defer { folder.remove() }
        let target = database ?? folder.database()
        try await target.require()
        let time = FollowedTimeSource(Timestamp(milliseconds: SignedSamples.signedDate))
        let filling = try await SubscriptionFilling(target, try RenewalSamples(), count: subscriptions, time: time)
        try await filling.fill()
        let opened = try await DatabaseAddress.open(target.address)
        let memoryBefore = PeakMemory.bytes()
        let raw = try RawSignature().costNanoseconds()
        let (start, cpuStart) = (ContinuousClock.now, ProcessClock.now())
        let run = try await dryRun(of: filling.app, in: opened, time)
        let cpu = Double(ProcessClock.now() - cpuStart) / 1e3
        let seconds = (ContinuousClock.now - start).inSeconds
        try await opened.close()
        // The sample itself is a subscription too.
        guard run.counts.eligible == subscriptions + 1 else { throw BenchmarkError.sampleRefused }
        return [
            "benchmark": "campaign",
            "build": .string(VerificationReport.build),
            "database": .string(target.engine),
            "subscriptions": .integer(Int64(run.counts.eligible)),
            "raw_p256_microseconds": .rounded(raw / 1e3, 1),
            "dry_run_seconds": .rounded(seconds, 2),
            "cpu_microseconds_per_subscription": .rounded(cpu / Double(run.counts.eligible), 2),
            "peak_memory_bytes_before": .integer(memoryBefore),
            "peak_memory_bytes": .integer(PeakMemory.bytes()),
            "time": "process_cpu",
        ]
    }

    private func dryRun(
        of app: AppID,
        in database: any SubscriptionDatabase,
        _ time: any TimeSource
    ) async throws -> ExtensionCampaign.DryRun {
        let (access, policy) = (AppStoreAccess(), AccessPolicy())
        let campaigns = ExtensionCampaigns(
            database: database,
            access: access,
            policy: policy,
            approvesOwn: true,
            time: time
        )
        let products = try await database.read { storage throws(StorageError) in try storage.soldProducts(of: app) }
        let terms = ExtensionCampaign.Terms(productIDs: products.map(\.id), days: 10, reason: .outage)
        let (id, who) = (ExtensionCampaignID(rawValue: "xc_bench"), Operator("bench"))
        _ = try await campaigns.draft(terms, id: id, app: app, by: who)
        _ = try await campaigns.tryOut(id, app: app, by: who)
        try await CampaignRunner(database: database, access: access, policy: policy, time: time).settle()
        guard let run = try await campaigns.campaign(id, app: app).dryRun else { throw BenchmarkError.sampleRefused }
        return run
    }
}
