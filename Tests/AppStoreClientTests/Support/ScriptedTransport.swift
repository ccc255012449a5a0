import AppStoreClient
import Synchronization
import Testing

/// A transport that answers by a script, writes a transcript, and fails a test that sends more requests than the script
/// has.
final class ScriptedTransport: HTTPTransport {
    /// The result of one request.
    struct Step: Sendable {
        var result: Result<AppStoreHTTPResponse, HTTPTransportError>
        /// Its duration on the virtual clock.
        var takes: Int64 = 0
        /// Creates the answer from the request, for servers that echo.
        var echo: (@Sendable (AppStoreHTTPRequest) -> AppStoreHTTPResponse)?

        static func answer(
            _ status: Int,
            _ body: String = "",
            headers: [HTTPHeaders.Field] = [],
            takes: Int64 = 0
        ) -> Step {
            let response = AppStoreHTTPResponse(status: status, headers: HTTPHeaders(headers), body: Array(body.utf8))
            return Step(result: .success(response), takes: takes)
        }

        static func error(_ status: Int, _ code: Int64, headers: [HTTPHeaders.Field] = []) -> Step {
            answer(status, "{\"errorCode\":\(code),\"errorMessage\":\"Apple's words.\"}", headers: headers)
        }

        static func failure(_ code: HTTPTransportError.Code, mayHaveBeenSent: Bool, takes: Int64 = 0) -> Step {
            let error = HTTPTransportError(code: code, message: "scripted", mayHaveBeenSent: mayHaveBeenSent)
            return Step(result: .failure(error), takes: takes)
        }

        static func echo(_ make: @escaping @Sendable (AppStoreHTTPRequest) -> AppStoreHTTPResponse) -> Step {
            Step(result: .success(AppStoreHTTPResponse(status: 200)), echo: make)
        }
    }

    private struct State {
        var steps: [Step]
        var requests: [AppStoreHTTPRequest] = []
        var transcript: [String] = []
        var timeouts: [Duration] = []
    }

    private let state: Mutex<State>
    private let clock: VirtualClock?

    init(_ steps: [Step], clock: VirtualClock? = nil) {
        state = Mutex(State(steps: steps))
        self.clock = clock
    }

    var requests: [AppStoreHTTPRequest] { state.withLock { $0.requests } }

    /// One line for each exchange: `GET https://… → 200`.
    var transcript: [String] { state.withLock { $0.transcript } }

    /// The timeouts of the client.
    var timeouts: [Duration] { state.withLock { $0.timeouts } }

    /// Whether the script was played to its end.
    var isOver: Bool { state.withLock { $0.steps.isEmpty } }

    func send(
        _ request: AppStoreHTTPRequest,
        timeout: Duration,
        bodyBytesMax: Int
    ) async throws(HTTPTransportError) -> AppStoreHTTPResponse {
        let step = state.withLock { state -> Step? in
            state.requests.append(request)
            state.timeouts.append(timeout)
            guard !state.steps.isEmpty else { return nil }
            return state.steps.removeFirst()
        }
        guard let step else {
            Issue.record("The script has no answer for \(request).")
            throw HTTPTransportError(code: .requestInvalid, message: "unexpected", mayHaveBeenSent: false)
        }
        clock?.advance(milliseconds: step.takes)
        let result = step.echo.map { .success($0(request)) } ?? step.result
        let outcome =
            switch result {
            case .success(let response): "\(response.status)"
            case .failure(let error): error.code.rawValue
            }
        state.withLock { $0.transcript.append("\(request.method) \(request.url) → \(outcome)") }
        return try result.get()
    }
}
