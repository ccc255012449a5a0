import AppStoreModel
import AppStoreSigning
import Foundation
import LocalAppStore
import PerennialPrimitives

/// Plays a run: chooses actions, advances the clock, receives deliveries, and writes the transcript.
///
/// Every choice follows from the seed and from what the store answers, so equal stores have equal transcripts.
struct TwoYearsDriver {
    let run: TwoYearsRun
    let keys: TwoYearsKeys
    var store: LocalAppStore
    var dice: SplitMix64
    /// The accounts that the run opened, oldest first.
    var accountIds: [String] = []
    private(set) var transcript = RunTranscript()
    private(set) var coverage = TwoYearsCoverage()
    private var signed = SignedContents()
    private var round: [StoreAction] = []
    private var lastNumber = 0
    private var notedNotifications = 0

    private init(_ run: TwoYearsRun) throws {
        self.run = run
        keys = try TwoYearsKeys.shared.get()
        store = try run.makeStore(keys)
        dice = SplitMix64(seed: run.seed)
    }

    /// Plays a run from its start to its end.
    static func play(_ run: TwoYearsRun) throws -> (transcript: RunTranscript, coverage: TwoYearsCoverage) {
        var driver = try TwoYearsDriver(run)
        try driver.store.setNotificationEndpoint(url: notificationURL)
        for month in 1...TwoYearsRun.months { try driver.play(month: month) }
        driver.noteFaults()
        driver.coverage.conflicts = driver.signed.conflicts
        return (driver.transcript, driver.coverage)
    }

    /// Where notifications are sent to.
    static let notificationURL = "https://shop.example/notifications"

    private mutating func play(month: Int) throws {
        let (start, end) = (store.now, try run.end(ofMonth: month))
        let share = (end - start) / Int64(TwoYearsRun.actionsPerMonth)
        for position in 1...TwoYearsRun.actionsPerMonth {
            let time = start + share * Int64(position) - number(below: share / 2)
            // An action may have moved the clock.
            try advance(to: max(store.now, time))
            try perform(nextAction())
        }
        try advance(to: max(store.now, end))
        try noteNotifications()
        try noteReports()
        if month == TwoYearsRun.months / 2 { try restart() }
        if month == TwoYearsRun.months { try noteState() }
        transcript.close(month: month)
    }

    // MARK: - Choices

    /// A number from 0 to below a limit; 0 if there is none.
    mutating func number(below limit: Int64) -> Int64 { limit > 0 ? Int64(dice.next() % UInt64(limit)) : 0 }

    /// Whether one of several equally probable cases occurs.
    mutating func occurs(oneOf cases: Int64) -> Bool { number(below: cases) == 0 }

    /// One of several values.
    mutating func pick<Value>(_ values: [Value]) throws -> Value {
        guard let value = dice.pick(values) else { throw NothingToActOn() }
        return value
    }

    /// A number that no earlier call returned.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// A UUID that no earlier call returned.
    mutating func nextUUID() -> String { uuid(1_000 + nextNumber()) }

    mutating func nextNonce() -> SignatureNonce { .random(using: &dice) }

    /// The next action: each occurs once in a round, in random order.
    private mutating func nextAction() -> StoreAction {
        if round.isEmpty { round = StoreAction.round(in: run.environment) }
        return round.remove(at: Int(number(below: Int64(round.count))))
    }

    // MARK: - Actions

    private mutating func perform(_ action: StoreAction) throws {
        let time = store.now
        let answer: String
        do {
            answer = try call(action)
            coverage.actions.insert(action.name)
        } catch let error as StoreError {
            answer = "refused: \(error.code.rawValue)"
        } catch let error as AppStoreServerAPIError {
            answer = "refused: \(error.code)"
        } catch let error as ExternalPurchaseRefusal {
            answer = "refused: " + error.errors.map { "\($0.errorCode.rawValue)" }.joined(separator: " ")
        } catch let error as AppStoreConnectError {
            answer = "refused: \(error.code)"
        } catch is NothingToActOn {
            answer = "nothing to act on"
        }
        transcript.note("\(time) \(action.name): \(answer)", as: .answers)
        try signed.note(answer)
    }

    /// Makes the call of an action; a call of Apple's API is counted, and may have a fault, as in the server.
    private mutating func call(_ action: StoreAction) throws -> String {
        guard let endpoint = action.endpoint else { return try action.play(&self) }
        if let time = store.admit(endpoint) { return "too many calls until \(time)" }
        guard let fault = store.fault(of: endpoint) else { return try action.play(&self) }
        guard fault == .malformedBody else { return "fault: \(fault.name)" }
        return "fault: \(fault.name), executed: " + (try action.play(&self))
    }

