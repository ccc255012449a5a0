import SubscriptionCore
import Testing

@Suite struct `Value types` {
    @Test func `identifiers that look the same differ if their bytes differ`() {
        let (composed, decomposed) = (CustomerID("caf\u{E9}"), CustomerID("cafe\u{301}"))
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, composed]).count == 2)
        #expect(composed.rawValue == decomposed.rawValue, "although the strings are equal in Swift")
    }

    @Test func `a customer identifier that is a UUID ignores letter case`() {
        let lower = "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"
        // Every second, third, … letter in upper case.
        for step in 1...36 {
            let mixed = String(lower.enumerated().map { $0 % step == 0 ? Character($1.uppercased()) : $1 })
            #expect(CustomerID(mixed) == CustomerID(lower))
            #expect(CustomerID(mixed).hashValue == CustomerID(lower).hashValue)
            #expect(CustomerID(rawValue: mixed).rawValue == lower)
        }
    }

    @Test(arguments: [
        "U_42", "0F2E6F0A2D7E4D0B8A116A4B6A0F9C3E", "{0F2E6F0A-2D7E-4D0B-8A11-6A4B6A0F9C3E}",
        "0F2E6F0A-2D7E-4D0B-8A11-6A4B6A0F9C3", "0F2E6F0A-2D7E-4D0B-8A11-6A4B6A0F9C3G", "",
        "0F2E6F0A-2D7E-4D0B-8A116-A4B6A0F9C3E", "0F2E6F0A-2D7E-4D0B-8A11_6A4B6A0F9C3E",
        "ÄF2E6F0A-2D7E-4D0B-8A11-6A4B6A0F9C",
    ])
    func `a customer identifier that is not a UUID is unchanged`(text: String) {
        #expect(CustomerID(text).rawValue == text)
    }

    @Test func `identifiers are ordered by their bytes`() {
        let sorted = ["\u{E9}", "z", "e\u{301}", "a", "", "Z", "\u{FF5E}", "\u{1F600}"].map { CustomerID($0) }.sorted()
        #expect(sorted.map(\.rawValue) == ["", "Z", "a", "e\u{301}", "z", "\u{E9}", "\u{FF5E}", "\u{1F600}"])
    }

    @Test func `one bundle in two environments is two apps`() {
        let apps = StoreEnvironment.allCases.map { AppID(bundleID: "com.example.app", environment: $0) }
        #expect(apps.map(\.rawValue) == ["com.example.app/production", "com.example.app/sandbox"])
    }

    @Test(arguments: [
        (Int64.max, Int64(1), Int64.max), (.min, -1, .min), (.max, -1, .max - 1), (0, 5, 5), (.min, 1, .min + 1),
    ])
    func `timestamps stay within their range`(start: Int64, added: Int64, expected: Int64) {
        #expect(Timestamp(milliseconds: start).adding(milliseconds: added).milliseconds == expected)
    }
}
