import AppStoreClient
import AppStoreModel

/// The table of calls, for people and for programs.
enum CallList {
    /// All calls.
    static func text(json: Bool) -> String {
        json ? serialized(.array(AppStoreServerCall.all.map { .object(self.json(of: $0)) })) : table
    }

    /// One call with all details.
    static func text(of call: AppStoreServerCall, json: Bool) -> String {
        json ? serialized(.object(self.json(of: call))) : description(of: call)
    }

    /// The command line of a call, with placeholders.
    static func usage(of call: AppStoreServerCall) -> String {
        let body = call.body == .none ? "" : " --body <file>"
        return (["perennial api", call.name] + call.pathParameters.map { "<\($0)>" }).joined(separator: " ") + body
    }

    /// Up to three names with the most words in common, best first.
    static func names(like name: String) -> [String] {
        let words = Set(name.lowercased().split { !$0.isLetter && !$0.isNumber })
        let scored = AppStoreServerCall.all.enumerated().map { index, call in
            let shared = words.intersection(call.name.split(separator: "-")).count
            return (name: call.name, shared: shared, index: index)
        }
        let best = scored.filter { $0.shared > 0 }.sorted { ($1.shared, $0.index) < ($0.shared, $1.index) }
        return best.prefix(3).map(\.name)
    }

    private static func serialized(_ value: JSONValue) -> String {
        String(decoding: value.serialize(), as: UTF8.self)
    }

    private static func json(of call: AppStoreServerCall) -> JSONObject {
        [
            "name": .string(call.name),
            "title": .string(call.title),
            "family": .string(call.family.rawValue),
            "method": .string(call.method),
            "path": .string(call.path),
            "pathParameters": .array(call.pathParameters.map { .string($0) }),
            "queryParameters": .array(call.queryParameters.map { .string($0) }),
            "body": .string(call.body.rawValue),
            "requestType": call.types.request.map { .string($0) } ?? .null,
            "answerType": call.types.answer.map { .string($0) } ?? .null,
            "productionCallsPerSecond": call.productionCallsPerSecond.map { .integer(Int64($0)) } ?? .null,
            "availability": .string(call.availability.rawValue),
            "errors": .array(call.errors.map(numberAndName)),
        ]
    }

    private static func numberAndName(_ error: AppStoreServerAPIError) -> JSONValue {
        ["code": .integer(error.code), "name": .string(error.name)]
    }
}

// MARK: - For people

extension CallList {
    private static var table: String {
        let rows = AppStoreServerCall.all.map { call in
            [call.name, call.method, limit(of: call), call.path + availabilityNote(of: call)]
        }
        let header = ["call", "method", "limit/s", "path"]
        let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
        let lines = ([header] + rows).map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return cells.joined(separator: "  ").trimmingEnd
        }
        return lines.joined(separator: "\n") + "\nThe limits are Apple's for production; the sandbox allows a tenth."
    }

    private static func description(of call: AppStoreServerCall) -> String {
        var lines = [
            "\(call.title)",
            "  \(call.method) \(call.path)",
            "  usage: \(usage(of: call))",
        ]
        if !call.queryParameters.isEmpty { lines.append("  query: \(call.queryParameters.joined(separator: ", "))") }
        switch call.body {
        case .none: break
        case .json: lines.append("  body: JSON" + (call.types.request.map { ", \($0)" } ?? ""))
        case .png: lines.append("  body: a PNG image")
        }
        lines.append("  answer: \(call.types.answer ?? "no body")")
        lines.append("  limit: \(limit(of: call)) calls per second in production" + availabilityNote(of: call))
        if !call.errors.isEmpty { lines.append("  errors, beside those of any call:") }
        lines += call.errors.map { "    \($0.code) \($0.name)" }
        return lines.joined(separator: "\n")
    }

    private static func limit(of call: AppStoreServerCall) -> String {
        call.productionCallsPerSecond.map { "\($0)" } ?? "–"
    }

    private static func availabilityNote(of call: AppStoreServerCall) -> String {
        call.availability == .everywhere ? "" : "  (\(call.availability.rawValue))"
    }
}

extension String {
    /// The text without trailing blanks.
    fileprivate var trimmingEnd: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
