import AppStoreModel

/// The three texts of a date in the JSON of receipts.
enum ReceiptDateText {
    /// In UTC, as `2026-03-05 09:00:00 Etc/GMT`.
    static func utc(_ time: Int64) -> String { "\(wallClock(time)) Etc/GMT" }

    /// In California, as `2026-03-05 01:00:00 America/Los_Angeles`, with daylight saving time.
    static func pacific(_ time: Int64) -> String {
        "\(wallClock(time - PacificTime.lag(at: time))) America/Los_Angeles"
    }

    private static func wallClock(_ time: Int64) -> String {
        let day = time.dividedRoundingDown(by: Milliseconds.day)
        let date = CivilDate(daysSinceEpoch: Int(day))
        let seconds = (time - day * Milliseconds.day) / Milliseconds.second
        let calendar = [padded(date.year, 4), padded(date.month, 2), padded(date.day, 2)].joined(separator: "-")
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded(Int($0), 2) }
        return "\(calendar) \(clock.joined(separator: ":"))"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension JSONObject {
    /// Adds a date in its three forms: `name`, `name_ms` and `name_pst`; nothing for `nil`.
    mutating func addDate(_ name: String, _ time: Int64?) {
        guard let time else { return }
        self[name] = .string(ReceiptDateText.utc(time))
        self["\(name)_ms"] = .string(String(time))
        self["\(name)_pst"] = .string(ReceiptDateText.pacific(time))
    }

    /// Adds a text unless it is `nil`.
    mutating func addText(_ name: String, _ text: String?) {
        guard let text else { return }
        self[name] = .string(text)
    }

    /// Adds a Boolean as a digit, `"1"` or `"0"`, unless it is `nil`.
    mutating func addFlag(_ name: String, _ flag: Bool?) { addText(name, flag.map { $0 ? "1" : "0" }) }
}
