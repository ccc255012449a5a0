import AppStoreModel
import Testing

@testable import PerennialCommands

/// `perennial notifications recover` does not wait for ever.
@Suite struct `The wait for a recovery window` {
    private static let createdAt: Int64 = 1_770_000_000_000

    private func window(sent: Int64 = 0, retryAfter seconds: Int64? = nil) -> JSONObject {
        var window: JSONObject = [
            "id": .string("rw_1"), "state": .string("running"), "sent": .integer(sent),
            "created_at": .integer(Self.createdAt), "retry_at": .null,
        ]
        if let seconds { window["retry_at"] = .integer(Self.createdAt + seconds * 1_000) }
        return window
    }

    @Test func `ends when a query should have been repeated by real time`() {
        var wait = WindowWait()
        #expect(wait.look(at: window(retryAfter: 30), after: .seconds(2)) == nil)
        #expect(wait.look(at: window(retryAfter: 30), after: .seconds(45)) == nil)
        let reason = wait.look(at: window(retryAfter: 30), after: .milliseconds(45_001))
        #expect(reason == .clockStandsStill(until: Self.createdAt + 30_000))
    }

    @Test func `goes on while the server is busy and its clock is not still`() {
        let reason = WindowWait.Reason.clockStandsStill(until: Self.createdAt + 30_000)
        #expect(reason.isConfirmed(atServerTime: Self.createdAt + 29_999))
        #expect(!reason.isConfirmed(atServerTime: Self.createdAt + 30_000))
        #expect(reason.isConfirmed(atServerTime: nil))
        #expect(WindowWait.Reason.failing.isConfirmed(atServerTime: Self.createdAt + 30_000))
    }

    @Test func `ends after an hour of failures, also if the last repetition is late`() {
        var wait = WindowWait()
        _ = wait.look(at: window(retryAfter: 30), after: .zero)
        #expect(wait.look(at: window(retryAfter: 30), after: .seconds(3_601)) == .failing)
    }

    @Test func `goes on while queries are repeated, for an hour without progress`() {
        var wait = WindowWait()
        for seconds in stride(from: 0, through: 3_600, by: 30) {
            #expect(wait.look(at: window(retryAfter: Int64(seconds) + 30), after: .seconds(seconds)) == nil)
        }
        #expect(wait.look(at: window(retryAfter: 3_640), after: .seconds(3_601)) == .failing)
    }

    @Test func `goes on while the counts increase, and ends ten minutes after the last`() {
        var wait = WindowWait()
        for minute in 0...120 {
            #expect(wait.look(at: window(sent: Int64(minute)), after: .seconds(minute * 60)) == nil)
        }
        #expect(wait.look(at: window(sent: 120), after: .seconds(7_800)) == nil)
        #expect(wait.look(at: window(sent: 120), after: .seconds(7_801)) == .unchanged)
    }

    @Test(arguments: [
        (WindowWait.Reason.clockStandsStill(until: createdAt), "recovery_clock_stands_still"),
        (.failing, "recovery_failing"), (.unchanged, "recovery_unchanged"),
    ])
    func `says why it ends and where to look later`(reason: WindowWait.Reason, code: String) {
        let text = reason.text("rw_1")
        #expect(text.hasPrefix("\(code): "))
        #expect(text.contains("GET /v1/recovery/windows/rw_1"))
        if case .clockStandsStill = reason {
            #expect(text.contains("2 February 2026, 02:40 UTC") && text.contains("/_store/clock/advance"))
        }
    }
}
