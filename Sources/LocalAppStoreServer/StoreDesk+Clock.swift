import LocalAppStore
import Logging
import ServiceLifecycle

/// What the virtual clock shows and how it moves.
struct ClockReading: Hashable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    let now: Int64
    /// Virtual milliseconds in each real one; 0 while the clock stands.
    let speed: Int64
}

extension StoreDesk {
    /// The longest pause between two looks at a running clock, real milliseconds.
    ///
    /// Followers hear of the present instant at least so often.
    private static let tickMax: Int64 = 200

    /// After so many ticks at which nothing happened, the clock alone is worth keeping: a store that is killed before
    /// the next tick has lost no more than a second.
    private static let quietTicksMax = 4

    /// What the clock shows.
    func clock() -> ClockReading {
        read { [speed = drive.speed] in ClockReading(now: $0.now, speed: speed) }
    }

    /// Lets the clock run, or stand still with a speed of 0; what was due until now happens first.
    ///
    /// - Throws: `store_busy`, `store_stopping`.
    func setClockSpeed(_ speed: Int64) async throws -> ClockReading {
        try await exclusively {
            var tally = AdvanceReport()
            try await keepPace(&tally)
            drive.run(atSpeed: speed, from: realTime.milliseconds())
            announceClockStart.yield()
            return ClockReading(now: store.now, speed: speed)
        }
    }

    /// Keeps the clock going until the task is cancelled or the store stops.
    ///
    /// - Parameter afterStep: Called after each tick at which something happened, and now and then when nothing does.
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
            logger.error("the running clock failed and stands still now", metadata: ["error": "\(error)"])
            await runClock(afterStep: afterStep)
        }
    }

    /// Lets happen what has become due by the running clock; part of a command.
    func keepPace(_ report: inout AdvanceReport) async throws {
        guard drive.isRunning else { return }
        try await run(to: store.now + drive.take(until: realTime.milliseconds()), &report)
    }

    /// Moves a running clock to the present where nothing is due until there, so that reads see the right instant.
    func showPresentInstant() {
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
            try await keepPace(&report)
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
