/// Why a catalogue is invalid: a stable code, a message with the remedy, and the path of the field.
public struct CatalogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of an error, in snake case.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name as it appears in answers.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The text is not JSON, or not a JSON object.
        public static let notJSON = Self(rawValue: "catalog_not_json")
        /// The format version of the file is not supported.
        public static let versionUnknown = Self(rawValue: "catalog_version_unknown")
        /// A required field is absent.
        public static let fieldMissing = Self(rawValue: "catalog_field_missing")
        /// A field has the wrong type or is out of range.
        public static let fieldInvalid = Self(rawValue: "catalog_field_invalid")
        /// A period is not an ISO 8601 duration, or Apple does not support it.
        public static let periodInvalid = Self(rawValue: "catalog_period_invalid")
        /// A price is not a decimal number with at most three decimal places.
        public static let priceInvalid = Self(rawValue: "catalog_price_invalid")
        /// Two products or two groups have the same identifier.
        public static let duplicate = Self(rawValue: "catalog_duplicate")
    }

    /// The stable name of the error.
    public let code: Code

    /// One sentence that states the problem and the remedy.
    public let message: String

    /// The invalid field, for example `subscriptionGroups[0].subscriptions[1].recurringSubscriptionPeriod`; `nil` for
    /// an error of the whole file.
    public let path: String?

    /// Makes an error.
    public init(_ code: Code, message: String, path: String?) {
        self.code = code
        self.message = message
        self.path = path
    }

    /// The code, the path and the message.
    public var description: String { "\(code.rawValue)\(path.map { " at \($0)" } ?? ""): \(message)" }
}
