import AppStoreSigning
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

@testable import SubscriptionServer

@Suite struct `The reviews of perennial doctor` {
    private static let now = Timestamp(milliseconds: ServerFixture.now)
    private static let day: Int64 = 86_400_000
    private static let app = ServerFixture.app

    private static func ago(_ milliseconds: Int64) -> Timestamp { now.adding(milliseconds: -milliseconds) }

    @Test(arguments: [(-1, "root_expired"), (0, "root_expired"), (1, "root_expires"), (90, "root_expires"), (91, nil)])
    func `a root is reported 90 days before it expires`(days: Int64, code: String?) {
        let expiry = Self.now.adding(milliseconds: days * Self.day)
        let finding = RootReview.finding("CN=Root", expiresAt: expiry, isApples: false, at: Self.now)
        #expect(finding.code == code)
        #expect((finding.status == .problem) == (code == "root_expired"))
        #expect((finding.remedy == nil) == (code == nil))
    }

    @Test func `Apple's root is valid until 2039`() {
        let finding = RootReview(root: .appleRootCAG3, isApples: true).finding(at: Self.now)
        #expect(finding.status == .ok)
        #expect(finding.message == "It is valid until 30 April 2039.")
        #expect(finding.subject.contains("Apple Root CA - G3"))
    }

    // Disk

    @Test(arguments: [
        (Int64(100 << 20) - 1, Int64(0), "disk_full"), (100 << 20, 0, "disk_low"), (1 << 30, 0, nil),
        (1 << 30, 900_000, "file_limit_near"), (1 << 30, 899_999, nil),
    ])
    func `a disk is reported before it is full`(free: Int64, size: Int64, code: String?) {
        let review = DiskReview(path: "/data/perennial.db", fileBytesMax: 1_000_000)
        #expect(review.finding(freeBytes: free, fileBytes: size).code == code)
    }

    // Clock

    @Test(arguments: [
        (0, 0), (999, 0), (1_000, 1), (-1, -1), (30_999, 30_000), (31_000, 30_001), (-30_001, -30_001),
    ])
    func `a clock is compared within the resolution of the other one`(offset: Int64, ahead: Int64) {
        let comparison = Self.comparison(offset)
        #expect(comparison.aheadMilliseconds == ahead)
    }

    @Test(arguments: [
        (0, nil), (5_999, nil), (6_000, "clock_inexact"), (30_999, "clock_inexact"), (31_000, "clock_wrong"),
        (-5_000, nil), (-5_001, "clock_inexact"), (-30_001, "clock_wrong"),
    ])
    func `a clock is reported from five seconds`(offset: Int64, code: String?) {
        #expect(Self.comparison(offset).finding.code == code)
    }

    @Test(arguments: [(31_000, " 30 s ahead of the clock of Apple", " back,"), (-31_000, " 31 s behind ", " forward,")])
    func `a wrong clock is reported with its direction and its correction`(offset: Int64, text: String, remedy: String)
    {
        let finding = Self.comparison(offset).finding
        #expect(finding.message.contains(text) && finding.remedy?.contains(remedy) == true)
    }

    private static func comparison(_ offset: Int64) -> ClockComparison {
        let read = now.adding(milliseconds: offset)
        return ClockComparison(witness: "Apple", time: now, resolutionMilliseconds: 1_000, before: read, after: read)
    }

    // Keys

    @Test func `each key of several is reported, and a refused one is a problem if no other is accepted`() {
        let all = KeyCheckup.findings(
            Self.app,
            [("K1", .refused("why")), ("K2", .accepted), ("K3", .unanswered("timed_out"))]
        )
        #expect(all.map(\.status) == [.warning, .ok, .skipped])
        #expect(all.map(\.subject) == ["K1", "K2", "K3"].map { "\(Self.app.rawValue) \($0)" })
        let none = KeyCheckup.findings(Self.app, [("K1", .refused("why")), ("K3", .unanswered("timed_out"))])
        #expect(none.map(\.status) == [.problem, .skipped])
        #expect(none.first?.remedy?.contains("why") == true)
    }

    // Notifications

    private static func notification(_ sequence: Int64, at time: Timestamp, _ type: String) -> EvidenceSummary {
        EvidenceSummary(
            sequence: sequence,
            id: EvidenceID("notification:\(sequence)"),
            type: type,
            subtype: nil,
            signedAt: time,
            receivedAt: time
        )
    }

    private static func notifications(
        _ newest: [EvidenceSummary],
        hours: [NotificationHour] = [],
        now: Timestamp?
    ) -> NotificationReview {
        let rule = QuietRule(RecoverySettings())
        return NotificationReview(app: app, newest: newest, hours: hours, rule: rule, quietSince: nil, now: now)
    }

