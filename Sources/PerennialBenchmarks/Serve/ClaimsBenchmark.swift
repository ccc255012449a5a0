import AppStoreModel
import AppStoreSigning
import PerennialCommandSupport
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

/// Measures whether refused submissions make later ones more expensive: one signed transaction, submitted for many
/// invented customers.
struct ClaimsBenchmark {
    /// The number of measured submissions at the beginning and at the end.
    static let measured = 2_000

    /// The cost of submissions, in microseconds each, in order.
    private struct Costs {
        /// CPU time of this process.
        var cpu: [Double] = []
        /// Time until the answer.
        var waiting: [Double] = []
    }

    var submissions: Int
    /// The database; nil for a temporary SQLite file.
    var database: EmptyDatabase?

    /// The results, one object for programs.
    func run() async throws -> JSONObject {
        let folder = try BenchmarkFolder()
        defer { folder.remove() }
        let target = database ?? folder.database()
        try await database?.require()
        let opened = try await DatabaseAddress.open(target.address)
        let (costs, customers) = try await refuse(on: opened)
        try await opened.close()
        var report: JSONObject = [
            "benchmark": "claims",
            "build": .string(VerificationReport.build),
            "database": .string(target.engine),
            "refused_submissions": .integer(Int64(costs.cpu.count)),
            "customers_stored": .integer(Int64(customers)),
        ]
        // The first ones warm caches.
        for (name, costs) in [("cpu", costs.cpu), ("waiting", costs.waiting)] {
            let first = Statistics.median(Array(costs.dropFirst(Self.measured).prefix(Self.measured)))
            let last = Statistics.median(Array(costs.suffix(Self.measured)))
            report["first_\(name)_microseconds"] = .rounded(first, 1)
            report["last_\(name)_microseconds"] = .rounded(last, 1)
            report["last_to_first_\(name)"] = .rounded(last / first, 3)
        }
        return report
    }

    /// - Returns: The cost of each submission, and the number of stored customers at the end.
    private func refuse(on database: any SubscriptionDatabase) async throws -> (costs: Costs, customers: Int) {
        let samples = try SignedSamples(count: 1)
        let app = AppID(bundleID: samples.app.bundleId, environment: .production)
        let ingestion = Ingestion(
            database: database,
            verifier: SignedDataVerifier(roots: [samples.root], apps: [samples.app]),
            policy: AccessPolicy(),
            time: SystemTimeSource()
        )
        let signed = samples.transactions[0]
        try await ingestion.submit(
            signedTransaction: signed,
            claimant: Claimant(CustomerID("owner"), isSubmittedByServer: true),
            app: app
        )
        let progress = Progress()
        var costs = Costs()
        for number in 0..<submissions {
            if number % 1000 == 0 { progress.update("\(number) submissions refused") }
            let (start, cpu) = (ContinuousClock.now, ProcessClock.now())
            do {
                let claimant = Claimant(CustomerID("invented-\(number)"))
                try await ingestion.submit(signedTransaction: signed, claimant: claimant, app: app)
                throw CommandFailure.report("a submission was not refused", status: .failed)
            } catch let error as OperationError where error.kind == .conflict {
                costs.cpu.append(Double(ProcessClock.now() - cpu) / 1e3)
                costs.waiting.append((ContinuousClock.now - start).inSeconds * 1e6)
            }
        }
        progress.update("")
        let customers = try await database.read { storage throws(StorageError) in
            try storage.customers(of: app, after: nil, limit: 1000).count
        }
        return (costs, customers)
    }
}
