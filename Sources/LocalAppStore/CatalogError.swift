/// Why a catalogue cannot be used: a stable code, a sentence with the remedy, and the path of the field.
public struct CatalogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of a fault, in snake case.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name as it appears in answers.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The text is no JSON, or no JSON object.
        public static let notJSON = Self(rawValue: "catalog_not_json")
        /// The file's format version is not one the store knows.
        public static let versionUnknown = Self(rawValue: "catalog_version_unknown")
        /// A field that the store needs is absent.
        public static let fieldMissing = Self(rawValue: "catalog_field_missing")
        /// A field has a value of the wrong type, or one outside its range.
        public static let fieldInvalid = Self(rawValue: "catalog_field_invalid")
        /// A period is no ISO 8601 duration, or not one that Apple sells.
        public static let periodInvalid = Self(rawValue: "catalog_period_invalid")
        /// A price is no decimal number of at most three places.
        public static let priceInvalid = Self(rawValue: "catalog_price_invalid")
        /// Two products or two groups have the same identifier.
        public static let duplicate = Self(rawValue: "catalog_duplicate")
    }

    /// The stable name of the fault.
    public let code: Code

    /// One sentence that says what is wrong and what to do.
    public let message: String

    /// The field at fault, for example `subscriptionGroups[0].subscriptions[1].recurringSubscriptionPeriod`;
    /// `nil` when the file as a whole is.
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
