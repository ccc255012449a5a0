public import AppStoreSigning
package import SubscriptionCore
public import SubscriptionStorage

/// The error of a use case.
///
/// Equality is by ``code``.
public struct OperationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Who must act.
    public enum Kind: Hashable, Sendable {
        /// The caller sent something that can never work.
        case invalidRequest
        /// What was asked for does not exist.
        case notFound
        /// It conflicts with the stored data.
        case conflict
        /// The server cannot do it now; the same call may work later.
        case unavailable
    }

    /// The stable reason.
    public let code: String
    /// What went wrong and what to do, safe to show to the caller.
    public internal(set) var message: String
    /// Who must act.
    public let kind: Kind
    /// The field of the request that is wrong.
    public let parameter: String?
    /// The database's message; for logs only.
    public let detail: String?

    /// Whether the same call may succeed later without a repair of the server's data.
    public let isRetryable: Bool

    /// Whether Apple answered, and asked to repeat this one request. Other requests may well succeed.
    package internal(set) var isRepeatAsked = false

    /// When Apple allows the call again, on the clock of its server; nil if Apple did not say, or did not limit it.
    package internal(set) var retryAt: Timestamp?

    /// Names and identifiers of what the error is about; for logs only.
    package internal(set) var logged: [String: String] = [:]

    /// Makes an error. `unavailable` errors are retryable by default.
    public init(
        _ code: String,
        _ message: String,
        kind: Kind,
        parameter: String? = nil,
        isRetryable: Bool? = nil,
        detail: String? = nil
    ) {
        self.code = code
        self.message = message
        self.kind = kind
        self.parameter = parameter
        self.isRetryable = isRetryable ?? (kind == .unavailable)
        self.detail = detail
    }

    /// Whether an operator must repair something before the same call can work.
    public var needsOperator: Bool {
        let passing: Set<String> = ["storage_busy", "storage_timed_out", "storage_commit_unknown"]
        let own: Set<String> = ["app_store_unauthorized", "payload_malformed", "signing_key_unusable"]
        return own.contains(code) || (code.hasPrefix("storage_") && !passing.contains(code))
    }

    /// Compares codes.
    public static func == (left: OperationError, right: OperationError) -> Bool { left.code == right.code }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// Code and message.
    public var description: String { "\(code): \(message)" }
}

extension OperationError {
    /// A storage failure: a server error, retryable or not.
    public init(_ error: StorageError) {
        self.init(
            error.code.rawValue,
            error.message,
            kind: .unavailable,
            isRetryable: error.isRetryable,
            detail: error.detail
        )
    }

    /// A submitted transaction that was refused: a client error.
    public init(submitted failure: VerificationFailure) {
        self.init(
            failure.code.rawValue,
            failure.message,
            kind: .invalidRequest,
            parameter: "signed_transaction",
            detail: failure.unreadable
        )
    }

    /// A notification that was refused.
    ///
    /// If a trusted root signed it, the cause may be this server: an app that is not configured, or a payload that this
    /// version does not understand. Then the sender is asked to retry. All other refusals are errors in the data.
    public init(notified failure: VerificationFailure) {
        let mayBeOurs: Set<VerificationFailure.Code> = [
            .appNotConfigured, .bundleIdMismatch, .appAppleIdMismatch, .environmentMismatch, .payloadMalformed,
        ]
        self.init(
            failure.code.rawValue,
            failure.message,
            kind: mayBeOurs.contains(failure.code) ? .unavailable : .invalidRequest,
            parameter: "signedPayload",
            detail: failure.unreadable
        )
    }
}

extension VerificationFailure {
    /// The unreadable field and the app, for the log.
    var unreadable: String? {
        guard let field else { return nil }
        return "field \(field.isEmpty ? "(all)" : field), bundle id \(bundleId ?? "(none)")"
    }
}
