import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import PerennialCommandSupport
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

/// Fills a database with subscriptions and their entries of status polling, as stored rows.
///
/// Each is a copy of one subscription that was taken in by a real notification, with its facts.
struct SubscriptionFilling {
    /// The rows of a page, and the subscriptions of a transaction.
    private static let (pageRows, perCommit) = (1_000, 100_000)
    /// The number of the first added subscription: the sample has a lower one.
    private static let first: Int64 = 3_000_000_000_000_000
    /// No added entry is due in less time.
    private static let soon: Int64 = 86_400_000

    private let database: EmptyDatabase
    /// The app of the subscriptions.
    let app: AppID
    private let purchase: [ColumnValue]
    private let poll: StatusPoll
    private let polls: CopiedTable
    private let time: any TimeSource
    private let count: Int

    /// Makes the tables and takes in the sample.
    init(
        _ database: EmptyDatabase,
        _ samples: RenewalSamples,
        count: Int,
        time: any TimeSource
    ) async throws {
        let app = AppRecord(
            bundleID: samples.app.bundleId,
            environment: .production,
            appleID: samples.app.appAppleId
        )
        let opened = try await DatabaseAddress.openForImport(database.address)
        let ingestion = Ingestion(
            database: opened,
            verifier: SignedDataVerifier(roots: [samples.authority.trustedRoot], apps: [samples.app]),
            policy: AccessPolicy(),
            time: time
        )
        try await opened.write { storage throws(StorageError) in try storage.save(app) }
        _ = try await ingestion.takeNotification(try samples.notification(of: 0, month: 0))
        let sample = try await opened.write { storage throws(StorageError) in
            // What a server notes when it has added the entries of an older database.
            try storage.save(PollingProgress(isFilled: true), of: app.id)
            return try storage.statusPolls(of: app.id, until: Timestamp(milliseconds: .max), limit: 1).first
        }
        let row = try await opened.readRows { reader throws(StorageError) in
            try reader.row(of: CopiedTables.purchases, after: nil)
        }
        try await opened.close()
        let polls = CopiedTables.all.first { $0.name == StatusPoll.table.name }
        guard let sample, let row, let polls else { throw BenchmarkError.sampleRefused }
        (self.database, self.app, self.time) = (database, app.id, time)
        (self.count, self.polls) = (count, polls)
        (purchase, poll) = (row, sample)
    }

    /// Adds the subscriptions.
    func fill() async throws { try await insert(0..<Int64(count)) }

    /// Adds entries that are due, of some of the subscriptions. By the facts, it is too early for them.
    func makeDue(_ due: Int, in database: any SubscriptionDatabase) async throws {
        let (now, app, distance) = (time.now(), app, Int64(count / due))
        try await database.write { storage throws(StorageError) in
            for number in 0..<Int64(due) {
                let dueAt = now.adding(milliseconds: -number)
                try storage.save(StatusPoll(dueAt: dueAt, purchaseID: Self.id(number * distance)), of: app)
            }
        }
    }

    /// Whether ticks have left an entry that is due, or have asked about one: a failed query comes back soon.
    func isAnyLeft(in database: any SubscriptionDatabase) async throws -> Bool {
        let (now, app) = (time.now(), app)
        return try await database.read { storage throws(StorageError) in
            try storage.statusPolls(of: app, until: now.adding(milliseconds: Self.soon), limit: 1_000)
                .contains { $0.dueAt <= now || $0.failures > 0 }
        }
    }

    private static func id(_ number: Int64) -> OriginalTransactionID { OriginalTransactionID("\(first + number)") }

    private func insert(_ numbers: some Sequence<Int64>) async throws {
        let opened = try await DatabaseAddress.openForImport(database.address)
        let progress = Progress()
        var waiting: [Int64] = []
        var added = 0
        func insertWaiting() async throws {
            try await insert(waiting, into: opened)
            added += waiting.count
            progress.update("\(added) subscriptions added")
            waiting.removeAll(keepingCapacity: true)
        }
        for number in numbers {
            waiting.append(number)
            if waiting.count == Self.perCommit { try await insertWaiting() }
        }
        try await insertWaiting()
        try await opened.writeRows { writer throws(StorageError) in try writer.finish() }
        // A closed database has its log checkpointed.
        try await opened.close()
        progress.update("")
    }

    private func insert(_ numbers: [Int64], into database: any CopyableDatabase) async throws {
        let (purchase, poll, app, polls, count) = (purchase, poll, app, polls, Int64(self.count))
        let start = time.now().adding(milliseconds: Self.soon + 1)
        try await database.writeRows { writer throws(StorageError) in
            for position in stride(from: 0, to: numbers.count, by: Self.pageRows) {
                let page = numbers[position..<min(position + Self.pageRows, numbers.count)]
                try writer.insert(
                    page.map { number in
                        var row = purchase
                        row[1] = .text(Self.id(number))
                        return row
                    },
                    into: CopiedTables.purchases
                )
                try writer.insert(
                    page.map { number in
                        var entry = poll
                        entry.purchaseID = Self.id(number)
                        // Spread over a month, as the ends of periods are.
                        entry.dueAt = start.adding(milliseconds: SignedSamples.month / count * number)
                        return [.string(app.rawValue)] + entry.columns
                    },
                    into: polls
                )
            }
        }
    }
}
