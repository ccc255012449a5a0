/// The part of a price that pays for time not used.
enum Proration {
    /// `price × unused time / whole time`, rounded down to a thousandth of the currency unit.
    ///
    /// Apple does not publish how it rounds.
    ///
    /// - Parameters:
    ///   - price: What the whole time cost, thousandths of the currency unit.
    ///   - start: When the time began, milliseconds since 1970.
    ///   - end: When it was to end, milliseconds since 1970.
    ///   - time: When it ends instead, milliseconds since 1970.
    static func unused(ofPrice price: Int64, from start: Int64, to end: Int64, at time: Int64) -> Int64 {
        guard price > 0, end > start, time < end else { return 0 }
        let unused = end - max(time, start)
        // A price times milliseconds needs more than 64 bits; the quotient is at most the price.
        let product = price.multipliedFullWidth(by: unused)
        return (end - start).dividingFullWidth(product).quotient
    }
}
