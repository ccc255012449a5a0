import AppStoreModel
import Foundation
import PerennialCommandSupport

/// Sends the subscribers of a file to a server, which asks the App Store about each.
///
/// Rows are checked and sent in groups, a few at a time. After each group, the rejected rows and then the journal are
/// written. A row that is sent twice changes nothing.
struct SubscriberImport {
    /// What to do.
    struct Options {
        var path: String
        var userColumn: String?
        var purchaseColumn: String?
        var form: PurchaseForm
        /// `backfill` or `none`.
        var events: String
        /// The number of concurrent requests.
        var connections: Int
    }

    private static let groupRows = 64
    private static let attemptsMax = 12
    private static let pauseMax = Duration.seconds(60)
    /// The number of rejected rows that a check without a server describes.
    private static let describedMax = 10

    let options: Options
    /// The server; nil only checks the rows.
    let calls: ServerCalls?
    let progress: (ImportJournal.Counts) -> Void
    /// Takes lines: why the server takes no row at present, and rejected rows if there is no server, and so no file of
    /// rejected rows.
    var report: @Sendable (String) -> Void = { _ in }

    private var journalPath: String { "\(options.path).\(options.form.suffix).json" }

    /// The path of the file of rejected rows.
    var rejectedPath: String {
        switch options.form {
        case .transactionID: "\(options.path).rejected.csv"
        case .receipt: "\(options.path).\(options.form.suffix).rejected.csv"
        }
    }

    /// Imports, or continues.
    ///
    /// - Throws: ``InputError``, ``ServerCallError``, ``ImportFileError``.
    func run() async throws -> ImportJournal.Counts {
        var file = try SubscriberFile(options)
        guard let calls else { return try await check(&file) }
        var journal = ImportJournal(server: calls.url.text, fileBytes: file.bytes)
        if let known = try ImportJournal.read(journalPath) {
            guard known.server == journal.server else {
                throw InputError(
                    .malformed,
                    "\(journalPath) is of an import into \(known.server): remove it to begin again"
                )
            }
            guard known.fileBytes == file.bytes, try file.begins(with: known.read) else {
                throw InputError(
                    .malformed,
                    "\(options.path) has changed since \(known.rows) of its rows were read (\(known.counts.text)): "
                        + "restore it to continue, or remove \(journalPath) to begin again. A row that is sent twice "
                        + "changes nothing"
                )
            }
            journal = known
        }
        var rejected = try RejectedRows(rejectedPath, keeping: journal.rejectedBytes)
        let waits = ImportWaits(report)
        try await Self.eachGroup(of: &file, after: journal.rows) { group, read in
            journal.read = read
            try await send(group, calls, waits, &journal, &rejected)
        }
        try ImportFiles.remove(journalPath)
        if journal.counts.rejected == 0 { try ImportFiles.remove(rejectedPath) }
        return journal.counts
    }

    /// Reads, checks and counts all rows, and describes the first bad ones.
    private func check(_ file: inout SubscriberFile) async throws -> ImportJournal.Counts {
        var counts = ImportJournal.Counts()
        try await Self.eachGroup(of: &file, after: 0) { group, _ in
            for outcome in await options.form.check(group) {
                switch outcome {
                case .send: counts.imported += 1
                case .skip: counts.skipped += 1
                case .reject(let line, let problem):
                    counts.rejected += 1
                    guard counts.rejected <= Self.describedMax else { continue }
                    report(TerminalText.escapedLine("line \(line): \(problem.code): \(problem.message)"))
                }
            }
            progress(counts)
        }
        let others = counts.rejected - Self.describedMax
        if others > 0 {
            report("rejected rows that are not shown here: \(others). The import writes all of them to \(rejectedPath)")
        }
        return counts
    }

    /// Reads the rows after those that are done, and passes them on in groups, each with the part that was read.
    private static func eachGroup(
        of file: inout SubscriberFile,
        after done: Int,
        _ body: ([SubscriberRow], FilePart) async throws -> Void
    ) async throws {
        var number = 0
        var group: [SubscriberRow] = []
        while let rows = try file.next() {
            for row in rows {
                number += 1
                if number > done { group.append(row) }
                guard group.count == groupRows else { continue }
                try await body(group, file.read)
                group.removeAll(keepingCapacity: true)
            }
        }
        try await body(group, file.read)
    }

    // MARK: Sending

    private func send(
        _ group: [SubscriberRow],
        _ calls: ServerCalls,
        _ waits: ImportWaits,
        _ journal: inout ImportJournal,
        _ rejected: inout RejectedRows
    ) async throws {
        var problems: [(line: Int, problem: SubscriberProblem)] = []
        var counts = journal.counts
        var ready: [SubscriberSubmission] = []
        for outcome in await options.form.check(group) {
            switch outcome {
            case .skip: counts.skipped += 1
            case .reject(let line, let problem): problems.append((line, problem))
            case .send(let submission): ready.append(submission)
            }
        }
        let waiting = SubscriberSubmission.lists(ready)
        try await withThrowingTaskGroup(of: [(Int, SubscriberProblem?)].self) { tasks in
            var next = waiting.makeIterator()
            func start() {
                guard let rows = next.next() else { return }
                tasks.addTask { [events = options.events] in
                    var outcomes: [(Int, SubscriberProblem?)] = []
                    for row in rows {
                        outcomes.append((row.line, try await Self.submit(row, events: events, calls, waits)))
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
        _ row: SubscriberSubmission,
        events: String,
        _ calls: ServerCalls,
        _ waits: ImportWaits
    ) async throws -> SubscriberProblem? {
        var body = JSONObject()
        body["app_user_id"] = .string(row.user)
        body[row.member] = .string(row.value)
        body["events"] = .string(events)
        var pause = Duration.seconds(1)
        var attempts = 1
        while true {
            do throws(ServerCallError) {
                _ = try await calls.post("/v1/transactions", body)
                return nil
            } catch {
                let concernsRow = [400, 404, 409, 413, 422].contains(error.status) && !error.isRetryable
                guard !concernsRow else {
                    return SubscriberProblem(
                        code: error.code,
                        message: error.message,
                        user: row.user,
                        transactionID: row.transactionID
                    )
                }
                guard error.isRetryable, attempts < attemptsMax else { throw error }
                let wait = min(max(error.retryAfter ?? pause, .milliseconds(100)), pauseMax)
                waits.note(error, attempts: attempts, pause: wait)
                try await Task.sleep(for: wait)
                pause = min(pause * 2, pauseMax)
                attempts += 1
            }
        }
    }
}
