import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Dates in receipts` {
    @Test(arguments: [
        ("2026-03-05T09:00:00Z", "2026-03-05 09:00:00 Etc/GMT", "2026-03-05 01:00:00 America/Los_Angeles"),
        // The last second of standard time in California, and the first one after it.
        ("2026-03-08T09:59:59Z", "2026-03-08 09:59:59 Etc/GMT", "2026-03-08 01:59:59 America/Los_Angeles"),
        ("2026-03-08T10:00:00Z", "2026-03-08 10:00:00 Etc/GMT", "2026-03-08 03:00:00 America/Los_Angeles"),
        // The last second of daylight saving time, and the repeated hour.
        ("2026-11-01T08:59:59Z", "2026-11-01 08:59:59 Etc/GMT", "2026-11-01 01:59:59 America/Los_Angeles"),
        ("2026-11-01T09:00:00Z", "2026-11-01 09:00:00 Etc/GMT", "2026-11-01 01:00:00 America/Los_Angeles"),
        // A year whose March and November start on other weekdays.
        ("2027-03-14T10:00:00Z", "2027-03-14 10:00:00 Etc/GMT", "2027-03-14 03:00:00 America/Los_Angeles"),
        ("2027-11-07T08:59:59Z", "2027-11-07 08:59:59 Etc/GMT", "2027-11-07 01:59:59 America/Los_Angeles"),
        // California is still in the year before.
        ("2026-01-01T00:00:00Z", "2026-01-01 00:00:00 Etc/GMT", "2025-12-31 16:00:00 America/Los_Angeles"),
        ("2013-08-01T07:00:00Z", "2013-08-01 07:00:00 Etc/GMT", "2013-08-01 00:00:00 America/Los_Angeles"),
        ("2028-02-29T23:59:59Z", "2028-02-29 23:59:59 Etc/GMT", "2028-02-29 15:59:59 America/Los_Angeles"),
    ])
    func `a date is written in UTC, in milliseconds, and in Pacific time`(
        iso8601: String,
        utc: String,
        pacific: String
    ) throws {
        let now = try timestamp(iso8601)
        var transcript = try StoreTranscript.withAccount(at: now)
        let receipt = try transcript.verifiedReceipt()["receipt"]
        #expect(receipt["request_date"].stringValue == utc)
        #expect(receipt["request_date_ms"].stringValue == String(now))
        #expect(receipt["request_date_pst"].stringValue == pacific)
    }
}
