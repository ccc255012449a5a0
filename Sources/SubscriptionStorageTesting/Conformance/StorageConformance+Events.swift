import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let eventChecks = [
        ConformanceCheck("events are returned completely, in order, with the customer's version") { database in
            let customer = CustomerRecord(id: Samples.customerID, firstSeenAt: Samples.time(0), stateVersion: 17)
            try await append([Samples.event, Samples.fullEvent], customer: customer, database)
            try await append([], customer: customer, database)
            try await append([Samples.event], customer: nil, database)
            let expected = [
                record(1, Samples.event, customer), record(2, Samples.fullEvent, customer),
                record(3, Samples.event, nil),
            ]
            let events = try await events(database)
            try expectEqual(events, expected, "the events")
        },
        ConformanceCheck("an event about no purchase and no customer is returned with its details") { database in
            let event = SubscriptionEvent(
                kind: .externalTokenCreated,
                occurredAt: Samples.time(1),
                details: ["external_purchase_id": "x", "empty": "", "é": "\u{1F600}'\""]
            )
            try await append([event], customer: nil, database)
            let events = try await events(database)
            try expectEqual(events, [record(1, event, nil)], "the events")
        },
        ConformanceCheck("every kind of event is returned") { database in
            let all = SubscriptionEvent.Kind.allCases.map { kind in
                var event = Samples.event
                event.kind = kind
                return event
            }
            try await append(all, customer: nil, database)
            let kinds = try await events(database).map(\.event.kind)
            try expectEqual(kinds, SubscriptionEvent.Kind.allCases, "the kinds")
        },
        ConformanceCheck(
            "a transaction with about as many events as an engine's queue holds reports its result"
        ) {
            database in
            var written: Int64 = 0
            for count in 240...265 {
                try await append([SubscriptionEvent](repeating: Samples.event, count: count), customer: nil, database)
                written += Int64(count)
            }
            let last = try await events(after: written - 1, limit: 10, database).map(\.sequence)
            try expectEqual(last, [written], "the last sequence number")
        },
        ConformanceCheck("events are read page by page, separately for each app") { database in
            try await append([Samples.event, Samples.event, Samples.event], customer: nil, database)
            try await append([Samples.fullEvent], customer: nil, app: Samples.otherApp, database)
            try await append([Samples.event], customer: nil, database)
            let pages = [
                try await events(after: 0, limit: 2, database), try await events(after: 2, limit: 2, database),
                try await events(after: 4, limit: 2, database), try await events(after: 0, limit: 0, database),
            ]
            try expectEqual(pages.map { $0.map(\.sequence) }, [[1, 2], [3, 4], [], []], "the pages")
        },
        ConformanceCheck("a transaction that was rolled back leaves no gap in the sequence of events") { database in
            try await append([Samples.event], customer: nil, database)
            try await expectError(.failed, "a write whose body throws") {
                try await database.write { storage throws(StorageError) in
                    try storage.append([Samples.event], customer: nil, recordedAt: Samples.time(2), app: Samples.app)
                    throw StorageError(.failed, "The check wants it so.", isRetryable: false)
                }
            }
            try await append([Samples.event], customer: nil, database)
            let sequences = try await events(database).map(\.sequence)
            try expectEqual(sequences, [1, 2], "the sequence numbers")
        },
        ConformanceCheck("a reader that follows the events misses none while many write") { database in
            let writers = 4
            let eventsPerWriter = 10
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<writers {
                    group.addTask {
                        for _ in 0..<eventsPerWriter { try await append([Samples.event], customer: nil, database) }
                    }
                }
                group.addTask { try await follow(until: Int64(writers * eventsPerWriter), database) }
                try await group.waitForAll()
            }
        },
    ]

    /// Reads new events up to a sequence number; fails if one is skipped.
    private static func follow(until last: Int64, _ database: any SubscriptionDatabase) async throws {
        var seen: Int64 = 0
        while seen < last {
            for event in try await events(after: seen, limit: 3, database) {
                try expectEqual(event.sequence, seen + 1, "the next sequence number")
                seen = event.sequence
            }
            await Task.yield()
            try Task.checkCancellation()
        }
    }

    private static func append(
        _ events: [SubscriptionEvent],
        customer: CustomerRecord?,
        app: AppID = Samples.app,
        _ database: any SubscriptionDatabase
    ) async throws {
        try await database.write { storage throws(StorageError) in
            try storage.append(events, customer: customer, recordedAt: Samples.time(2), app: app)
        }
    }

    private static func record(
        _ sequence: Int64,
        _ event: SubscriptionEvent,
        _ customer: CustomerRecord?
    ) -> EventRecord {
        EventRecord(
            sequence: sequence,
            customerID: customer?.id,
            stateVersion: customer?.stateVersion,
            recordedAt: Samples.time(2),
            event: event
        )
    }

    private static func events(
        after sequence: Int64 = 0,
        limit: Int = 1_000,
        _ database: any SubscriptionDatabase
    ) async throws -> [EventRecord] {
        try await database.read { storage throws(StorageError) in
            try storage.events(of: Samples.app, after: sequence, limit: limit)
        }
    }
}
