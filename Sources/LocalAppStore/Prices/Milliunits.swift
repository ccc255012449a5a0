/// Parses a decimal price such as `9.99` exactly, as thousandths of the currency unit.
///
/// `nil` for anything other than digits with at most three decimal places, and for prices of a billion or more.
func milliunits(decimal text: String) -> Int64? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let whole = parts.first, (1...9).contains(whole.count), parts.count <= 2 else { return nil }
    var decimals = parts.count == 2 ? Array(parts[1]) : []
    guard parts.count == 1 || (1...3).contains(decimals.count) else { return nil }
    while decimals.count < 3 { decimals.append(UInt8(ascii: "0")) }
    var amount: Int64 = 0
    for digit in Array(whole) + decimals {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
        amount = amount * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return amount
}
