import SubscriptionCore
import Testing

@Suite struct `Timestamps as text` {
    @Test(
        arguments: [
            ("1770000000000", 1_770_000_000_000), ("0", 0), ("-1", -1), ("1970-01-01", 0), ("1969-12-31", -86_400_000),
            ("2026-02-02T02:40:00Z", 1_770_000_000_000), ("2026-02-02T02:40Z", 1_770_000_000_000),
            ("2026-02-02T03:40:00+01:00", 1_770_000_000_000), ("2026-02-01T22:10:00.250-04:30", 1_770_000_000_250),
            ("2026-02-02T02:40:00.2509Z", 1_770_000_000_250), ("2024-02-29", 1_709_164_800_000),
        ] as [(String, Int64)]
    )
    func `are parsed from milliseconds and ISO 8601`(text: String, milliseconds: Int64) {
        #expect(Timestamp(text: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", " ", "yesterday", "1.5", "2026-02-30", "2025-02-29", "2026-13-01", "2026-00-10", "2026-2-3", "20260203T",
        "2026-02-03T", "2026-02-03T10:00:00", "2026-02-03T24:00:00Z", "2026-02-03T10:60Z", "2026-02-03T10:00:60Z",
        "2026-02-03T10:00:00.Z", "2026-02-03T10:00:00+0100", "2026-02-03T10:00:00Z ", "2026-02-03 10:00:00Z",
        "99999999999999999999",
    ])
    func `are not parsed from other or ambiguous text`(text: String) {
        #expect(Timestamp(text: text) == nil)
    }

    @Test func `are formatted with the month's name`() {
        #expect(Timestamp(milliseconds: 1_770_000_000_000).dateText == "2 February 2026")
        #expect(Timestamp(milliseconds: 1_770_000_000_000).dateAndTimeText == "2 February 2026, 02:40 UTC")
        #expect(Timestamp(milliseconds: -1).dateAndTimeText == "31 December 1969, 23:59 UTC")
        #expect(!Timestamp(milliseconds: .max).dateText.isEmpty && !Timestamp(milliseconds: .min).dateText.isEmpty)
    }
}
