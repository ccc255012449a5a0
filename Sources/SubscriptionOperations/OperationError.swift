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

    /// Whether the same call may succeed later.
    public var isRetryable: Bool { kind == .unavailable }

    /// Makes an error.
    public init(_ code: String, _ message: String, kind: Kind, parameter: String? = nil, detail: String? = nil) {
        self.code = code
        self.message = message
        self.kind = kind
        self.parameter = parameter
        self.detail = detail
    }

    /// Compares codes.
    public static func == (left: OperationError, right: OperationError) -> Bool { left.code == right.code }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// Code and message.
    public var description: String { "\(code): \(message)" }
}

extension OperationError {
    /// A storage failure: ours, so the caller may try again.
    public init(_ error: StorageError) {
        self.init(error.code.rawValue, error.message, kind: .unavailable, detail: error.detail)
    }

    /// Signed data that was refused.
    ///
    /// What is signed by a trusted root but names an app that is not configured here may be a gap in our own
    /// configuration: it is ours, and worth another try. Everything else is wrong in the bytes.
    public init(_ failure: VerificationFailure, parameter: String) {
        let mayBeOurs: Set<VerificationFailure.Code> = [
            .appNotConfigured, .bundleIdMismatch, .appAppleIdMismatch, .environmentMismatch,
        ]
        self.init(
            failure.code.rawValue,
            failure.message,
            kind: mayBeOurs.contains(failure.code) ? .unavailable : .invalidRequest,
            parameter: parameter
        )
    }
}
