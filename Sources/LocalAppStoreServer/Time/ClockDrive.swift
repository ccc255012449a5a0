/// How the virtual clock moves by itself: not at all, or so many milliseconds in each real one.
struct ClockDrive: Hashable, Sendable {
    /// The fastest: a year in about three seconds.
    static let speedMax: Int64 = 10_000_000
    /// The furthest that the clock moves at once, milliseconds: a bound for a machine that slept, about a century.
    private static let spanMax: Int64 = 36_525 * 86_400_000

    /// Virtual milliseconds in each real one; 0 while the clock stands.
    private(set) var speed: Int64 = 0
    /// The real instant up to which the virtual clock has moved.
    private var movedUntil: Int64 = 0

    var isRunning: Bool { speed > 0 }

    /// Moves from now on at a speed.
    mutating func run(atSpeed speed: Int64, from real: Int64) {
        self.speed = speed
        movedUntil = real
    }

    /// The virtual time that has passed until a real instant and was not taken yet, milliseconds.
    func span(until real: Int64) -> Int64 {
        let (span, isTooLong) = max(0, real - movedUntil).multipliedReportingOverflow(by: speed)
        return isTooLong ? Self.spanMax : min(span, Self.spanMax)
    }

    /// Takes the virtual time that has passed.
    mutating func take(until real: Int64) -> Int64 {
        defer { movedUntil = max(movedUntil, real) }
        return span(until: real)
    }

    /// The real time until so much virtual time has passed, rounded up, milliseconds.
    func pause(untilPassed span: Int64, from real: Int64) -> Int64 {
        guard isRunning else { return 0 }
        let rest = max(0, span - self.span(until: real))
        return rest / speed + (rest % speed == 0 ? 0 : 1)
    }
}
