/// The part of a price for the unused time.
enum Proration {
    /// `price × unused time / whole time`, rounded down to a thousandth of the currency unit.
    ///
    /// Apple does not publish how it rounds.
    ///
    /// - Parameters:
    ///   - price: The price of the whole time, thousandths of the currency unit.
    ///   - start: The start of the time, milliseconds since 1970.
    ///   - end: The planned end, milliseconds since 1970.
    ///   - time: The actual end, milliseconds since 1970.
    static func unused(ofPrice price: Int64, from start: Int64, to end: Int64, at time: Int64) -> Int64 {
        guard price > 0, end > start, time < end else { return 0 }
        let unused = end - max(time, start)
        // The product of price and milliseconds needs more than 64 bits; the quotient is at most the price.
        let product = price.multipliedFullWidth(by: unused)
        return (end - start).dividingFullWidth(product).quotient
    }
}
