/// The maximum age of a developer's signature, and the maximum clock difference.
public struct SignatureLimits: Hashable, Sendable {
    /// How long a signature is valid.
    ///
    /// - Units: milliseconds.
    public var ageMax: Int64

    /// How far the developer's clock may be ahead.
    ///
    /// - Units: milliseconds.
    public var clockSkewMax: Int64

    /// Sets both limits; negative ones count as zero.
    public init(ageMax: Int64, clockSkewMax: Int64) {
        self.ageMax = max(0, ageMax)
        self.clockSkewMax = max(0, clockSkewMax)
    }

    /// A day, and a minute of skew.
    ///
    /// Apple documents the day for version 1 signatures of promotional offers. For a JWS it documents only that the
    /// time starts at `iat`: the day, and the minute, are choices of this library.
    ///
    /// - Source: StoreKit, Generating a signature for promotional offers, `timestamp`.
    public static let appStore = SignatureLimits(ageMax: 86_400_000, clockSkewMax: 60_000)

    /// Refuses a time that is too old, or in the future.
    func check(_ time: Int64, now: Int64, field: String) throws(SignatureRefusal) {
        let (age, overflow) = now.subtractingReportingOverflow(time)
        guard !overflow else {
            throw SignatureRefusal(code: .malformed, message: "\(field) is no time.")
        }
        guard age <= ageMax else {
            throw SignatureRefusal(
                code: .expired,
                message: "\(field) is \(age / 1000) s ago, and a signature is good for \(ageMax / 1000) s; sign again."
            )
        }
        guard age >= 0 || age.magnitude <= UInt64(clockSkewMax) else {
            throw SignatureRefusal(
                code: .notYetValid,
                message: "\(field) is in the future; check the clock, and the unit of the time."
            )
        }
    }
}
