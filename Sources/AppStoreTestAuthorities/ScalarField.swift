/// Arithmetic modulo the odd prime order of a curve, on limbs of 64 bits, the least significant first.
///
/// Plain rather than fast, and not in constant time: see ``DeterministicECDSA``.
struct ScalarField {
    private let order: [UInt64]

    init(order: [UInt64]) { self.order = order }

    /// The limbs of a big-endian number whose length is a multiple of eight bytes.
    static func limbs(_ bytes: [UInt8]) -> [UInt64] {
        stride(from: bytes.count, to: 0, by: -8).map { end in
            bytes[max(0, end - 8)..<end].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// The big-endian bytes of a number.
    func bytes(_ number: [UInt64]) -> [UInt8] {
        number.reversed().flatMap { limb in (0..<8).reversed().map { UInt8(truncatingIfNeeded: limb >> ($0 * 8)) } }
    }

    /// Whether a number lies between 0 and the order, both left out.
    func contains(_ number: [UInt64]) -> Bool {
        number.contains { $0 != 0 } && Self.isLess(number, order)
    }

    /// A number below twice the order, modulo the order.
    func reduced(_ number: [UInt64]) -> [UInt64] {
        Self.isLess(number, order) ? number : Self.difference(number, order).number
    }

    func sum(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        let (sum, carry) = Self.sum(left, right)
        return carry || !Self.isLess(sum, order) ? Self.difference(sum, order).number : sum
    }

    func difference(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        let (difference, borrow) = Self.difference(left, right)
        return borrow ? Self.sum(difference, order).number : difference
    }

    /// The product, by doubling and adding.
    func product(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        var product = [UInt64](repeating: 0, count: order.count)
        for limb in left.reversed() {
            for bit in (0..<64).reversed() {
                product = sum(product, product)
                if limb >> bit & 1 == 1 { product = sum(product, right) }
            }
        }
        return product
    }

    /// The inverse of a number from 1 up to the order, by the binary extended Euclidean algorithm.
    func inverse(_ number: [UInt64]) -> [UInt64] {
        var (u, v) = (number, order)
        var (a, b) = (Self.one(order.count), [UInt64](repeating: 0, count: order.count))
        while u != Self.one(order.count) && v != Self.one(order.count) {
            while u[0] & 1 == 0 {
                u = Self.half(u, carry: false)
                a = halved(a)
            }
            while v[0] & 1 == 0 {
                v = Self.half(v, carry: false)
                b = halved(b)
            }
            if Self.isLess(u, v) {
                v = Self.difference(v, u).number
                b = difference(b, a)
            } else {
                u = Self.difference(u, v).number
                a = difference(a, b)
            }
        }
        return u == Self.one(order.count) ? a : b
    }

    /// Half of a number modulo the order.
    private func halved(_ number: [UInt64]) -> [UInt64] {
        guard number[0] & 1 == 1 else { return Self.half(number, carry: false) }
        let (sum, carry) = Self.sum(number, order)
        return Self.half(sum, carry: carry)
    }

    private static func one(_ count: Int) -> [UInt64] { [1] + [UInt64](repeating: 0, count: count - 1) }

    private static func half(_ number: [UInt64], carry: Bool) -> [UInt64] {
        var number = number
        var top: UInt64 = carry ? 1 : 0
        for index in number.indices.reversed() {
            let lowest = number[index] & 1
            number[index] = number[index] >> 1 | top << 63
            top = lowest
        }
        return number
    }

    private static func isLess(_ left: [UInt64], _ right: [UInt64]) -> Bool {
        left.reversed().lexicographicallyPrecedes(right.reversed())
    }

    private static func sum(_ left: [UInt64], _ right: [UInt64]) -> (number: [UInt64], carry: Bool) {
        var sum = left
        var carry = false
        for index in sum.indices {
            let (first, isOver) = left[index].addingReportingOverflow(right[index])
            let (second, isOverAgain) = first.addingReportingOverflow(carry ? 1 : 0)
            sum[index] = second
            carry = isOver || isOverAgain
        }
        return (sum, carry)
    }

    private static func difference(_ left: [UInt64], _ right: [UInt64]) -> (number: [UInt64], borrow: Bool) {
        var difference = left
        var borrow = false
        for index in difference.indices {
            let (first, isUnder) = left[index].subtractingReportingOverflow(right[index])
            let (second, isUnderAgain) = first.subtractingReportingOverflow(borrow ? 1 : 0)
            difference[index] = second
            borrow = isUnder || isUnderAgain
        }
        return (difference, borrow)
    }
}
