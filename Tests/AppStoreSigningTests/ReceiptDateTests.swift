import AppStoreSigning
import Foundation
import PerennialPrimitives
import Testing

@Suite struct `Dates of receipts` {
    private func milliseconds(_ text: String) -> Int64? {
        ReceiptDate.milliseconds(Array(text.utf8)[...])
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-03-05T09:00:00Z", 1_772_701_200_000),
            ("2020-02-29T23:59:59Z", 1_583_020_799_000), ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("1969-12-31T23:59:59Z", -1000), ("4001-01-01T00:00:00Z", 64_092_211_200_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000), ("9999-12-31T23:59:59Z", 253_402_300_799_000),
            ("2026-03-05T09:00:00.5Z", 1_772_701_200_500), ("2026-03-05T09:00:00.123456Z", 1_772_701_200_123),
            ("2026-03-05T10:30:00+01:30", 1_772_701_200_000), ("2026-03-05T01:00:00-0800", 1_772_701_200_000),
        ] as [(String, Int64)]
    )
    func `a date in RFC 3339 is read to the millisecond`(text: String, expected: Int64) {
        #expect(milliseconds(text) == expected)
    }

    @Test(arguments: [
        "", "now", "2026-03-05", "2026-03-05T09:00:00", "2026-03-05 09:00:00Z", "2026-13-05T09:00:00Z",
        "2026-00-05T09:00:00Z", "2026-02-29T09:00:00Z", "2100-02-29T09:00:00Z", "2026-03-32T09:00:00Z",
        "2026-03-00T09:00:00Z", "2026-03-05T24:00:00Z", "2026-03-05T09:60:00Z", "2026-03-05T09:00:60Z",
        "2026-03-05T09:00:00.Z", "2026-03-05T09:00:00ZZ", "2026-03-05T09:00:00+25:00", "+026-03-05T09:00:00Z",
        "2026-3-5T09:00:00Z", "٢٠٢٦-03-05T09:00:00Z", "2026-03-05T09:00:00+01", "99999-03-05T09:00:00Z",
    ])
    func `an invalid date is refused`(text: String) {
        #expect(milliseconds(text) == nil)
    }

    @Test func `any second of three thousand years is formatted and parsed as with Foundation`() throws {
        let style = Date.ISO8601FormatStyle()
        var random = SplitMix64(seed: 5)
        for _ in 0..<5000 {
            // From 1600 on: Foundation changes to another calendar before 1582.
            let second = Int64.random(in: -11_676_096_000...90_000_000_000, using: &random)
            let text = ReceiptDate.text(second * 1000)
            #expect(text == style.format(Date(timeIntervalSince1970: Double(second))))
            #expect(milliseconds(text) == second * 1000)
        }
    }

    @Test func `days in a row of four centuries are one day apart`() throws {
        for day in stride(from: Int64(-50_000), through: 100_000, by: 1) {
            let text = ReceiptDate.text(day * 86_400_000)
            #expect(milliseconds(text) == day * 86_400_000)
        }
    }

    @Test func `times outside four-digit years are clamped`() {
        #expect(ReceiptDate.text(.max) == "9999-12-31T23:59:59Z")
        #expect(ReceiptDate.text(.min) == "0000-01-01T00:00:00Z")
        #expect(ReceiptDate.text(-1) == "1969-12-31T23:59:59Z")
    }
}
