import AppStoreModel

/// The server's list of the extensions of a subscription, as text.
struct ExtensionReport {
    /// The number of extensions that are shown.
    private static let shownMax = 5
    /// What is plain to see in the subscription's status.
    private static let plainCodes = ["extension_expired", "extension_revoked"]

    private let list: JSONObject

    init(_ list: JSONObject) {
        self.list = list
    }

    /// Whether another extension is possible.
    var isEligible: Bool { list["eligible"] == .bool(true) }

    /// What is against another extension, each with its code.
    var obstacles: [String] {
        list.objects("obstacles").map { obstacle in
            "\(obstacle["code"]?.stringValue ?? "?"): \(obstacle["message"]?.stringValue ?? "")"
        }
    }

    /// The extensions, newest first, and whether another one is possible.
    func lines(_ times: LocalTimes) -> [String] {
        let extensions = extensionLines(times)
        if isEligible { return extensions + ["can be extended"] }
        let first = list["obstacles"]?.arrayValue?.first?.objectValue
        guard let code = first?["code"]?.stringValue, !Self.plainCodes.contains(code) else { return extensions }
        return extensions + ["cannot be extended: \(first?["message"]?.stringValue ?? code)"]
    }

    /// The extensions, newest first.
    func extensionLines(_ times: LocalTimes) -> [String] {
        list.objects("data").prefix(Self.shownMax).map { Self.line($0, times) }
    }

    private static func line(_ row: JSONObject, _ times: LocalTimes) -> String {
        var what = "extension"
        if case .integer(let days)? = row["extend_by_days"] { what += " of \(days) \(days == 1 ? "day" : "days")" }
        if let reason = row["reason"]?.stringValue { what += " (\(reason))" }
        if row["origin"]?.stringValue == "apple" { what += ", not requested here" }
        let time = times.text(row["created_at"]).map { ", \($0)" } ?? ""
        var result = row["state"]?.stringValue ?? "?"
        if let end = times.text(row["period_ends_at"]) { result += " to \(end)" }
        if let error = row["error"]?.objectValue { result += " (\(error["code"]?.stringValue ?? "?"))" }
        return "\(what)\(time): \(result)"
    }
}
