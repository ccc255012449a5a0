import AppStoreModel
import AppStoreSigning
import Foundation
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

/// Measures whether submissions that were refused make later ones dearer: one signed transaction, submitted for one invented
/// customer after the other.
struct ClaimsBenchmark {
    /// How many submissions are timed at the beginning and at the end.
    static let timed = 500

    var submissions: Int
    /// The database; nil for a SQLite file that goes with the benchmark.
    var database: EmptyDatabase?

    /// What came out, one object for machines.
    func run() async throws -> JSONObject {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = database ?? EmptyDatabase(address: "sqlite:\(folder.appendingPathComponent("claims.db").path)")
        try await database?.require()
        let opened = try await DatabaseAddress.open(place.address)
        let (times, customers) = try await refuse(on: opened)
        try await opened.close()
        let first = Self.median(times.dropFirst(Self.timed).prefix(Self.timed))
        let last = Self.median(times.suffix(Self.timed))
        return [
            "benchmark": "claims",
            "build": .string(VerificationReport.build),
            "database": .string(place.engine),
            "refused_submissions": .integer(Int64(times.count)),
            "customers_stored": .integer(Int64(customers)),
            "first_microseconds": .rounded(first, 1),
            "last_microseconds": .rounded(last, 1),
            "last_to_first": .rounded(last / first, 3),
            "time": .string("wall_clock_medians_of_\(Self.timed)"),
        ]
    }

    /// - Returns: How long each submission took, in microseconds, and how many customers are stored at the end.
    private func refuse(on database: any SubscriptionDatabase) async throws -> (times: [Double], customers: Int) {
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
            claimant: Claimant(CustomerID("owner"), isVouchedFor: true),
            app: app
        )
        let progress = DemoProgress()
        var times: [Double] = []
        for number in 0..<submissions {
            if number % 1000 == 0 { progress.update("\(number) submissions refused") }
            let start = ContinuousClock.now
            do {
                let claimant = Claimant(CustomerID("invented-\(number)"))
                try await ingestion.submit(signedTransaction: signed, claimant: claimant, app: app)
                throw CommandFailure.report("a submission was not refused", status: .failed)
            } catch let error as OperationError where error.kind == .conflict {
                times.append((ContinuousClock.now - start).inSeconds * 1e6)
            }
        }
        progress.update("")
        let customers = try await database.read { storage throws(StorageError) in
            try storage.customers(of: app, after: nil, limit: 1000).count
        }
        return (times, customers)
    }

    private static func median(_ times: some Sequence<Double>) -> Double {
        Statistics.median(Array(times))
    }
}
