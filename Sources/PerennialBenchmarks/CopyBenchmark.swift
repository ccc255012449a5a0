import AppStoreModel
import Foundation
import PerennialCommandSupport
import PerennialPrimitives
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

/// Exports a database and imports it into another.
struct CopyBenchmark {
    private static let app = AppID(bundleID: "com.example.perennial", environment: .production)
    private static let perCommit = 1_000

    /// The number of signed inputs; each has an event, and every second one a purchase and a customer.
    let inputs: Int
    /// The database that is filled and exported, which must be empty; nil for a temporary SQLite file.
    let source: EmptyDatabase?
    /// The database that the export is imported into, which must be empty; nil for a temporary SQLite file.
    let target: EmptyDatabase?

    /// Measures.
    ///
    /// - Throws: Errors of the databases and of the file system.
    func run() async throws -> JSONObject {
        let folder = try BenchmarkFolder()
        defer { folder.remove() }
        let filled = source ?? folder.database("source")
        let into = target ?? folder.database("target")
        try await filled.require()
        try await into.require()
        let from = try await DatabaseAddress.openForImport(filled.address)
        try await fill(from)
        let export = folder.url.appendingPathComponent("export").path
        var start = ContinuousClock.now
        let manifest = try await DatabaseExport(of: from, to: export, withKeys: true).run()
        let exportSeconds = (ContinuousClock.now - start).inSeconds
        try await from.close()
        let to = try await DatabaseAddress.openForImport(into.address)
        start = ContinuousClock.now
        _ = try await DatabaseImport(into: to, from: export).run()
        let importSeconds = (ContinuousClock.now - start).inSeconds
        try await to.close()
        start = ContinuousClock.now
        for table in manifest.tables {
            try FileManager.default.copyItem(
                atPath: "\(export)/\(table.file)",
                toPath: "\(folder.url.path)/\(table.file)"
            )
        }
        let copySeconds = (ContinuousClock.now - start).inSeconds
        let rows = Double(manifest.rows)
        return [
            "benchmark": "copy",
            "build": .string(VerificationReport.build),
            "from": .string(filled.engine),
            "to": .string(into.engine),
            "rows": .integer(Int64(manifest.rows)),
            "bytes": .integer(Int64(manifest.bytes)),
            "export_rows_per_second": .rounded(rows / exportSeconds, 0),
            "import_rows_per_second": .rounded(rows / importSeconds, 0),
            "plain_copy_rows_per_second": .rounded(rows / copySeconds, 0),
            "peak_memory_bytes": .integer(PeakMemory.bytes()),
        ]
    }

    private static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return Base64.encode(bytes, .standard)
    }

    private func fill(_ database: any SubscriptionDatabase) async throws {
        let header = [UInt8](repeating: UInt8(ascii: "h"), count: 4_500) + [UInt8(ascii: ".")]
        for start in stride(from: 0, to: inputs, by: Self.perCommit) {
            let numbers = start..<min(inputs, start + Self.perCommit)
            try await database.write { storage throws(StorageError) in
                for number in numbers { try Self.add(number, header, to: storage) }
            }
        }
    }

    private static func add(_ number: Int, _ header: [UInt8], to storage: any StorageWriting) throws(StorageError) {
        let time = Timestamp(milliseconds: 1_790_000_000_000 + Int64(number))
        let purchase = OriginalTransactionID("\(2_000_000_000_000_000 + number / 2)")
        let customer = CustomerRecord(id: CustomerID("u_\(number / 2)"), firstSeenAt: time, stateVersion: 1)
        let evidence = EvidenceRecord(
            appID: app,
            id: EvidenceID(notificationUUID: UUID().uuidString),
            kind: .notification,
            signedAt: time,
            receivedAt: time,
            // As incompressible as the identifiers and signatures of a notification.
            signedBytes: header + random(450) + [UInt8(ascii: ".")] + random(64),
            type: "DID_RENEW",
            purchaseID: purchase
        )
        let event = SubscriptionEvent(
            kind: .renewed,
            occurredAt: time,
            purchaseID: purchase,
            productID: ProductID("pro.monthly")
        )
        _ = try storage.insert(evidence)
        try storage.append([event], customer: customer, recordedAt: time, app: app)
        guard number.isMultiple(of: 2) else { return }
        try storage.save(customer, of: app)
        let record = PurchaseRecord(id: purchase, customerID: customer.id, claim: .submitted, evaluatedAt: time)
        try storage.save(record, of: app)
    }
}
