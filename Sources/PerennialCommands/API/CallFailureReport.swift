import AppStoreClient
import AppStoreModel
import PerennialCommandSupport

/// The error of a failed call, for people and for programs; contains no token.
struct CallFailureReport {
    private static let bodyBytesMax = 1 << 16

    /// The error.
    let error: AppStoreClientError

    /// One object for programs: `{error: {code, message, retryable, …}}`.
    var json: JSONObject {
        var object: JSONObject = [
            "code": .string(error.code.rawValue),
            "message": .string(error.message),
            "retryable": .bool(error.isRetryable),
            "mayHaveTakenEffect": .bool(error.mayHaveTakenEffect),
            "attempts": .integer(Int64(error.attempts)),
        ]
        object["call"] = error.call.map { .string($0) }
        object["environment"] = error.environment.map { .string($0.rawValue) }
        object["httpStatus"] = error.httpStatus.map { .integer(Int64($0)) }
        object["requestId"] = error.requestId.map { .string($0) }
        object["retryAfter"] = error.retryAfter.map { .integer($0.date) }
        if let apple = error.apiError {
            object["apple"] = [
                "errorCode": .integer(apple.code),
                "errorMessage": .string(apple.message),
                "name": .string(apple.name),
                "meaning": .string(apple.meaning),
            ]
        }
        if !error.unauthorizedCauses.isEmpty {
            object["causes"] = .array(error.unauthorizedCauses.map { .string($0.rawValue) })
        }
        object["body"] = body
        return ["error": .object(object)]
    }

    /// For people: the message, then Apple's error.
    var text: String {
        var lines = [error.description]
        if let apple = error.apiError {
            let named = apple.name.isEmpty ? "\(apple.code)" : "\(apple.code) \(apple.name)"
            lines.append("  Apple: \(named): \(apple.message)")
            lines.append("  That means: \(apple.meaning)")
        } else if let text = error.apiErrorText {
            lines.append("  Apple: \(text)")
        }
        var details: [String] = []
        if let environment = error.environment { details.append("environment \(environment)") }
        if let status = error.httpStatus { details.append("HTTP \(status)") }
        if let requestId = error.requestId { details.append("request id \(requestId)") }
        if error.attempts > 1 { details.append("\(error.attempts) attempts") }
        if !details.isEmpty { lines.append("  " + details.joined(separator: ", ")) }
        if let body, error.apiError == nil { lines.append("  answer: \(ReadableJSON.text(body))") }
        if let retryAfter = error.retryAfter, let text = UTCTime.text(milliseconds: retryAfter.date) {
            lines.append("  allowed again: \(text)")
        } else if error.isRetryable {
            lines.append("  the same call may succeed later")
        }
        return TerminalText.escaped(lines.joined(separator: "\n"))
    }

    /// The server's answer, as JSON if possible, otherwise as text.
    private var body: JSONValue? {
        guard !error.body.isEmpty else { return nil }
        return (try? JSONParser.parse(error.body))
            ?? .string(String(decoding: error.body.prefix(Self.bodyBytesMax), as: UTF8.self))
    }
}
