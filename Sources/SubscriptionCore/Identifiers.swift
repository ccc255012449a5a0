import PerennialPrimitives

/// A distinct type for each kind of identifier, so that the compiler rejects one passed as another.
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

    /// Compares byte by byte, like the databases: two Unicode forms of the same text are two identifiers.
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

/// One app in one environment: the first column of every primary key.
///
/// Sandbox and production of one bundle are two apps, so a production key never reads sandbox data.
public struct AppID: TextIdentifier {
    /// `<bundle id>/<environment>`, as ``init(bundleID:environment:)`` makes it.
    public let rawValue: String

    /// Wraps the stored text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The identifier of a bundle in an environment.
    public init(bundleID: String, environment: StoreEnvironment) {
        rawValue = "\(bundleID)/\(environment.rawValue)"
    }

    /// The bundle identifier: the text before the last slash.
    public var bundleID: String { rawValue.lastIndex(of: "/").map { String(rawValue[..<$0]) } ?? rawValue }

    /// The environment; nil if the text after the last slash is none.
    public var environment: StoreEnvironment? {
        rawValue.lastIndex(of: "/").flatMap { StoreEnvironment(rawValue: String(rawValue[$0...].dropFirst())) }
    }
}

/// The developer's own identifier of a customer (`app_user_id`).
///
/// A UUID is stored in lower case, because systems print the same UUID in different cases. Only this type implements
/// this rule.
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

/// The first transaction of a purchase; identifies a subscription across its renewals.
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

/// A group of subscriptions; a customer has at most one of them at a time.
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

/// One grant by an operator.
public struct GrantID: TextIdentifier {
    /// `gr_` and hexadecimal digits.
    public let rawValue: String
    /// Wraps the text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The key of a stored signed input; a second copy has the same key.
public struct EvidenceID: TextIdentifier {
    private static let notificationPrefix = "notification:"

    /// `notification:<uuid>`, or `<kind>:<digest of the bytes>` for inputs without an identifier of their own.
    public let rawValue: String
    /// Wraps the text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The identifier of a notification.
    ///
    /// - Parameter uuid: Apple's `notificationUUID`, in upper or lower case.
    public init(notificationUUID uuid: String) { rawValue = Self.notificationPrefix + uuid.lowercased() }

    /// The UUID of a notification, in lower case; nil for other inputs.
    public var notificationUUID: String? {
        rawValue.hasPrefix(Self.notificationPrefix) ? String(rawValue.dropFirst(Self.notificationPrefix.count)) : nil
    }
}
