import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

@Suite struct `The newest notifications` {
    /// Notifications are at these sequence numbers, transactions at all others up to the count.
    private static let lists: [(count: Int64, notifications: Set<Int64>)] = [
        (0, []), (5, []), (1, [1]), (7, [1]), (7, [7]), (40, [3, 4, 21]), (33, [1, 32]), (64, Set(1...64)),
    ]

    @Test(arguments: TestEngine.allCases)
    func `are found wherever the last one is`(engine: TestEngine) async throws {
        let (database, close) = try await engine.open()
        for (number, list) in Self.lists.enumerated() {
            let app = AppRecord(bundleID: "com.example.app\(number)", environment: .sandbox, appleID: nil)
            try await database.write { storage throws(StorageError) in
                try storage.save(app)
                for sequence in 1..<(list.count + 1) {
                    let isNotification = list.notifications.contains(sequence)
                    let record = EvidenceRecord(
                        appID: app.id,
                        id: EvidenceID("input:\(sequence)"),
                        kind: isNotification ? .notification : .transaction,
                        signedAt: Timestamp(milliseconds: sequence),
                        receivedAt: Timestamp(milliseconds: sequence),
                        signedBytes: Array("a.b\(sequence).c".utf8),
                        type: isNotification ? "TEST" : nil
                    )
                    _ = try storage.insert(record)
                }
            }
            let found = try await database.read { storage throws(StorageError) in
                try NewestNotifications(of: app.id, limit: 20).read(storage)
            }
            let last = list.notifications.max() ?? 0
            #expect(found.map(\.sequence) == list.notifications.filter { $0 > last - 20 }.sorted(), "\(list)")
        }
        try await close()
    }
}
