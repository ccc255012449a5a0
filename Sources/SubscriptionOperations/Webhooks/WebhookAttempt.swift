import AppStoreClient
import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

/// One attempt to deliver a webhook.
struct WebhookAttempt: Hashable, Sendable {
    /// The number of first and of newest attempts that a delivery keeps.
    private static let firstKept = 2
    private static let newestKept = 10

    /// When it began.
    let at: Timestamp
    /// How long it took.
    let milliseconds: Int64
    /// Scheme, host and port of the address; nil if it was not called. Path and query may be secret.
    var origin: String?
    /// The `webhook-timestamp` of the request: real time, in seconds since 1970; nil if the address was not called.
    var sentSeconds: Int64?
    /// The answer, or why there was none.
    let result: Result<WebhookAnswer, WebhookSendError>

    private static let impossibleCode = "message_impossible"
    /// The codes of errors from before a connection.
    private static let notCalledCodes: Set = [impossibleCode, "address_refused", "name_not_found", "url_invalid"]

    /// Makes an attempt by values.
    init(at: Timestamp, milliseconds: Int64, result: Result<WebhookAnswer, WebhookSendError>) {
        self.at = at
        self.milliseconds = milliseconds
        self.result = result
    }

    /// An attempt for which no message could be made, because of an error that does not pass.
    init(impossible error: StorageError, at now: Timestamp) {
        let text = "The message could not be made: \(error.message)"
        self.init(at: now, milliseconds: 0, result: .failure(WebhookSendError(Self.impossibleCode, text)))
    }

    /// Whether no message could be made: the receiver is not to blame.
    var isImpossible: Bool { if case .failure(let error) = result { error.code == Self.impossibleCode } else { false } }

    /// Whether there was a connection to the address, or an attempt to make one.
    var isCalled: Bool {
        if case .failure(let error) = result { !Self.notCalledCodes.contains(error.code) } else { true }
    }

    /// Its result as a code: the HTTP status, or the code of the error.
    var outcome: String {
        switch result {
        case .success(let answer): "\(answer.status)"
        case .failure(let error): error.code
        }
    }

    /// Whether the receiver took the webhook.
    var isSuccess: Bool { if case .success(let answer) = result { (200...299).contains(answer.status) } else { false } }

    /// Whether the receiver says that the endpoint is gone for good.
    var isGone: Bool { if case .success(let answer) = result { answer.status == 410 } else { false } }

    /// The wait that the receiver asks for, in milliseconds.
    ///
    /// - Parameter now: Real time, for a date in `Retry-After`.
    func retryAfter(now: Timestamp) -> Int64? {
        guard case .success(let answer) = result, let text = answer.retryAfter else { return nil }
        return RetryAfter(text, now: now.milliseconds)?.delay
    }

    /// A list of attempts, as JSON, with this one at its end.
    func appended(to list: String?) -> String {
        var attempts = Self.attempts(in: list)
        attempts.append(.object(json))
        let excess = attempts.count - Self.firstKept - Self.newestKept
        if excess > 0 { attempts.removeSubrange(Self.firstKept..<(Self.firstKept + excess)) }
        return String(decoding: JSONValue.array(attempts).serialize(), as: UTF8.self)
    }

    /// The attempts in stored JSON.
    static func attempts(in list: String?) -> [JSONValue] {
        guard let list, case .array(let attempts)? = try? JSONParser.parse(Array(list.utf8)) else { return [] }
        return attempts
    }

    /// When the first attempt in stored JSON began; nil if there is none.
    static func firstTime(in list: String?) -> Timestamp? {
        attempts(in: list).first?.objectValue?["at"]?.integerValue.map(Timestamp.init(milliseconds:))
    }

    /// The attempt as it is stored and shown.
    var json: JSONObject {
        var object = JSONObject()
        object["at"] = .integer(at.milliseconds)
        object["duration_ms"] = .integer(milliseconds)
        if let origin { object["origin"] = .string(origin) }
        if let sentSeconds { object["webhook_timestamp"] = .integer(sentSeconds) }
        switch result {
        case .success(let answer):
            object["status"] = .integer(Int64(answer.status))
            if let retryAfter = answer.retryAfter { object["retry_after"] = .string(retryAfter) }
            object["answer"] = .string(
                String(decoding: answer.body, as: UTF8.self).replacing("\u{0}", with: "\u{fffd}")
            )
        case .failure(let error):
            object["status"] = .null
            object["error"] = .string(error.code)
            object["message"] = .string(error.message)
        }
        return object
    }
}

extension WebhookTransport {
    /// Sends a request and measures it.
    ///
    /// - Parameter now: The time of the attempt, as it is stored.
    func attempt(
        _ request: WebhookRequest,
        timeout: Duration,
        at now: Timestamp
    ) async -> (attempt: WebhookAttempt, duration: Duration) {
        let start = ContinuousClock.now
        let result: Result<WebhookAnswer, WebhookSendError>
        do throws(WebhookSendError) {
            var answer = try await send(request, timeout: timeout)
            if !answer.body.isEmpty { answer.body = RepeatedSecrets(of: request).masked(in: answer.body) }
            result = .success(answer)
        } catch {
            result = .failure(error)
        }
        let duration = ContinuousClock.now - start
        let milliseconds = Int64(duration / .milliseconds(1))
        var attempt = WebhookAttempt(at: now, milliseconds: milliseconds, result: result)
        if attempt.isCalled {
            (attempt.origin, attempt.sentSeconds) = (WebhookEndpoint.origin(of: request.url), request.seconds)
        }
        return (attempt, duration)
    }
}
