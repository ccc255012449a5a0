extension StoreIdentifier {
    private static let orderPrefix = "M"
    private static let orderDigits = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)
    private static let orderLength = 9
    /// Forty-five bits: nine digits of five bits each.
    private static let orderMask: UInt64 = (1 << 45) - 1
    /// Odd, so that it has an inverse: consecutive order numbers look unrelated.
    private static let orderFactor: UInt64 = 0x1d2f_96b3_4c85

    /// The order number on the customer's receipt: M and nine letters or digits, computed from the index.
    static func order(of index: LedgerIndex<Transaction>) -> String {
        var number = UInt64(index.offset + 1) &* orderFactor & orderMask
        var digits: [UInt8] = []
        for _ in 0..<orderLength {
            digits.append(orderDigits[Int(number % 32)])
            number /= 32
        }
        return orderPrefix + String(decoding: digits.reversed(), as: UTF8.self)
    }

    /// The index of an order number below a count; `nil` if there is none.
    static func position(ofOrder orderId: String, among count: Int) -> Int? {
        let digits = Array(orderId.utf8.dropFirst())
        guard orderId.hasPrefix(orderPrefix), digits.count == orderLength else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            guard let value = orderDigits.firstIndex(of: digit) else { return nil }
            number = number * 32 + UInt64(value)
        }
        let position = Int(number &* orderInverse & orderMask) - 1
        return (0..<count).contains(position) ? position : nil
    }

    /// The factor's inverse modulo 2 to the 64th: each Newton step doubles the number of correct bits.
    private static let orderInverse: UInt64 = {
        var inverse = orderFactor
        for _ in 0..<6 { inverse = inverse &* (2 &- orderFactor &* inverse) }
        return inverse
    }()
}
