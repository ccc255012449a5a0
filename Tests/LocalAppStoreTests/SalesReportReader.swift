import Foundation
import LocalAppStore
import Testing

/// A report as lines with named columns.
struct SalesReportLines {
    let columns: [String]
    let lines: [[String: String]]

    init(_ text: String) {
        let rows = text.split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        let columns = rows.first ?? []
        self.columns = columns
        lines = rows.dropFirst().map { Dictionary(zip(columns, $0), uniquingKeysWith: { first, _ in first }) }
    }
}

extension LocalAppStore {
    /// The text of a report; `nil` for a day without data.
    func reportText(_ report: SalesReportQuery.Report, _ day: String, version: String? = nil) throws -> String? {
        let versions = version.map { [("filter[version]", $0)] } ?? []
        let query = try SalesReportQuery(
            parameters: versions + [
                ("filter[reportType]", report.rawValue),
                ("filter[reportSubType]", report == .subscriber ? "DETAILED" : "SUMMARY"),
                ("filter[frequency]", "DAILY"), ("filter[vendorNumber]", "80000001"),
                ("filter[reportDate]", day),
            ]
        )
        do {
            return try salesReport(query)
        } catch {
            guard error.detail == "There were no sales for the date specified." else { throw error }
            return nil
        }
    }

    /// The lines of a report; none for a day without data.
    func report(
        _ report: SalesReportQuery.Report,
        _ day: String,
        version: String? = nil
    ) throws -> [[String: String]] {
        try reportText(report, day, version: version).map { SalesReportLines($0).lines } ?? []
    }

    /// The newest completed days in Pacific time, oldest first.
    func finishedDays(_ count: Int) -> [String] {
        (1...count).reversed().map { pacificDay(now - Int64($0) * dayLength) }
    }
}

/// The day of a time in Pacific time, written `2026-01-31`, by the machine's time zone data.
func pacificDay(_ time: Int64) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "America/Los_Angeles") ?? .gmt
    let parts = calendar.dateComponents(
        [.year, .month, .day],
        from: Date(timeIntervalSince1970: Double(time) / 1_000)
    )
    return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
}

/// An amount of a report in thousandths of the currency unit.
func amount(_ text: String?) throws -> Int64 {
    let parts = try #require(text).split(separator: ".")
    let digits = parts.count == 2 ? String((parts[1] + "000").prefix(3)) : "000"
    return try #require(Int64(parts[0])) * 1_000 + (try #require(Int64(digits)))
}
