package import HTTPTypes
import Hummingbird

/// The error of a request that counted against a rate limit; its answer has the headers of the limit.
struct RateLimitedError: Error {
    /// The request's own error.
    let base: any Error
    /// The state of the limit.
    let state: RateLimitState

    /// The error of a request that the limit refused.
    static func refusal(_ state: RateLimitState) -> RateLimitedError {
        let error = APIError(
            .tooManyRequests,
            .rateLimit,
            "rate_limited",
            "Too many requests; nothing was changed. Wait \(state.waitSeconds) s before the next one, and send fewer.",
            isRetryable: true
        )
        return RateLimitedError(base: error, state: state)
    }
}

extension RateLimitState {
    /// The value of `Retry-After`.
    var waitSeconds: Int64 { max(1, retryAfterSeconds) }

    /// Adds the fields of the limit, and for a refused request `Retry-After`.
    ///
    /// - Source: draft-ietf-httpapi-ratelimit-headers-07.
    func add(to headers: inout HTTPFields) {
        guard
            let limitName = HTTPField.Name.rateLimitLimit,
            let remainingName = HTTPField.Name.rateLimitRemaining,
            let resetName = HTTPField.Name.rateLimitReset
        else { return }
        headers.append(HTTPField(name: limitName, value: String(limit)))
        headers.append(HTTPField(name: remainingName, value: String(remaining)))
        headers.append(HTTPField(name: resetName, value: String(resetSeconds)))
        if !isAdmitted { headers.append(HTTPField(name: .retryAfter, value: String(waitSeconds))) }
    }
}

extension HTTPField.Name {
    /// The number of requests that are possible at once, after a pause.
    package static let rateLimitLimit = HTTPField.Name("RateLimit-Limit")
    /// The number of requests that are possible now.
    package static let rateLimitRemaining = HTTPField.Name("RateLimit-Remaining")
    /// The seconds until the limit is available again.
    package static let rateLimitReset = HTTPField.Name("RateLimit-Reset")
}
