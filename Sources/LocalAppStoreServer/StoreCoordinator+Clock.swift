import LocalAppStore
import Logging
import ServiceLifecycle

/// The time and the speed of the virtual clock.
struct ClockReading: Hashable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    let now: Int64
    /// Virtual milliseconds per real millisecond; 0 while the clock is stopped.
    let speed: Int64
}

extension StoreCoordinator {
    /// The longest pause between two ticks of a running clock, in real milliseconds.
    ///
    /// Followers receive the current time at least this often.
    private static let tickMax: Int64 = 200

    /// The number of ticks without an event after which the clock is saved. A killed store loses at most one second.
    private static let quietTicksMax = 4

    /// The current reading of the clock.
    func clock() -> ClockReading {
        read { [speed = drive.speed] in ClockReading(now: $0.now, speed: speed) }
    }

    /// Starts the clock at a speed, or stops it with a speed of 0. Everything due until now happens first.
    ///
    /// - Throws: `store_busy`, `store_stopping`.
    func setClockSpeed(_ speed: Int64) async throws -> ClockReading {
        try await exclusively {
            var tally = AdvanceReport()
            try await runUntilPresent(&tally)
            drive.run(atSpeed: speed, from: realTime.milliseconds())
            announceClockStart.yield()
            return ClockReading(now: store.now, speed: speed)
        }
    }

    /// Runs the clock until the task is cancelled or the store stops.
    ///
    /// - Parameter afterStep: Called after each tick with an event, and periodically without one.
    func runClock(afterStep: () async -> Void) async {
        var quietTicks = 0
        do {
            while !Task.isShuttingDownGracefully {
                if drive.isRunning {
                    try await realTime.sleep(milliseconds: pauseUntilNextTick())
                    quietTicks = try await tick() > 0 ? 0 : quietTicks + 1
                    guard quietTicks % Self.quietTicksMax == 0 else { continue }
                    await afterStep()
                } else {
                    guard await waitForClockStart() else { return }
                }
            }
        } catch is CancellationError {
            return
        } catch {
            guard !Task.isShuttingDownGracefully else { return }
            drive = ClockDrive()
            logger.error("the running clock failed and was stopped", metadata: ["error": "\(error)"])
            await runClock(afterStep: afterStep)
        }
    }

    /// Processes what the running clock has made due; part of a command.
    func runUntilPresent(_ report: inout AdvanceReport) async throws {
        guard drive.isRunning else { return }
        try await run(to: store.now + drive.take(until: realTime.milliseconds()), &report)
    }

    /// Moves a running clock to the present if nothing is due before it, so that reads return the correct time.
    func advanceToPresent() {
        guard drive.isRunning else { return }
        let real = realTime.milliseconds()
        let target = store.now + drive.span(until: real)
        guard store.nextDue(atOrBefore: target) == nil else { return }
        do {
            try pass(to: target)
            _ = drive.take(until: real)
        } catch {
            logger.error("the clock could not be moved", metadata: ["error": "\(error)"])
        }
    }

    private func tick() async throws -> Int {
        try await exclusively {
            var report = AdvanceReport()
            try await runUntilPresent(&report)
            return report.steps
        }
    }

    private func pauseUntilNextTick() -> Int64 {
        guard let next = store.nextDue(atOrBefore: .max) else { return Self.tickMax }
        let pause = drive.pause(untilPassed: next - store.now, from: realTime.milliseconds())
        return min(max(pause, 1), Self.tickMax)
    }

    private func waitForClockStart() async -> Bool {
        for await _ in clockStarts { return true }
        return false
    }
}
