extension Int64 {
    /// The length of the kit's periods: 30 days.
    static let defaultPeriod: Int64 = 30 * 86_400_000

    /// The sum, clamped to the range.
    func adding(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else { return sum }
        return other < 0 ? .min : .max
    }

    /// The difference, clamped to the range.
    func subtracting(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        guard overflow else { return difference }
        return other < 0 ? .max : .min
    }
}

extension Duration {
    /// Whole milliseconds, clamped to the range.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return product.adding(attoseconds / 1_000_000_000_000_000)
    }
}
