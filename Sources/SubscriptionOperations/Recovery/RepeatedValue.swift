/// Notices that a value of an endless sequence comes again. It holds one value, however long the sequence is.
///
/// Every value is compared with an earlier one, which is replaced after 2, 4, 8, … further values.
///
/// - Source: R. P. Brent, An Improved Monte Carlo Factorization Algorithm, BIT 20 (1980).
struct RepeatedValue<Value: Hashable & Sendable>: Hashable, Sendable {
    private var earlier: Value?
    /// The number of values since the earlier one.
    private var count = 0
    private var countMax = 1
    /// The number of times that the earlier one came again.
    private var returns = 0

    /// Notes the next value.
    ///
    /// - Returns: How often the earlier value that it is compared with has come again; 0 if it differs from that one.
    mutating func note(_ value: Value) -> Int {
        let isEarlier = value == earlier
        if isEarlier { returns += 1 }
        let found = isEarlier ? returns : 0
        count += 1
        if count >= countMax {
            // Values that return are counted on, and the earlier one is still the same.
            if !isEarlier { (earlier, returns) = (value, 0) }
            count = 0
            countMax *= 2
        }
        return found
    }
}
