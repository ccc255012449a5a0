import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

@testable import SubscriptionServer

@Suite struct `The review of a sweep that refused a notification` {
    private static let now = Timestamp(milliseconds: ServerFixture.now)
    private static let hour: Int64 = 3_600_000

    private static func window(
        _ id: String,
        hoursAgo: ClosedRange<Int64>,
        onlyFailures: Bool,
        refused: Int = 0
    ) -> RecoveryWindow {
        var window = RecoveryWindow(
            id: RecoveryWindowID(id),
            createdAt: now.adding(milliseconds: -hoursAgo.lowerBound * hour),
            from: now.adding(milliseconds: -hoursAgo.upperBound * hour),
            to: now.adding(milliseconds: -hoursAgo.lowerBound * hour),
            onlyFailures: onlyFailures,
            reason: onlyFailures ? .sweep : .request
        )
        window.state = .finished
        window.counts.refused = refused
        return window
    }

    /// The codes if these windows, the newest first, are newer than the sweep.
    private static func codes(after newer: [RecoveryWindow]) -> [String?] {
        let sweep = window("sweep", hoursAgo: 10...12, onlyFailures: true, refused: 1)
        let review = RecoveryReview(
            app: ServerFixture.app,
            progress: RecoveryProgress(comparedUntil: now),
            windows: newer + [sweep],
            hours: [],
            settings: RecoverySettings(),
            hasKey: true,
            now: now
        )
        return review.findings.map(\.code)
    }

    @Test func `it is reported until the whole history of its span is compared again`() {
        #expect(Self.codes(after: []) == ["recovery_refused"])
        let covering = Self.window("full", hoursAgo: 0...12, onlyFailures: false)
        #expect(Self.codes(after: [covering]) == [nil])
        let later = Self.window("later", hoursAgo: 0...11, onlyFailures: false)
        #expect(Self.codes(after: [later]) == ["recovery_refused"])
        var running = covering
        running.state = .running
        #expect(Self.codes(after: [running]) == ["recovery_refused"])
    }

    @Test func `a notification that is refused again is reported by the newer comparison`() {
        let covering = Self.window("full", hoursAgo: 0...12, onlyFailures: false, refused: 1)
        #expect(Self.codes(after: [covering]) == ["recovery_refused"])
    }

    @Test func `a newer sweep replaces it`() {
        #expect(Self.codes(after: [Self.window("sweep 2", hoursAgo: 0...2, onlyFailures: true)]) == [nil])
    }
}
