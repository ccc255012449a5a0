import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import PerennialCommandSupport

/// JSON over HTTP with a deadline on every call.
struct DemoHTTP: Sendable {
    /// Whether a call is retried while the other side is unavailable.
    enum RetryWindow: Sendable {
        /// The first failure is final.
        case none
        /// Retries until this much time has passed, because a killed server is being restarted.
        case upTo(Duration)
    }

    /// The HTTP method.
    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    private static let answerBytesMax = 256 * 1024 * 1024
    private static let pause = Duration.milliseconds(100)

    let client: HTTPClient
    let baseURL: String
    let bearer: String?
    let retryWindow: RetryWindow

    /// Gets a resource.
    func get<Answer: Decodable & Sendable>(_ path: String, deadline: Duration = .seconds(30)) async throws -> Answer {
        try decode(await send(.get, path, body: nil, deadline: deadline), from: path)
    }

    /// Removes a resource.
    func delete<Answer: Decodable & Sendable>(_ path: String) async throws -> Answer {
        try decode(await send(.delete, path, body: nil, deadline: .seconds(60)), from: path)
    }

    /// Sends a body, and reads the answer.
    func send<Answer: Decodable & Sendable>(
        _ method: Method,
        _ path: String,
        _ body: some Encodable & Sendable,
        idempotencyKey: String? = nil,
        deadline: Duration = .seconds(30)
    ) async throws -> Answer {
        let encoded = try JSONEncoder().encode(body)
        let bytes = try await send(
            method,
            path,
            body: encoded,
            idempotencyKey: idempotencyKey,
            deadline: deadline
        )
        return try decode(bytes, from: path)
    }

    private func decode<Answer: Decodable>(_ bytes: Data, from path: String) throws -> Answer {
        do {
            let decoder = JSONDecoder()
            // The server uses snake_case; the store's camelCase is unchanged by the conversion.
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try decoder.decode(Answer.self, from: bytes)
        } catch {
            let excerpt = String(decoding: bytes.prefix(400), as: UTF8.self)
            throw RunError(.answerUnexpected, "\(path): the answer does not have the expected form: \(excerpt)")
        }
    }

    private func send(
        _ method: Method,
        _ path: String,
        body: Data?,
        idempotencyKey: String? = nil,
        deadline: Duration
    ) async throws -> Data {
        var request = HTTPClientRequest(url: baseURL + path)
        request.method = HTTPMethod(rawValue: method.rawValue)
        if let bearer { request.headers.add(name: "Authorization", value: "Bearer \(bearer)") }
        if let idempotencyKey { request.headers.add(name: "Idempotency-Key", value: idempotencyKey) }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        let clock = ContinuousClock()
        let start = clock.now
        while true {
            do {
                return try await attempt(request, deadline: deadline)
            } catch let error where !(error is RunError) {
                guard case .upTo(let limit) = retryWindow, clock.now - start < limit, !Task.isCancelled else {
                    throw RunError(.callFailed, "\(method.rawValue) \(baseURL + path): \(Self.reason(of: error))")
                }
                try await clock.sleep(for: Self.pause)
            }
        }
    }

    /// One attempt. A `RunError` is a final answer; any other error means that there was no answer.
    private func attempt(_ request: HTTPClientRequest, deadline: Duration) async throws -> Data {
        let response = try await client.execute(request, timeout: TimeAmount(deadline))
        let body = try await response.body.collect(upTo: Self.answerBytesMax)
        let bytes = Data(body.readableBytesView)
        let status = response.status.code
        if (200..<300).contains(status) { return bytes }
        let excerpt = String(decoding: bytes.prefix(400), as: UTF8.self)
        if (502...504).contains(status) { throw Unavailable(description: "answered \(status): \(excerpt)") }
        throw RunError(.callRefused, "\(request.method.rawValue) \(request.url) answered \(status): \(excerpt)")
    }

    /// Why there was no answer, without a library's own text.
    private static func reason(of error: any Error) -> String {
        switch error {
        case let error as Unavailable: error.description
        case let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout: "no answer in time"
        case is NIOTooManyBytesError: "the answer is too long"
        default: "the connection failed; see the log of the other program"
        }
    }

    private struct Unavailable: Error, CustomStringConvertible {
        let description: String
    }
}
