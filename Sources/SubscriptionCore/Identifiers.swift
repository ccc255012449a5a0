import PerennialPrimitives

/// A distinct type for each kind of identifier, so that none is passed where another is meant.
///
/// Identifiers are opaque text: never parsed, never numbers.
public protocol TextIdentifier: RawRepresentable, Hashable, Comparable, Codable, Sendable, CustomStringConvertible
where RawValue == String {
    /// Wraps the text; every text is an identifier.
    init(rawValue: String)
}

extension TextIdentifier {
    /// Wraps the text.
    public init(_ text: String) {
        self.init(rawValue: text)
    }

    /// The text itself.
    public var description: String { rawValue }

    /// Compares byte by byte: two spellings of one visible text are two identifiers, here as in every database.
    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue.hasSameBytes(as: right.rawValue)
    }

    /// Orders by the bytes of the text, which is the order of its Unicode scalars.
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
    }

    /// Hashes the bytes that are compared.
    public func hash(into hasher: inout Hasher) {
        var text = rawValue
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(UInt8.max)
    }
}

/// One app in one environment: the distribution key that leads every primary key.
///
/// Sandbox and production of one bundle are two apps here, so that sandbox data never shows under a production key.
public struct AppID: TextIdentifier {
    /// `<bundle id>/<environment>`, as ``init(bundleID:environment:)`` makes it.
    public let rawValue: String

    /// Wraps the stored text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The identifier of a bundle in an environment.
    public init(bundleID: String, environment: StoreEnvironment) {
        rawValue = "\(bundleID)/\(environment.rawValue)"
    }
}

/// The developer's own identifier of a customer (`app_user_id`).
///
/// One that is a UUID is kept in lower case: systems that print UUIDs differ in the case of the letters, and mean the
/// same customer. This is the only place that knows it.
public struct CustomerID: TextIdentifier {
    /// The text the developer chose; a UUID in lower case.
    public let rawValue: String
    /// Wraps the text, and brings a UUID to lower case.
    public init(rawValue: String) { self.rawValue = rawValue.isUUID ? rawValue.lowercased() : rawValue }
}

/// One purchase, renewal or restore.
public struct TransactionID: TextIdentifier {
    /// The store's text.
    public let rawValue: String
    /// Wraps the text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The first transaction of a purchase; names a subscription over all its renewals.
public struct OriginalTransactionID: TextIdentifier {
    /// The store's text.
    public let rawValue: String
    /// Wraps the text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A product that is sold.
public struct ProductID: TextIdentifier {
    /// The text chosen in the store's catalogue.
    public let rawValue: String
    /// Wraps the text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A group of subscriptions of which a customer holds one at a time.
public struct SubscriptionGroupID: TextIdentifier {
    /// The store's text.
    public let rawValue: String
    /// Wraps the text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// What a customer may use.
public struct EntitlementID: TextIdentifier {
    /// The text the developer chose, or the group's or product's where nothing is defined.
    public let rawValue: String
    /// Wraps the text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// One grant of an operator's.
public struct GrantID: TextIdentifier {
    /// `gr_` and hexadecimal digits.
    public let rawValue: String
    /// Wraps the text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// One signed input that is kept: the key under which a second copy of it is recognised.
public struct EvidenceID: TextIdentifier {
    /// `notification:<uuid>`, or `<kind>:<digest of the bytes>` for inputs without an identifier of their own.
    public let rawValue: String
    /// Wraps the text.
    public init(rawValue: String) { self.rawValue = rawValue }
}