    /// A notification every `gap`, the newest one `age` ago.
    private static func review(_ count: Int, gap: Int64, age: Int64, type: String = "DID_RENEW") -> DoctorFinding {
        let newest = (0..<count).map { number in
            let time = ago(age + Int64(count - 1 - number) * gap)
            return notification(Int64(number), at: time, type)
        }
        return notifications(newest, now: now).finding
    }

    @Test func `an app without any notification is reported`() {
        #expect(Self.review(0, gap: 0, age: 0).code == "notification_never")
        #expect(Self.review(3, gap: 0, age: 400 * Self.day, type: "TEST").status == .ok)
    }

    @Test func `an app is quiet by its own rate, and never within a day`() {
        #expect(Self.review(20, gap: Self.day, age: 3 * Self.day).status == .ok)
        #expect(Self.review(20, gap: Self.day, age: 3 * Self.day + 1).message.hasSuffix("has them more often."))
        #expect(Self.review(500, gap: 1_000, age: Self.day).status == .ok)
        #expect(Self.review(500, gap: 1_000, age: Self.day + 1).code == "notification_quiet")
        #expect(Self.review(19, gap: 1_000, age: 90 * Self.day).status == .ok)
        #expect(Self.review(19, gap: 1_000, age: 90 * Self.day + 1).message.hasSuffix(", more than 90 days ago."))
    }

    @Test func `without the clock of the store, no time is judged`() {
        let newest = [Self.notification(1, at: Self.ago(400 * Self.day), "DID_RENEW")]
        #expect(Self.notifications(newest, now: nil).finding.status == .ok)
    }

    @Test func `a rate far below the usual one is reported`() {
        let current = NotificationHour.start(of: Self.now)
        let hours = (1...190).reversed().map { hour in
            let start = current.adding(milliseconds: Int64(-hour) * 3_600_000)
            return NotificationHour(startsAt: start, count: hour == 1 ? 2 : 1_000)
        }
        let newest = [Self.notification(1, at: Self.ago(1_000), "DID_RENEW")]
        let finding = Self.notifications(newest, hours: hours, now: Self.now).finding
        #expect(finding.code == "notification_quiet")
        #expect(finding.message.hasPrefix("Only 2 arrived since "))
    }

    // Recovery

    private static func recovery(
        comparedAgo: Int64?,
        hasKey: Bool = true,
        isAutomatic: Bool = true,
        missingAgo: Int64? = nil,
        others: [RecoveryWindow] = [],
        hours: [NotificationHour] = [],
        at time: Timestamp? = now,
        _ change: (inout RecoveryWindow) -> Void = { _ in }
    ) -> [DoctorFinding] {
        var window = RecoveryWindow(
            id: RecoveryWindowID("w1"),
            createdAt: now,
            from: ago(day),
            to: now,
            onlyFailures: false,
            reason: .schedule
        )
        window.state = .finished
        change(&window)
        let review = RecoveryReview(
            app: app,
            progress: RecoveryProgress(comparedUntil: comparedAgo.map(ago), missingFrom: missingAgo.map(ago)),
            windows: [window] + others,
            hours: hours,
            settings: RecoverySettings(isAutomatic: isAutomatic),
            hasKey: hasKey,
            now: time
        )
        return review.findings
    }

    /// A day of a span that Apple's history no longer has, as it is written.
    private static func dayText(_ number: Int64) -> String {
        "\(ago((10 - number) * day).dateAndTimeText) to \(ago((9 - number) * day).dateAndTimeText)"
    }

    /// The days in the warning about some spans, the last of which is the newest; nil without the warning.
    private static func expiredMessage(spans: Int64) -> String? {
        let windows = (1...spans).reversed().map { number -> RecoveryWindow in
            var window = RecoveryWindow(
                id: RecoveryWindowID("w\(number)"),
                createdAt: now,
                from: ago((10 - number) * day),
                to: ago((9 - number) * day),
                onlyFailures: false,
                reason: .start
            )
            window.state = .failed
            window.failure = StoredFailure(code: RecoveryWindow.expiredCode, message: "No.")
            return window
        }
        let review = RecoveryReview(
            app: app,
            progress: RecoveryProgress(comparedUntil: now),
            windows: windows,
            hours: [],
            settings: RecoverySettings(isAutomatic: true),
            hasKey: true,
            now: now
        )
        let message = review.findings.last?.message ?? ""
        guard let start = message.firstRange(of: "the time "), let end = message.firstRange(of: " when it was")
        else { return nil }
        return String(message[start.upperBound..<end.lowerBound])
    }

