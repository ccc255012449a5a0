import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let receiptChecks = [
        ConformanceCheck("a receipt is returned byte for byte, oldest first, with its customer and in its app only") {
            database in
            let bytes: [UInt8] = (0...255).map { UInt8($0) } + [0, 0]
            let (late, early) = (receipt("a", at: 2, bytes), receipt("b", at: 1, []))
            let other = receipt("a", of: "u_2", at: 3, [7])
            try await database.write { storage throws(StorageError) in
                for receipt in [late, early, other] { try storage.insert(receipt, of: Samples.app) }
            }
            try await expectReceipts([early, late], of: "u_1", database)
            try await expectReceipts([other], of: "u_2", database)
            try await expectReceipts([], of: "u_3", database)
            try await expectReceipts([], of: "u_1", app: Samples.otherApp, database)
        },
        ConformanceCheck("a stored receipt is not changed by a second copy") { database in
            let first = receipt("a", at: 1, [1])
            let copy = receipt("a", at: 2, [2])
            try await database.write { storage throws(StorageError) in try storage.insert(first, of: Samples.app) }
            try await database.write { storage throws(StorageError) in try storage.insert(copy, of: Samples.app) }
            try await expectReceipts([first], of: "u_1", database)
        },
        ConformanceCheck("receipts are removed by customer, and no others") { database in
            try await database.write { storage throws(StorageError) in
                for app in [Samples.app, Samples.otherApp] {
                    for name in ["u_1", "u_2"] { try storage.insert(receipt("a", of: name, at: 1, [1]), of: app) }
                }
                try storage.insert(receipt("b", at: 1, [1]), of: Samples.app)
                try storage.removeReceipts(of: CustomerID("u_1"), app: Samples.app)
            }
            try await expectReceipts([], of: "u_1", database)
            try await expectReceipts([receipt("a", of: "u_2", at: 1, [1])], of: "u_2", database)
            try await expectReceipts([receipt("a", at: 1, [1])], of: "u_1", app: Samples.otherApp, database)
        },
    ]

    private static func receipt(
        _ id: String,
        of customer: String = "u_1",
        at offset: Int64,
        _ content: [UInt8]
    ) -> ReceiptRecord {
        ReceiptRecord(
            id: EvidenceID("receipt:\(id)"),
            customerID: CustomerID(customer),
            receivedAt: Samples.time(offset),
            content: content
        )
    }

    private static func expectReceipts(
        _ expected: [ReceiptRecord],
        of customer: String,
        app: AppID = Samples.app,
        _ database: any SubscriptionDatabase
    ) async throws {
        let stored = try await database.read { storage throws(StorageError) in
            try storage.receipts(of: CustomerID(customer), app: app)
        }
        try expectEqual(stored, expected, "the receipts of \(customer)")
    }
}
