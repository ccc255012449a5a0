import Testing

@testable import SubscriptionStorageSQLite

/// When the log of a SQLite database is copied.
@Suite struct `A plan of the copies of a log` {
    private static let interval = SQLiteCopyPlan.interval
    private static let logPagesMax = SQLiteCopyPlan.logPagesMax

    /// Begins a plan and returns its steps before writes that find these counts; each copy ends at once.
    private static func steps(_ counts: [UInt32]) -> [SQLiteCopyPlan.Step] {
        var plan = SQLiteCopyPlan()
        return counts.map { count in
            let step = plan.step(written: count)
            if step == .copy { plan.noteCopy() }
            return step
        }
    }

    @Test func `copies after every interval`() {
        #expect(Self.steps([7, 8, 6 + Self.interval, 7 + Self.interval]) == [.none, .none, .none, .copy])
    }

    @Test func `begins no second copy while one is running`() {
        var plan = SQLiteCopyPlan()
        let steps = [0, Self.interval, 20 * Self.interval].map { plan.step(written: $0) }
        #expect(steps == [.none, .copy, .none])
        #expect(!plan.isWriterDue(written: 20 * Self.interval))
    }

    @Test func `begins no copy before the writer has added pages since the last one`() {
        var plan = SQLiteCopyPlan()
        _ = plan.step(written: 0)
        _ = plan.step(written: Self.interval)
        // The copy took long: it may have read everything that was written meanwhile.
        plan.noteCopy()
        let counts: [UInt32] = [3, 3, 4].map { $0 * Self.interval }
        let steps = counts.map { plan.step(written: $0) }
        #expect(steps == [.none, .none, .copy])
    }

    @Test func `lets the writer copy a long log, and begins no copy right after that`() {
        var plan = SQLiteCopyPlan()
        var step = plan.step(written: 0)
        var written: UInt32 = 0
        while step != .copyOnWriter, written <= Self.logPagesMax {
            written += Self.interval
            step = plan.step(written: written)
            if step == .copy { plan.noteCopy() }
        }
        #expect(step == .copyOnWriter)
        #expect(written == Self.logPagesMax)
        // Until the writer has copied it.
        let repeated = plan.step(written: written + 1)
        #expect(repeated == .copyOnWriter)
        #expect(plan.isWriterDue(written: written + 1))
        plan.noteCopyOnWriter(written: written + 1, isWhole: true)
        #expect(!plan.isWriterDue(written: written + 1))
        let next = [written + 1, written + Self.interval, written + Self.interval + 1].map { plan.step(written: $0) }
        #expect(next == [.none, .none, .copy])
    }

    @Test func `asks the writer again after half as many pages if a reader prevented the whole copy`() {
        var plan = SQLiteCopyPlan()
        _ = plan.step(written: 0)
        plan.noteCopyOnWriter(written: Self.logPagesMax, isWhole: false)
        let half = Self.logPagesMax + Self.logPagesMax / 2
        #expect(!plan.isWriterDue(written: half - 1))
        #expect(plan.isWriterDue(written: half))
    }

    @Test func `counts on when the count wraps`() {
        let end: UInt32 = 0x7FFF_FFFF
        #expect(Self.steps([end, 0, Self.interval - 2, Self.interval - 1]) == [.none, .none, .none, .copy])
    }
}