    @Test func `a comparison is late after two intervals`() {
        #expect(Self.recovery(comparedAgo: 2 * Self.day).map(\.status) == [.ok])
        let late = [2, 3].flatMap { Self.recovery(comparedAgo: $0 * Self.day + 1) }
        #expect(late.map { "\($0.code ?? "") \($0.status)" } == ["recovery_late warning", "recovery_late problem"])
        #expect(Self.recovery(comparedAgo: nil).map(\.code) == ["recovery_never"])
        #expect(Self.recovery(comparedAgo: nil) { $0.state = .running }.map(\.status) == [.ok])
        #expect(Self.recovery(comparedAgo: nil, isAutomatic: false).map(\.status) == [.skipped])
        #expect(Self.recovery(comparedAgo: nil, hasKey: false).map(\.status) == [.skipped])
    }

    @Test func `what a comparison could not do is reported`() {
        let failed = Self.recovery(comparedAgo: 0) { window in
            window.state = .failed
            window.failure = StoredFailure(code: "app_store_refused", message: "No.")
        }
        #expect(failed.map(\.code) == ["recovery_failed"])
        #expect(failed.first?.message.contains("app_store_refused") == true)
        #expect(Self.recovery(comparedAgo: 0) { $0.counts.missing = 1 }.map(\.code) == ["recovery_missing"])
        #expect(Self.recovery(comparedAgo: 0) { $0.counts.refused = 1 }.map(\.code) == ["recovery_refused"])
        let failing = Self.recovery(comparedAgo: 0) { window in
            window.state = .running
            window.failures = 2
        }
        #expect(failing.map(\.code) == ["recovery_failing"])
        #expect(failing.map(\.status) == [.warning])
    }

    @Test func `a comparison that has failed for more than a day is a problem`() {
        func fail(_ window: inout RecoveryWindow, since age: Int64) {
            (window.state, window.failures) = (.running, 1)
            window.createdAt = Self.ago(age)
            window.failure = StoredFailure(code: "app_store_unavailable", message: "No.")
        }
        #expect(Self.recovery(comparedAgo: 0) { fail(&$0, since: Self.day) }.map(\.status) == [.warning])
        let failing = Self.recovery(comparedAgo: 0) { fail(&$0, since: Self.day + 1) }
        #expect(failing.map(\.status) == [.problem])
        #expect(failing.map(\.code) == ["recovery_failing"])
        #expect(failing.first?.message.hasSuffix(" has failed 1 time in a row (app_store_unavailable).") == true)
        #expect(Self.recovery(comparedAgo: 0, at: nil) { fail(&$0, since: 9 * Self.day) }.map(\.status) == [.warning])

        // A newer one that somebody requested does not hide it.
        var older = RecoveryWindow(
            id: RecoveryWindowID("w0"),
            createdAt: Self.now,
            from: Self.ago(3 * Self.day),
            to: Self.ago(2 * Self.day),
            onlyFailures: false,
            reason: .schedule
        )
        fail(&older, since: 2 * Self.day)
        #expect(Self.recovery(comparedAgo: 0, others: [older]).map(\.status) == [.problem])
    }

    @Test func `a comparison that fails is named, although a newer one succeeded`() {
        var older = RecoveryWindow(
            id: RecoveryWindowID("w0"),
            createdAt: Self.ago(3_600_000),
            from: Self.ago(3 * Self.day),
            to: Self.ago(2 * Self.day),
            onlyFailures: false,
            reason: .schedule
        )
        (older.state, older.failures, older.counts.refused) = (.running, 3, 1)
        older.failure = StoredFailure(code: "history_malformed", message: "No.")
        let findings = Self.recovery(comparedAgo: 0, others: [older]) { $0.reason = .request }
        #expect(findings.first?.message.hasSuffix(" has failed 3 times in a row (history_malformed).") == true)
    }

    private static let recoveries: [(RecoveryWindow.Reason, Int64, Bool)] = [
        (.sweep, 0, true), (.outage, 7 * day, true), (.schedule, 0, true), (.schedule, 7 * day + 1, false),
        (.start, 0, false), (.request, 0, false),
    ]

