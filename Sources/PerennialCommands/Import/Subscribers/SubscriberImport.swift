import AppStoreModel
import Foundation

/// Sends the subscribers of a file to a server, which asks the App Store about each.
///
/// Rows are sent in groups, a few at a time. After each group, the rejected rows and then the journal are written. A
/// row that is sent twice changes nothing.
struct SubscriberImport {
    /// What to do.
    struct Options {
        var path: String
        var userColumn: String?
        var transactionColumn: String?
        /// `backfill` or `none`.
        var events: String
        /// The number of concurrent requests.
        var connections: Int
    }

    private static let groupRows = 64
    private static let attemptsMax = 12
    private static let pauseMax = Duration.seconds(60)

    let options: Options
    /// The server; nil only checks the rows.
    let calls: ServerCalls?
    let progress: (ImportJournal.Counts) -> Void

    private var journalPath: String { "\(options.path).import.json" }

    /// The path of the file of rejected rows.
    var rejectedPath: String { "\(options.path).rejected.csv" }

    /// Imports, or continues.
    ///
    /// - Throws: ``InputError``, ``ServerCallError``, ``ImportFileError``.
    func run() async throws -> ImportJournal.Counts {
        var file = try SubscriberFile(options)
        guard let calls else { return try check(&file) }
        var journal = ImportJournal(server: calls.url.text, fileBytes: file.bytes)
        if let known = try ImportJournal.read(journalPath) {
            guard known.server == journal.server, known.fileBytes == file.bytes else {
                throw InputError(
                    .malformed,
                    "\(journalPath) belongs to another server, or the file has changed since: remove it to begin again"
                )
            }
            journal = known
        }
        var rejected = try RejectedRows(rejectedPath, keeping: journal.rejectedBytes)
        var number = 0
        var group: [SubscriberRow] = []
        while let rows = try file.next() {
            for row in rows {
                number += 1
                if number > journal.rows { group.append(row) }
                guard group.count == Self.groupRows else { continue }
                try await send(group, calls, &journal, &rejected)
                group.removeAll(keepingCapacity: true)
            }
        }
        try await send(group, calls, &journal, &rejected)
        try Self.remove(journalPath)
        if journal.counts.rejected == 0 { try Self.remove(rejectedPath) }
        return journal.counts
    }

    private static func remove(_ path: String) throws(ImportFileError) {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw ImportFileError(path: path)
        }
    }

    /// Reads and counts all rows.
    private func check(_ file: inout SubscriberFile) throws -> ImportJournal.Counts {
        var counts = ImportJournal.Counts()
        while let rows = try file.next() {
            for row in rows {
                switch row.content {
                case .subscriber: counts.imported += 1
                case .skipped: counts.skipped += 1
                case .bad: counts.rejected += 1
                }
            }
            progress(counts)
        }
        return counts
    }

    // MARK: Sending

    private func send(
        _ group: [SubscriberRow],
        _ calls: ServerCalls,
        _ journal: inout ImportJournal,
        _ rejected: inout RejectedRows
    ) async throws {
        var problems: [(line: Int, problem: SubscriberProblem)] = []
        var counts = journal.counts
        // Rows about the same transaction are sent in their order, so that the first user gets the purchase.
        var waiting: [[(line: Int, user: String, transactionID: String)]] = []
        var indexes: [String: Int] = [:]
        for row in group {
            switch row.content {
            case .skipped: counts.skipped += 1
            case .bad(let problem): problems.append((row.line, problem))
            case .subscriber(let user, let transactionID):
                let index = indexes[transactionID, default: waiting.count]
                indexes[transactionID] = index
                if index == waiting.count { waiting.append([]) }
                waiting[index].append((row.line, user, transactionID))
            }
        }
        try await withThrowingTaskGroup(of: [(Int, SubscriberProblem?)].self) { tasks in
            var next = waiting.makeIterator()
            func start() {
                guard let rows = next.next() else { return }
                tasks.addTask { [events = options.events] in
                    var outcomes: [(Int, SubscriberProblem?)] = []
                    for row in rows {
                        let problem = try await Self.submit(row.user, row.transactionID, events: events, calls)
                        outcomes.append((row.line, problem))
                    }
                    return outcomes
                }
            }
            for _ in 0..<options.connections { start() }
            while let outcomes = try await tasks.next() {
                for (line, problem) in outcomes {
                    if let problem { problems.append((line, problem)) } else { counts.imported += 1 }
                }
                start()
            }
        }
        counts.rejected += problems.count
        try rejected.append(problems.sorted { $0.line < $1.line })
        journal.counts = counts
        journal.rows += group.count
        journal.rejectedBytes = rejected.bytes
        try journal.write(journalPath)
        progress(counts)
    }

    /// Submits a row.
    ///
    /// - Returns: Why the server refused the row; nil if it took it.
    /// - Throws: ``ServerCallError`` if it takes no row.
    private static func submit(
        _ user: String,
        _ transactionID: String,
        events: String,
        _ calls: ServerCalls
    ) async throws -> SubscriberProblem? {
        var body = JSONObject()
        body["app_user_id"] = .string(user)
        body["transaction_id"] = .string(transactionID)
        body["events"] = .string(events)
        var pause = Duration.seconds(1)
        var attempts = 1
        while true {
            do throws(ServerCallError) {
                _ = try await calls.post("/v1/transactions", body)
                return nil
            } catch {
                let concernsRow = [400, 404, 409, 422].contains(error.status) && !error.isRetryable
                guard !concernsRow else {
                    return SubscriberProblem(
                        code: error.code,
                        message: error.message,
                        user: user,
                        transactionID: transactionID
                    )
                }
                guard error.isRetryable, attempts < attemptsMax else { throw error }
                try await Task.sleep(for: min(max(error.retryAfter ?? pause, .milliseconds(100)), pauseMax))
                pause = min(pause * 2, pauseMax)
                attempts += 1
            }
        }
    }
}
