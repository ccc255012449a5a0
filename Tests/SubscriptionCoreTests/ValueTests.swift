import SubscriptionCore
import Testing

@Suite
struct `Small values` {
    @Test func `two spellings of one visible text are two identifiers`() {
        let (composed, decomposed) = (CustomerID("caf\u{E9}"), CustomerID("cafe\u{301}"))
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, composed]).count == 2)
        #expect(composed.rawValue == decomposed.rawValue, "though the texts look equal to Swift")
    }

    @Test func `identifiers order by their bytes`() {
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
    func `time stays inside its range`(start: Int64, added: Int64, expected: Int64) {
        #expect(Timestamp(milliseconds: start).adding(milliseconds: added).milliseconds == expected)
    }
}