    @Test(arguments: recoveries)
    func `notifications that only the recovery stored are reported for seven days`(
        reason: RecoveryWindow.Reason,
        age: Int64,
        isReported: Bool
    ) {
        let findings = Self.recovery(comparedAgo: 0) { window in
            window.reason = reason
            window.createdAt = Self.ago(age)
            window.counts.recovered = 2
            window.recoveredBefore = 3
        }
        #expect(findings.map(\.status) == [isReported ? .warning : .ok])
        #expect(findings.map(\.code) == [isReported ? "recovery_needed" : nil])
        if isReported { #expect(findings.first?.message.contains(", 5 notifications were not accepted") == true) }
    }

    /// How many hours ago the window begins and notifications arrived, of a server that started two hours ago.
    private static let arrivals: [(Int64, [Int64], Bool)] = [
        (2, [2], false), (3, [0], false), (30, [1], false), (30, [], true), (30, [3, 4], true), (1, [0, 1, 2], true),
    ]

    @Test(arguments: arrivals)
    func `what was sent before the start of the server is not reported if notifications arrive since then`(
        from: Int64,
        hours: [Int64],
        isReported: Bool
    ) {
        let hour: Int64 = 3_600_000
        var start = RecoveryWindow(
            id: RecoveryWindowID("w0"),
            createdAt: Self.ago(2 * hour),
            from: Self.ago(40 * hour),
            to: Self.ago(2 * hour),
            onlyFailures: false,
            reason: .start
        )
        start.state = .finished
        let arrived = hours.sorted(by: >).map { ago in
            NotificationHour(startsAt: NotificationHour.start(of: Self.ago(ago * hour)), count: 1)
        }
        let findings = Self.recovery(comparedAgo: 0, others: [start], hours: arrived) { window in
            window.from = Self.ago(from * hour)
            window.counts.recovered = 1
        }
        #expect(findings.map(\.code) == [isReported ? "recovery_needed" : nil])
    }

    @Test func `what was sent before the start of the server is reported while notifications are quiet`() {
        let hour: Int64 = 3_600_000
        let start = RecoveryWindow(
            id: RecoveryWindowID("w0"),
            createdAt: Self.ago(4 * hour),
            from: Self.ago(5 * hour),
            to: Self.ago(4 * hour),
            onlyFailures: false,
            reason: .start
        )
        for isQuiet in [false, true] {
            // The usual rate, until now or until three hours ago.
            let hours = ((isQuiet ? 3 : 0)..<190).reversed().map { number in
                NotificationHour(startsAt: NotificationHour.start(of: Self.ago(Int64(number) * hour)), count: 50)
            }
            let findings = Self.recovery(comparedAgo: 0, others: [start], hours: hours) { window in
                window.from = Self.ago(5 * hour)
                window.counts.recovered = 1
            }
            #expect(findings.map(\.code) == [isQuiet ? "recovery_needed" : nil])
        }
    }

    @Test func `missing notifications are reported until they are stored, whatever was compared since`() {
        let missing = Self.recovery(comparedAgo: 0, missingAgo: 3 * Self.day)
        #expect(missing.map(\.code) == ["recovery_missing"])
        #expect(missing.map(\.status) == [.problem])
        // A query for failed deliveries that could not store something is not the newest knowledge.
        let sweep = Self.recovery(comparedAgo: 0) { window in
            window.onlyFailures = true
            window.counts.missing = 1
        }
        #expect(sweep.map(\.status) == [.ok])
    }

    @Test func `what Apple's history no longer has is reported for thirty days`() {
        func expire(_ window: inout RecoveryWindow) {
            window.state = .failed
            window.failure = StoredFailure(code: RecoveryWindow.expiredCode, message: "No.")
        }
        #expect(Self.recovery(comparedAgo: 0, expire).map(\.code) == [nil, "recovery_history_expired"])
        #expect(Self.recovery(comparedAgo: 0, at: nil, expire).last?.status == .warning)
        #expect(Self.expiredMessage(spans: 2) == "from \(Self.dayText(2)), from \(Self.dayText(1))")
        #expect(Self.expiredMessage(spans: 7)?.hasSuffix(", from \(Self.dayText(3)), and 2 earlier ones") == true)
        let later = Self.now.adding(milliseconds: 30 * Self.day + 1)
        let findings = Self.recovery(comparedAgo: -30 * Self.day, at: later, expire)
        #expect(findings.map(\.code) == [nil])
    }

    // The list

    @Test func `findings are in the order of the checks, and the worst status counts`() {
        let ok = DoctorFinding.ok(.sample, "", "fine")
        let warning = DoctorFinding.warning(.key, "w", "", "so so", remedy: "do")
        let problem = DoctorFinding.problem(.database, "p", "", "bad", remedy: "do")
        #expect([ok, warning, problem].inOrderOfChecks() == [problem, warning, ok])
        #expect([ok, warning, problem].worst == .problem)
        #expect([ok, warning].worst == .warning)
        #expect([ok, DoctorFinding.skipped(.key, "", "later")].worst == .ok)
    }
}
