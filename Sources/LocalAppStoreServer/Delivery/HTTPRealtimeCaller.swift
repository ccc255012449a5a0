import AppStoreModel
import AsyncHTTPClient
import LocalAppStore
import NIOCore
import NIOHTTP1

/// Requests over HTTP; the deadline includes the body of the answer.
struct HTTPRealtimeCaller: RealtimeCaller {
    typealias Transfer = BodyTransfer

    /// The maximum size of an answer; its offers are signed data of a few kilobytes.
    private static let answerBytesMax = 65_536

    /// The HTTP client that the whole store shares; its owner shuts it down.
    let client: HTTPClient

    func answer(to call: RealtimeCall) async throws(CancellationError) -> RealtimeAnswer {
        let body = call.body
        switch call.fault {
        case .drop: return RealtimeAnswer(failure: .timedOut, milliseconds: call.deadlineMilliseconds)
        case .duplicate:
            _ = try await exchange(.whole(body), call)
            return try await exchange(.whole(body), call)
        case .truncate: return try await exchange(.whole(Array(body.prefix(body.count / 2))), call)
        case .slow(let milliseconds): return try await exchange(.slow(body, .milliseconds(milliseconds)), call)
        case .status(let status):
            let answer = try await exchange(.whole(body), call)
            return RealtimeAnswer(httpStatus: status, body: answer.body, milliseconds: answer.milliseconds)
        case .reset: return try await exchange(.broken(body), call)
        case .delay, .reorder, nil: return try await exchange(.whole(body), call)
        }
    }

    private func exchange(
        _ transfer: Transfer,
        _ call: RealtimeCall
    ) async throws(CancellationError) -> RealtimeAnswer {
        let deadline = Duration.milliseconds(call.deadlineMilliseconds)
        let start = ContinuousClock.now
        do {
            let response = try await withThrowingTaskGroup(of: Response?.self) { group in
                group.addTask { try await post(transfer, to: call.url) }
                group.addTask {
                    try await Task.sleep(for: deadline)
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
            let milliseconds = (ContinuousClock.now - start).wholeMilliseconds
            guard let response else { return RealtimeAnswer(failure: .timedOut, milliseconds: milliseconds) }
            return RealtimeAnswer(httpStatus: response.status, body: response.body, milliseconds: milliseconds)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            let failure = error is NIOTooManyBytesError ? .invalidResponse : SendAttemptResult(failure: error)
            return RealtimeAnswer(failure: failure, milliseconds: (ContinuousClock.now - start).wholeMilliseconds)
        }
    }

    private struct Response: Sendable {
        let status: Int
        let body: [UInt8]
    }

    private func post(_ transfer: Transfer, to url: String) async throws -> Response {
        let response = try await client.execute(transfer.request(to: url), deadline: .distantFuture)
        let body = try await response.body.collect(upTo: Self.answerBytesMax)
        return Response(status: Int(response.status.code), body: Array(buffer: body))
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
