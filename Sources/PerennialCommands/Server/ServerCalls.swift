import AppStoreClient
import AppStoreModel
import Foundation
import PerennialCommandSupport

/// Calls a running server with a secret key.
struct ServerCalls {
    private static let answerBytesMax = 32 << 20
    /// The time limit of a call.
    static let deadline = Duration.seconds(30)

    let url: HTTPBaseURL
    let key: String
    /// Sends the requests.
    let transport: any HTTPTransport

    /// Reads an object.
    ///
    /// - Throws: ``ServerCallError``.
    func get(_ path: String, within deadline: Duration = deadline) async throws(ServerCallError) -> JSONObject {
        try await send("GET", path, body: nil, within: deadline)
    }

    /// Reads every item of a list, page by page.
    ///
    /// - Parameters:
    ///   - path: The path of the list, with or without a query.
    ///   - begin: Called once the server has returned the first page, which may be empty.
    /// - Throws: ``ServerCallError``.
    func eachItem(
        of path: String,
        begin: () -> Void = {},
        _ body: (JSONObject) -> Void
    ) async throws(ServerCallError) {
        let separator = path.contains("?") ? "&" : "?"
        var cursor: String?
        repeat {
            let page = try await get(path + (cursor.map { "\(separator)after=\(Self.encoded($0))" } ?? ""))
            if cursor == nil { begin() }
            for case .object(let item) in page["data"]?.arrayValue ?? [] { body(item) }
            cursor = page["next_cursor"]?.stringValue
        } while cursor != nil
    }

    /// Creates an object.
    ///
    /// - Parameter idempotencyKey: The server does the work once for each key.
    /// - Throws: ``ServerCallError``.
    func post(
        _ path: String,
        _ body: JSONObject,
        idempotencyKey: String? = nil,
        within deadline: Duration = deadline
    ) async throws(ServerCallError) -> JSONObject {
        try await send("POST", path, body: body.serialize(), idempotencyKey: idempotencyKey, within: deadline)
    }

    /// Replaces an object.
    ///
    /// - Throws: ``ServerCallError``.
    func put(
        _ path: String,
        _ body: JSONObject,
        within deadline: Duration = deadline
    ) async throws(ServerCallError) -> JSONObject {
        try await send("PUT", path, body: body.serialize(), within: deadline)
    }

    /// Changes the given members of an object.
    ///
    /// - Throws: ``ServerCallError``.
    func patch(_ path: String, _ body: JSONObject) async throws(ServerCallError) -> JSONObject {
        try await send("PATCH", path, body: body.serialize())
    }

    /// Removes an object.
    ///
    /// - Throws: ``ServerCallError``.
    func delete(_ path: String, within deadline: Duration = deadline) async throws(ServerCallError) -> JSONObject {
        try await send("DELETE", path, body: nil, within: deadline)
    }

    private func send(
        _ method: String,
        _ path: String,
        body: [UInt8]?,
        idempotencyKey: String? = nil,
        within deadline: Duration = deadline
    ) async throws(ServerCallError) -> JSONObject {
        var headers = [HTTPHeaders.Field("Authorization", "Bearer \(key)")]
        if body != nil { headers.append(.init("Content-Type", "application/json")) }
        if let idempotencyKey { headers.append(.init("Idempotency-Key", idempotencyKey)) }
        let request = AppStoreHTTPRequest(
            method: method,
            url: url.text + path,
            headers: HTTPHeaders(headers),
            body: body
        )
        let response: AppStoreHTTPResponse
        do {
            response = try await transport.send(request, timeout: deadline, bodyBytesMax: Self.answerBytesMax)
        } catch {
            throw ServerCallError(
                code: "server_unreachable",
                message:
                    "\(url.text) does not answer (\(error.code.rawValue)): check --server, and that perennial serve"
                    + " runs there",
                isRetryable: true
            )
        }
        let object = try? JSONParser.parseObject(response.body)
        if (200...202).contains(response.status), let object { return object }
        let error = object?["error"]?.objectValue
        throw ServerCallError(
            code: error?["code"]?.stringValue ?? "answer_unexpected",
            message: error?["message"]?.stringValue
                ?? "\(url.text) answered \(response.status): is perennial serve running there?",
            status: response.status,
            isRetryable: error.map { $0["retryable"] == .bool(true) } ?? (response.status >= 500),
            retryAfter: response.headers["retry-after"].flatMap { Int($0) }.map { .seconds($0) }
        )
    }

    /// A text as a part of a path or query.
    static func encoded(_ text: String) -> String {
        // Programs take such a part out of a path.
        if text == "." || text == ".." { return text.replacing(".", with: "%2E") }
        let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}

/// The error for a request without a usable answer.
struct ServerCallError: Error, CustomStringConvertible {
    /// A stable reason in `snake_case`.
    let code: String
    /// One sentence with the remedy.
    var message: String
    /// The HTTP status; nil without a response.
    var status: Int?
    /// Whether the same request may succeed later.
    var isRetryable = false
    /// How long the server wants the next request to wait; nil if it does not say.
    var retryAfter: Duration?

    /// How long the server wants the next request to wait, such as `90 seconds` or `60 minutes`.
    var waitText: String? {
        guard let seconds = retryAfter.map({ max($0.components.seconds, 2) }) else { return nil }
        return seconds < 120 ? "\(seconds) seconds" : "\((seconds + 59) / 60) minutes"
    }

    var description: String {
        "\(code): \(TerminalText.escaped(message))\(waitText.map { " (Retry-After: \($0))" } ?? "")"
    }
}
