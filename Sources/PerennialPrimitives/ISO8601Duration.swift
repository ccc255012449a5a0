/// The numbers of a duration's text, such as `P1Y`, `P1M15D`, `P2W` or `PT1H30M`.
///
/// It only reads the text. What a month is, and when a period that begins now ends, each side decides by itself: the
/// local store and the server share no logic of time.
///
/// - Source: ISO 8601, duration in the form `PnYnMnWnDTnHnMnS`, whole numbers only.
package struct ISO8601Duration: Hashable, Sendable {
    /// The number before `Y`; 0 where it is left out, as for all others.
    package private(set) var years = 0
    /// The number before `M` of the date.
    package private(set) var months = 0
    /// The number before `W`.
    package private(set) var weeks = 0
    /// The number before `D`.
    package private(set) var days = 0
    /// The number before `H`.
    package private(set) var hours = 0
    /// The number before `M` of the time of day.
    package private(set) var minutes = 0
    /// The number before `S`.
    package private(set) var seconds = 0

    /// Reads a duration: each unit at most once, in the order of the standard.
    ///
    /// Nil for what is none: an empty one (`P`, `PT`, `P1DT`), a sign, a fraction, another case.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - numberMax: The largest number before a unit; a text with a larger one is none.
    package init?(_ text: String, numberMax: Int) {
        var scanner = Scanner(rest: text.utf8[...], numberMax: numberMax)
        guard scanner.take(UInt8(ascii: "P")) else { return nil }
        let dates: [(UInt8, WritableKeyPath<Self, Int>)] = [
            (UInt8(ascii: "Y"), \.years), (UInt8(ascii: "M"), \.months),
            (UInt8(ascii: "W"), \.weeks), (UInt8(ascii: "D"), \.days),
        ]
        let times: [(UInt8, WritableKeyPath<Self, Int>)] = [
            (UInt8(ascii: "H"), \.hours), (UInt8(ascii: "M"), \.minutes), (UInt8(ascii: "S"), \.seconds),
        ]
        guard let dateCount = scanner.read(dates, into: &self) else { return nil }
        if scanner.take(UInt8(ascii: "T")) {
            guard let timeCount = scanner.read(times, into: &self), timeCount > 0 else { return nil }
        } else if dateCount == 0 {
            return nil
        }
        guard scanner.rest.isEmpty else { return nil }
    }

    /// What is left of the text.
    private struct Scanner {
        var rest: Substring.UTF8View
        let numberMax: Int

        mutating func take(_ byte: UInt8) -> Bool {
            guard rest.first == byte else { return false }
            rest.removeFirst()
            return true
        }

        /// Reads numbers with their units up to `T` or the end; how many there were, or nil where a part is wrong.
        mutating func read(
            _ units: [(UInt8, WritableKeyPath<ISO8601Duration, Int>)],
            into duration: inout ISO8601Duration
        ) -> Int? {
            var allowed = units[...]
            var count = 0
            while let first = rest.first, first != UInt8(ascii: "T") {
                guard let number = number(), let unit = rest.first,
                    let index = allowed.firstIndex(where: { $0.0 == unit })
                else { return nil }
                rest.removeFirst()
                duration[keyPath: allowed[index].1] = number
                allowed = allowed[(index + 1)...]
                count += 1
            }
            return count
        }

        private mutating func number() -> Int? {
            var number: Int?
            while let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                let next = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
                guard next <= numberMax else { return nil }
                number = next
                rest.removeFirst()
            }
            return number
        }
    }
}
