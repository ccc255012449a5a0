public import AppStoreSigning
public import SubscriptionStorage

/// Why a use case did not do what was asked.
///
/// Equality is by ``code``.
public struct OperationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Whose turn it is to act.
    public enum Kind: Hashable, Sendable {
        /// The caller sent something that can never work.
        case invalidRequest
        /// What was asked for does not exist.
        case notFound
        /// It contradicts what is held.
        case conflict
        /// The server cannot do it now; the same call may work later.
        case unavailable
    }

    /// The stable reason.
    public let code: String
    /// What went wrong and what to do, safe to show to the caller.
    public let message: String
    /// Whose turn it is to act.
    public let kind: Kind
    /// The field of the request that is wrong.
    public let parameter: String?
    /// What the engine said; for logs only.
    public let detail: String?

    /// Whether the same call may succeed later, without anybody mending the server's data first.
    public let isRetryable: Bool

    /// Makes an error; what is unavailable is worth another try unless said otherwise.
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

    /// Whether somebody must mend something before the same call can work; otherwise it can simply be sent again.
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
    /// A storage failure: ours, whether or not a retry helps.
    public init(_ error: StorageError) {
        self.init(
            error.code.rawValue,
            error.message,
            kind: .unavailable,
            isRetryable: error.isRetryable,
            detail: error.detail
        )
    }

    /// A transaction that an app submitted and that was refused: the app sent the wrong thing.
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
    /// What a trusted root signed but this server cannot place may be a gap of ours: an app that is not configured, or
    /// a payload that this version does not understand. The sender is asked to try again. Everything else is wrong in
    /// the bytes.
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
    /// What of signed data could not be read, for the log: the field, and the app that it is about.
    var unreadable: String? {
        guard let field else { return nil }
        return "field \(field.isEmpty ? "(all)" : field), bundle id \(bundleId ?? "(none)")"
    }
}