    // MARK: - Time

    /// Advances the clock from one due time to the next, and delivers at each.
    mutating func advance(to end: Int64) throws {
        try deliver()
        while let time = store.nextDue(atOrBefore: end) {
            try store.step(to: time)
            try deliver()
        }
        try store.step(to: end)
    }

    /// Makes the deliveries that are due.
    mutating func deliver() throws {
        while case let due = store.dueDeliveries(), !due.isEmpty {
            for delivery in due {
                let (result, status) = try receive(delivery)
                try store.recordAttempt(
                    notificationUUID: delivery.notificationUUID,
                    result: result,
                    httpStatus: status
                )
                let fault = delivery.fault.map { " fault: \($0.name)" } ?? ""
                let attempt = "\(delivery.notificationUUID) attempt \(delivery.attempt) to \(delivery.url)"
                transcript.note("\(store.now) \(attempt):\(fault) \(result.rawValue)", as: .deliveries)
            }
        }
    }

    /// The result of a delivery: one in eight fails in one of Apple's ways.
    private mutating func receive(_ delivery: Delivery) throws -> (SendAttemptResult, Int?) {
        switch delivery.fault {
        case .drop: return (.timedOut, nil)
        case .reset: return (.prematureClose, nil)
        case .status(let status): return (.unsuccessfulHTTPResponseCode, status)
        case .delay, .duplicate, .reorder, .truncate, .slow, nil: break
        }
        guard occurs(oneOf: 8) else { return (.success, 200) }
        let result = try pick(SendAttemptResult.documented.filter { $0 != .success })
        guard result == .unsuccessfulHTTPResponseCode else { return (result, nil) }
        return (result, try pick([400, 500]))
    }

    /// Continues with a store that was written to a file and read again, as after a restart of the server.
    private mutating func restart() throws {
        try noteState()
        let developerTime = store.now
        var restored = try JSONDecoder().decode(LocalAppStore.self, from: JSONEncoder().encode(store))
        restored.setSigner(keys.signer, receipts: keys.receipts)
        restored.setDeveloperTime(developerTime)
        let isEqual = try CanonicalJSON(restored).text == CanonicalJSON(store).text
        transcript.note("the file that was read \(isEqual ? "equals" : "differs from") the one written", as: .state)
        coverage.restartsAreEqual = coverage.restartsAreEqual && isEqual
        store = restored
    }

    // MARK: - The transcript

    private mutating func noteState() throws {
        for line in try CanonicalJSON(store).lines() { transcript.note(line, as: .state) }
    }

    private mutating func noteNotifications() throws {
        var all: [NotificationRecord] = []
        var cursor: String?
        repeat {
            let page = try store.notifications(after: cursor, limit: 1_000)
            all += page.notifications
            cursor = page.nextCursor
        } while cursor != nil
        for record in all.dropFirst(notedNotifications) { try note(record) }
        notedNotifications = all.count
    }

    private mutating func note(_ record: NotificationRecord) throws {
        let name = record.notificationType.rawValue + (record.subtype.map { "/\($0.rawValue)" } ?? "")
        coverage.notifications.insert(name)
        let about = "\(record.originalTransactionId ?? "-") status \(record.status.map { "\($0.rawValue)" } ?? "-")"
        let body =
            switch record.body {
            case .version1(let json): ReceiptContent.replacingReceipts(in: json)
            case .version2(let signedPayload): signedPayload
            }
        let dates = "\(record.createdAt) signed \(record.signedDate)"
        transcript.note("\(dates) \(record.notificationUUID) \(name) about \(about): \(body)", as: .notifications)
        try signed.note(body)
    }

    private mutating func noteReports() throws {
        for report in SalesReportQuery.Report.allCases {
            let day = pacificDay(store.now - dayLength)
            let text: String
            do { text = try store.reportText(report, day) ?? "no sales" } catch let error as AppStoreConnectError {
                text = "refused: \(error.code)"
            }
            transcript.note("\(report.rawValue) of \(day)\n\(text)", as: .reports)
        }
    }

    /// Notes which faults have occurred; their counts are lost when others replace them.
    mutating func noteFaults() {
        let faults = store.faults
        for rule in faults.deliveries where rule.happened > 0 { coverage.faults.insert("delivery \(rule.fault.name)") }
        for rule in faults.calls where rule.happened > 0 { coverage.faults.insert("call \(rule.fault.name)") }
        for rule in faults.realtime where rule.happened > 0 { coverage.faults.insert("realtime \(rule.fault.name)") }
    }

    /// Notes that a fault of `/verifyReceipt` occurred.
    mutating func noteReceiptFault() { coverage.faults.insert("receipt") }
}
