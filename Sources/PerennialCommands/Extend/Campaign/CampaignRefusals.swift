import AppStoreModel

/// Why members of a campaign were refused: each code and message, with the number of members.
///
/// Apple's refusals without a code of their own have one code, and different messages.
struct CampaignRefusals {
    /// The number of reasons of one code that a text shows.
    private static let shownMax = 20

    private struct Reason: Hashable {
        var code: String
        var message: String
    }

    private var counts: [Reason: Int] = [:]

    /// Counts a refused member, as the server lists it.
    mutating func add(_ member: JSONObject) {
        guard let error = member["error"]?.objectValue, let code = error["code"]?.stringValue else { return }
        counts[Reason(code: code, message: error["message"]?.stringValue ?? ""), default: 0] += 1
    }

    /// The reasons, the most frequent one first.
    private var sorted: [(reason: Reason, count: Int)] {
        let all = counts.map { (reason: $0.key, count: $0.value) }
        return all.sorted {
            ($1.count, $0.reason.code, $0.reason.message) < ($0.count, $1.reason.code, $1.reason.message)
        }
    }

    /// A list of objects.
    var json: JSONValue {
        .array(
            sorted.map { reason, count -> JSONValue in
                var object = JSONObject()
                object["code"] = .string(reason.code)
                object["message"] = .string(reason.message)
                object["count"] = .integer(Int64(count))
                return .object(object)
            }
        )
    }

    /// The messages of a code with the number of members.
    func lines(of code: String) -> [String] {
        let found = sorted.filter { $0.reason.code == code }
        let lines = found.prefix(Self.shownMax).map { "\($0.count) of them: \($0.reason.message)" }
        let others = found.dropFirst(Self.shownMax).reduce(0) { $0 + $1.count }
        return others > 0 ? lines + ["\(others) of them: other reasons, see --json"] : lines
    }
}
