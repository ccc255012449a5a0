import SubscriptionCore
import Synchronization
import Testing

@testable import SubscriptionOperations

/// The clocks of a machine: an adjustable wall clock and a monotonic clock.
final class MachineClocks: TimeSource {
    private let state: Mutex<(wall: Int64, elapsed: Int64)>

    init(wall: Int64) { state = Mutex((wall, 0)) }

    func now() -> Timestamp { Timestamp(milliseconds: state.withLock(\.wall)) }

    var elapsed: @Sendable () -> Duration {
        { .milliseconds(self.state.withLock(\.elapsed)) }
    }

    func pass(_ milliseconds: Int64) { state.withLock { $0 = ($0.wall + milliseconds, $0.elapsed + milliseconds) } }

    /// Moves the wall clock forward or backward.
    func set(by milliseconds: Int64) { state.withLock { $0.wall += milliseconds } }
}

/// A wall clock. While it is read, the machine may stand still.
private final class InterruptedWall: TimeSource {
    private let clocks: MachineClocks
    private let pause = Mutex<Int64>(0)

    init(_ clocks: MachineClocks) { self.clocks = clocks }

    /// Lets time pass at the end of the next reading.
    func interrupt(for milliseconds: Int64) { pause.withLock { $0 = milliseconds } }

    func now() -> Timestamp {
        let time = clocks.now()
        let milliseconds = pause.withLock { pause in
            defer { pause = 0 }
            return pause
        }
        clocks.pass(milliseconds)
        return time
    }
}

@Suite struct `A checked clock` {
    private static let day: Int64 = 86_400_000
    private static let start: Int64 = 1_770_000_000_000

    private let clocks = MachineClocks(wall: start)

    private func source() -> CheckedTimeSource { CheckedTimeSource(wall: clocks, elapsed: clocks.elapsed) }

    @Test func `follows the wall clock while time passes normally`() {
        let time = source()
        for _ in 0..<100 {
            clocks.pass(Self.day)
            #expect(time.now().milliseconds == clocks.now().milliseconds)
            #expect(time.dispute == nil)
        }
        #expect(time.corrections == 0)
    }

    @Test func `is not disputed if the machine stands still while it is compared`() {
        let wall = InterruptedWall(clocks)
        let time = CheckedTimeSource(wall: wall, elapsed: clocks.elapsed)
        wall.interrupt(for: Self.day)
        #expect(time.now() == clocks.now())
        #expect(time.dispute == nil)
        #expect(time.corrections == 0)
    }

    @Test func `follows small steps in both directions`() {
        let time = source()
        for step: Int64 in [5_000, -5_000, 29_000, -29_000] {
            clocks.set(by: step)
            #expect(time.dispute == nil)
        }
    }

    @Test func `disputes a forward jump until the clock is right again`() {
        let time = source()
        clocks.pass(1_000)
        clocks.set(by: 400 * Self.day)
        #expect(time.dispute == ClockDispute(otherClock: .monotonicClock, aheadMilliseconds: 400 * Self.day))
        clocks.pass(Self.day)
        #expect(time.dispute == ClockDispute(otherClock: .monotonicClock, aheadMilliseconds: 400 * Self.day))
        clocks.set(by: -400 * Self.day)
        #expect(time.dispute == nil)
        #expect(time.corrections == 1)
    }

    @Test func `follows a backward step and records it as a correction`() {
        let time = source()
        clocks.set(by: -400 * Self.day)
        #expect(time.dispute == nil)
        #expect(time.now() == clocks.now())
        #expect(time.corrections == 1)
    }

    @Test func `accepts a jump that the database's clock confirms`() {
        let time = source()
        clocks.set(by: 3_600_000)
        #expect(time.dispute?.otherClock == .monotonicClock)
        time.take(database: clocks.now())
        #expect(time.dispute == nil)
        clocks.pass(1_000)
        #expect(time.dispute == nil)
    }

    @Test(arguments: [400, -400] as [Int64])
    func `is disputed by the database's clock if it is wrong from the start`(days: Int64) {
        clocks.set(by: days * Self.day)
        let time = source()
        #expect(time.dispute == nil)
        time.take(database: Timestamp(milliseconds: Self.start))
        #expect(time.dispute == ClockDispute(otherClock: .database, aheadMilliseconds: days * Self.day))
        clocks.pass(60_000)
        #expect(time.dispute?.otherClock == .database)
        clocks.set(by: -days * Self.day)
        #expect(time.dispute == nil)
        #expect(time.corrections == 1)
    }
}
