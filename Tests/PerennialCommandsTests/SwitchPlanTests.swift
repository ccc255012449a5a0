import Testing

@testable import PerennialCommands

/// The guide from version 1 to version 2, by what the server knows.
@Suite struct `The plan of the switch to version 2` {
    private static let hour: Int64 = 3_600_000
    private static let switched: Int64 = 1_767_258_000_000

    private func plan(
        production: Bool = true,
        hours: Int64,
        last: Int64? = nil,
        first: Int64? = 0
    ) -> SwitchPlan {
        SwitchPlan(
            facts: SwitchPlan.Facts(
                isProduction: production,
                evaluatedAt: Self.switched + hours * Self.hour,
                lastVersionOneAt: last.map { Self.switched + $0 * Self.hour },
                firstVersionTwoAt: first.map { Self.switched + $0 * Self.hour }
            )
        )
    }

    @Test func `begins in App Store Connect, with the URL of its environment`() {
        let production = plan(hours: 0, last: -1, first: nil)
        #expect(!production.isSwitched && production.change.state == .toDo && production.retries.state == .waiting)
        #expect(production.change.message.contains("Production Server URL"))
        #expect(plan(production: false, hours: 0, first: nil).change.message.contains("Sandbox Server URL"))
    }

    /// An hour for the change, then 6, 24 and 48 hours after one another.
    @Test(arguments: [(0, false), (6, false), (30, false), (78, false), (79, true), (1000, true)] as [(Int64, Bool)])
    func `waits in production until the last retry`(hours: Int64, isDone: Bool) {
        for last in [nil, -10, 1, hours] as [Int64?] where last ?? 0 < 80 {
            #expect((plan(hours: hours, last: last).retries.state == .done) == isDone, "last at \(last ?? -1)")
        }
    }

    @Test func `waits an hour in sandbox, which makes one attempt`() {
        #expect(plan(production: false, hours: 0).retries.state == .waiting)
        #expect(plan(production: false, hours: 1).retries.state == .done)
    }

    /// A notification of version 1 that no retry explains shows that the URL has version 1 again.
    @Test func `is open again if version 1 is back`() {
        let back = plan(hours: 200, last: 199)
        #expect(back.isVersionOneBack && back.retries.state == .toDo)
        #expect(plan(hours: 199 + 78, last: 199).retries.state == .toDo)
        let quiet = plan(hours: 199 + 79, last: 199).retries
        #expect(quiet.state == .toDo && quiet.message.contains("If it is version 2, none can arrive any more"))
        #expect(!plan(hours: 79, last: 79).isVersionOneBack)
    }
}
