import AppStoreModel
import Testing

@testable import SubscriptionServer

/// Lines of comma-separated values for spreadsheets.
@Suite struct `A line of comma-separated values` {
    @Test(arguments: [
        ("=1+1", "'=1+1"), ("+1", "'+1"), ("-4", "'-4"), ("@a", "'@a"), ("\t5", "'\t5"), ("'=1", "''=1"),
        ("''-4", "'''-4"), ("'7", "'7"), ("'", "'"), ("", ""), ("u=1", "u=1"), (" =1", " =1"), ("'é", "'é"),
    ])
    func `has an apostrophe before a formula, and every text is read back`(text: String, field: String) {
        let line = String(decoding: CSVLine.text(of: [.string(text), .integer(-1)]), as: UTF8.self)
        #expect(line == "\(field),-1\r\n")
        #expect(CSVLine.text(in: field) == text)
    }

    @Test func `has fields in quotation marks`() {
        let line = String(decoding: CSVLine.text(of: [.string("\r1"), .null, .string("a,\"b\"")]), as: UTF8.self)
        #expect(line == "\"'\r1\",,\"a,\"\"b\"\"\"\r\n")
        #expect(CSVLine.text(in: "'\r1") == "\r1")
    }
}
