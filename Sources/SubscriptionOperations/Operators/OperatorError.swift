public import SubscriptionStorage

/// The error of a change of operators. Equality is by ``code``.
public struct OperatorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable reason.
    public let code: String
    /// What went wrong and what to do.
    public let message: String

    /// Makes an error.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    private init(_ code: String, _ message: String) { self.init(code: code, message: message) }

    /// A failure of the database.
    public init(_ error: StorageError) { self.init(error.code.rawValue, error.message) }

    /// A failure of another use case.
    init(_ error: OperationError) { self.init(error.code, error.message) }

    /// Compares codes.
    public static func == (left: OperatorError, right: OperatorError) -> Bool { left.code == right.code }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// Code and message.
    public var description: String { "\(code): \(message)" }
}

extension OperatorError {
    static let nameInvalid = OperatorError(
        "operator_name_invalid",
        "A name is one line of 1 to 60 characters, without spaces at its ends."
    )
    static let nameTaken = OperatorError(
        "operator_exists",
        "There is an operator with this name. Case does not count: perennial operators list shows all."
    )
    static let notFound = OperatorError(
        "operator_not_found",
        "There is no operator with this name: perennial operators list shows all."
    )
    static let passwordInvalid = OperatorError(
        "operator_password_invalid",
        "A password has 12 to 128 characters, and is not the name."
    )
    static let keyNotFound = OperatorError(
        "operator_key_not_found",
        "The operator has no such key: perennial operators keys list shows all."
    )
    static let keyAmbiguous = OperatorError(
        "operator_key_ambiguous",
        "Several keys of the operator match, and none was revoked: give the identifier (key_…), or the whole key."
    )
    static let tooManyKeys = OperatorError(
        "operator_keys_too_many",
        "The operator has as many keys as allowed: revoke one with perennial operators keys revoke."
    )

    static func appNotConfigured(_ app: String) -> OperatorError {
        OperatorError(
            "app_not_configured",
            "\(app) is not in this database: write BUNDLE_ID/production or BUNDLE_ID/sandbox, or start perennial serve "
                + "with --app first."
        )
    }
}
