/// The lines of a report: texts that identify lines, and counts that are summed.
struct ReportTable {
    let columns: [String]
    /// The texts that identify each line, one per column; count columns are empty.
    private var lines: [[String]: [Int]] = [:]
    private let counted: Range<Int>

    /// - Parameter counted: The positions of the count columns.
    init(columns: [String], counted: Range<Int>) {
        self.columns = columns
        self.counted = counted
    }

    var isEmpty: Bool { lines.isEmpty }

    /// Adds counts by column to the line with these texts.
    ///
    /// - Parameter texts: One for each column that is not a count.
    mutating func add(_ texts: [String], _ counts: [String: Int]) {
        var line = lines[texts] ?? [Int](repeating: 0, count: counted.count)
        for (column, count) in counts {
            guard let position = columns[counted].firstIndex(of: column) else { continue }
            line[position - counted.lowerBound] += count
        }
        lines[texts] = line
    }

    /// The report as text: a header line, and the lines ordered by their texts.
    ///
    /// - Parameter hidden: Whether a count is left empty.
    func text(hiding hidden: (_ column: String, _ counts: [String: Int]) -> Bool) -> String {
        var text = columns.joined(separator: "\t") + "\n"
        for (texts, counts) in lines.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let named = Dictionary(zip(columns[counted], counts), uniquingKeysWith: { first, _ in first })
            let cells = zip(columns[counted], counts).map { hidden($0, named) ? "" : String($1) }
            let line = texts[..<counted.lowerBound] + cells + texts[counted.lowerBound...]
            text += line.joined(separator: "\t") + "\n"
        }
        return text
    }
}

/// The notation of values in reports.
enum ReportText {
    /// An amount in units of its currency, with as many digits as needed, and at least two if it has any.
    ///
    /// - Parameter milliunits: Thousandths of the currency unit.
    static func amount(_ milliunits: Int64) -> String {
        let sign = milliunits < 0 ? "-" : ""
        let (whole, rest) = milliunits.magnitude.quotientAndRemainder(dividingBy: 1_000)
        var digits = String(1_000 + rest).dropFirst()
        if digits.last == "0" { digits.removeLast() }
        return "\(sign)\(whole).\(digits)"
    }

    /// The length of a period: `7 Days`, `2 Weeks`, `1 Month`, `1 Year`.
    static func duration(_ period: CalendarPeriod) -> String {
        // The nominal length: sandbox periods are shorter.
        let named = CalendarPeriod(iso8601: period.iso8601) ?? period
        if named.months > 0, named.months.isMultiple(of: 12) { return count(named.months / 12, "Year") }
        if named.months > 0 { return count(named.months, "Month") }
        if named.days > 7, named.days.isMultiple(of: 7) { return count(named.days / 7, "Week") }
        return count(named.days, "Day")
    }

    private static func count(_ number: Int, _ unit: String) -> String { "\(number) \(unit)\(number == 1 ? "" : "s")" }
}
