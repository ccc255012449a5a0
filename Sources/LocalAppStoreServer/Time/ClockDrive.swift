/// The automatic movement of the virtual clock: stopped, or at a speed in virtual milliseconds per real millisecond.
struct ClockDrive: Hashable, Sendable {
    /// The maximum speed: a year in about three seconds.
    static let speedMax: Int64 = 10_000_000
    /// The maximum single movement, in milliseconds: about a century, for a machine that slept.
    private static let spanMax: Int64 = 36_525 * 86_400_000

    /// Virtual milliseconds per real millisecond; 0 while the clock is stopped.
    private(set) var speed: Int64 = 0
    /// The real time up to which the virtual clock has moved.
    private var movedUntil: Int64 = 0

    var isRunning: Bool { speed > 0 }

    /// Moves at a speed from now on.
    mutating func run(atSpeed speed: Int64, from real: Int64) {
        self.speed = speed
        movedUntil = real
    }

    /// The virtual time that has passed until a real time and was not consumed yet, in milliseconds.
    func span(until real: Int64) -> Int64 {
        let (span, isTooLong) = max(0, real - movedUntil).multipliedReportingOverflow(by: speed)
        return isTooLong ? Self.spanMax : min(span, Self.spanMax)
    }

    /// Consumes the virtual time that has passed.
    mutating func take(until real: Int64) -> Int64 {
        defer { movedUntil = max(movedUntil, real) }
        return span(until: real)
    }

    /// The real time until this much virtual time has passed, rounded up, in milliseconds.
    func pause(untilPassed span: Int64, from real: Int64) -> Int64 {
        guard isRunning else { return 0 }
        let rest = max(0, span - self.span(until: real))
        return rest / speed + (rest % speed == 0 ? 0 : 1)
    }
}
