import AppStoreClient

extension AppStoreClientError {
    /// The code in a report: Apple's refusals and the server's own codes for everything else.
    var recoveryCode: String {
        switch code {
        case .unauthorized, .keyMissing, .tokenNotMade: "app_store_unauthorized"
        case .refused where !isRetryable: "app_store_refused"
        case .rateLimited, .rateLimitedByClient: "app_store_rate_limited"
        case .cursorExpired, .cursorInvalid: "history_cursor_expired"
        case .pagingStuck, .responseMalformed, .responseTooLarge: "history_malformed"
        default: "app_store_unavailable"
        }
    }

    /// Why the notification history could not be read, for an operator. The advice in the client's messages is for
    /// developers.
    var historyReason: String {
        switch code {
        case .unauthorized, .keyMissing, .tokenNotMade: message
        case .refused where apiError == nil:
            "Apple refused the query with status \(response.map { "\($0.status)" } ?? "unknown")."
        case .refused where isRetryable: "Apple asks to try again: \(refusalText)."
        case .refused: "Apple refused the query: \(refusalText)."
        case .rateLimited, .rateLimitedByClient: "Apple's limit for the notification history is reached."
        case .cursorExpired, .cursorInvalid:
            "Apple did not accept the token of the next page, so the history is read from its start."
        case .pagingStuck:
            "Apple's notification history does not end: a page leads back to an earlier one, repeats it, or leads to "
                + "none."
        case .responseTooLarge: "An answer of Apple's notification history is larger than this server reads."
        case .responseMalformed:
            "Apple's answer was not what its documentation says: \(modelError.map { "\($0)" } ?? "it has no body.")"
        default:
            if let status = response?.status {
                "Apple's notification history answered with status \(status)."
            } else {
                "Apple's notification history did not answer."
            }
        }
    }
}
