import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let evidenceChecks = [
        ConformanceCheck("a signed input with any bytes is returned byte for byte") { database in
            let header = [UInt8](repeating: UInt8(ascii: "x"), count: 6_000)
            let inputs: [[UInt8]] = [
                Array("header.payload.signature".utf8), Array("header.other.signature".utf8), [],
                Array("no dot".utf8), Array("one.dot".utf8), Array(".".utf8), Array("..".utf8),
                Array(".leading".utf8), Array("trailing.".utf8), Array(0...255), header + Array(".a.b".utf8),
                header + Array(".c.d".utf8), header, header + Array("y.a.b".utf8),
            ]
            for (number, bytes) in inputs.enumerated() {
                let record = Samples.evidence("notification:\(number)", bytes: bytes)
                let isNew = try await database.write { storage throws(StorageError) in try storage.insert(record) }
                try expect(isNew, "a new input is stored")
            }
            for (number, bytes) in inputs.enumerated() {
                let expected = Samples.evidence("notification:\(number)", bytes: bytes)
                let stored = try await evidence(expected.id, database)
                try expectEqual(stored, expected, "input \(number)")
            }
        },
        ConformanceCheck("a second copy of an input is recognised and changes nothing") { database in
            let first = Samples.evidence("notification:1")
            var second = Samples.evidence("notification:1", kind: .transaction, bytes: Array("other.bytes".utf8))
            second.receivedAt = Samples.time(99)
            let taken = try await database.write { [second] storage throws(StorageError) in
                [
                    try storage.hasEvidence(first.id, of: Samples.app),
                    try storage.insert(first), try storage.insert(first), try storage.insert(second),
                    try storage.hasEvidence(first.id, of: Samples.app),
                ]
            }
            try expectEqual(taken, [false, true, false, false, true], "what was held and taken")
            let held = try await database.read { storage throws(StorageError) in
                [
                    try storage.hasEvidence(first.id, of: Samples.app),
                    try storage.hasEvidence(EvidenceID("notification:2"), of: Samples.app),
                    try storage.hasEvidence(first.id, of: Samples.otherApp),
                ]
            }
            try expectEqual(held, [true, false, false], "what is held")
            let stored = try await evidence(first.id, database)
            try expectEqual(stored, first, "the input")
            let list = try await list(.notification, database)
            try expectEqual(list.map(\.sequence), [1], "the sequence numbers of the notifications")
        },
        ConformanceCheck("evidence is listed by kind in the order of commits, page by page") { database in
            for number in 1...5 {
                let kind: EvidenceRecord.Kind = number == 3 ? .transaction : .notification
                let record = Samples.evidence("x:\(9 - number)", kind: kind)
                _ = try await database.write { storage throws(StorageError) in try storage.insert(record) }
            }
            let all = try await list(.notification, database)
            try expectEqual(all.map(\.id.rawValue), ["x:8", "x:7", "x:5", "x:4"], "the notifications")
            try expectEqual(all.map(\.sequence), [1, 2, 4, 5], "their sequence numbers")
            let line = EvidenceSummary(
                sequence: 1,
                id: EvidenceID("x:8"),
                type: "DID_RENEW",
                subtype: "BILLING_RECOVERY",
                signedAt: Samples.time(1),
                receivedAt: Samples.time(2)
            )
            try expectEqual(all.first, line, "a line")
            let page = try await list(.notification, after: 2, limit: 1, database)
            try expectEqual(page.map(\.sequence), [4], "a page of one after the second sequence number")
            let transactions = try await list(.transaction, database)
            try expectEqual(transactions.map(\.type), [nil], "the types of the transactions")
            let none = try await list(.notification, after: 5, database)
            try expect(none.isEmpty, "nothing comes after the last")
            let empty = try await list(.notification, limit: 0, database)
            try expect(empty.isEmpty, "a page of none is empty")
        },
        ConformanceCheck("evidence about a purchase is read in the order of commits, page by page, and no other") {
            database in
            let other = OriginalTransactionID("2000000000000077")
            let purchases = [Samples.purchaseID, other, nil, Samples.purchaseID, Samples.purchaseID]
            for (number, purchase) in purchases.enumerated() {
                var record = Samples.evidence("x:\(9 - number)", kind: number == 3 ? .transaction : .notification)
                record.purchaseID = purchase
                _ = try await database.write { [record] storage throws(StorageError) in try storage.insert(record) }
            }
            var foreign = Samples.evidence("x:1", app: Samples.otherApp)
            foreign.purchaseID = Samples.purchaseID
            _ = try await database.write { [foreign] storage throws(StorageError) in try storage.insert(foreign) }
            let pages = try await database.read { storage throws(StorageError) in
                let purchase = Samples.purchaseID
                return [
                    try storage.evidence(about: purchase, of: Samples.app, after: 0, limit: 2).map(\.sequence),
                    try storage.evidence(about: purchase, of: Samples.app, after: 4, limit: 2).map(\.sequence),
                    try storage.evidence(about: purchase, of: Samples.app, after: 5, limit: 2).map(\.sequence),
                    try storage.evidence(about: purchase, of: Samples.app, after: 0, limit: 0).map(\.sequence),
                ]
            }
            try expectEqual(pages, [[1, 4], [5], [], []], "the sequence numbers, page by page")
            let stored = try await database.read { storage throws(StorageError) in
                try storage.evidence(about: Samples.purchaseID, of: Samples.app, after: 3, limit: 1).map(\.record)
            }
            var expected = Samples.evidence("x:6", kind: .transaction)
            expected.purchaseID = Samples.purchaseID
            try expectEqual(stored, [expected], "an input")
            let found = try await evidence(expected.id, database)
            try expectEqual(found, expected, "the same input by its identifier")
            let entries = try await database.read { storage throws(StorageError) in
                let purchase = Samples.purchaseID
                let first = try storage.foundEvidence(about: purchase, of: Samples.app, after: 0, limit: 2)
                let next = try storage.foundEvidence(about: purchase, of: Samples.app, after: 4, limit: 2)
                let none = try storage.foundEvidence(about: purchase, of: Samples.app, after: 5, limit: 2)
                return [first, next, none].map { $0.map(\.sequence) }
            }
            try expectEqual(entries, [[1, 4], [5], []], "the same pages of inputs that need not be readable")
            let one = try await database.read { storage throws(StorageError) in
                [
                    try storage.foundEvidence(EvidenceID("x:6"), of: Samples.app),
                    try storage.foundEvidence(EvidenceID("x:77"), of: Samples.app),
                ]
            }
            try expectEqual(
                one,
                [FoundEvidence(sequence: 4, record: expected), nil],
                "an input that may be unreadable"
            )
        },
        ConformanceCheck("notifications of unknown types are counted by type and subtype, separately for each app") {
            database in
            var plain = Samples.evidence("notification:1")
            plain.subtype = nil
            let foreign = Samples.evidence("notification:1", app: Samples.otherApp)
            var later = Samples.evidence("notification:2")
            later.receivedAt = Samples.time(9)
            try await database.write { [plain, later] storage throws(StorageError) in
                for evidence in [plain, Samples.evidence("notification:3"), foreign, later] {
                    try storage.countUnknownNotification(
                        evidence.type ?? "",
                        evidence.subtype,
                        receivedAt: evidence.receivedAt,
                        of: evidence.appID
                    )
                }
            }
            let counts = try await database.read { storage throws(StorageError) in
                try storage.unknownNotifications(of: Samples.app)
            }
            let expected = [
                UnknownNotificationCount(type: "DID_RENEW", subtype: nil, count: 1, lastReceivedAt: Samples.time(2)),
                UnknownNotificationCount(
                    type: "DID_RENEW",
                    subtype: "BILLING_RECOVERY",
                    count: 2,
                    lastReceivedAt: Samples.time(9)
                ),
            ]
            try expectEqual(counts, expected, "the counts")
        },
    ]

    private static func evidence(
        _ id: EvidenceID,
        _ database: any SubscriptionDatabase
    ) async throws -> EvidenceRecord? {
        try await database.read { storage throws(StorageError) in try storage.evidence(id, of: Samples.app) }
    }

    private static func list(
        _ kind: EvidenceRecord.Kind,
        after sequence: Int64 = 0,
        limit: Int = 100,
        _ database: any SubscriptionDatabase
    ) async throws -> [EvidenceSummary] {
        try await database.read { storage throws(StorageError) in
            try storage.evidence(kind, of: Samples.app, after: sequence, limit: limit).compactMap(\.summary)
        }
    }
}
