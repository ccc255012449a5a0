public import SubscriptionCore

/// The developer's data about a customer besides purchases and grants.
public struct CustomerProfile: Hashable, Sendable, Codable {
    /// The value of an attribute.
    public struct Attribute: Hashable, Sendable, Codable {
        /// The text.
        public var value: String
        /// When it was set.
        public var setAt: Timestamp

        /// Makes an attribute.
        public init(value: String, setAt: Timestamp) {
            self.value = value
            self.setAt = setAt
        }
    }

    /// Other identifiers of the customer, in order.
    public var aliases: [CustomerID]
    /// Attributes by name.
    public var attributes: [String: Attribute]

    /// Makes a profile, empty by default.
    public init(aliases: [CustomerID] = [], attributes: [String: Attribute] = [:]) {
        self.aliases = aliases
        self.attributes = attributes
    }

    /// Whether it is empty.
    public var isEmpty: Bool { aliases.isEmpty && attributes.isEmpty }

    /// Joins the profile of another identifier of the same customer.
    ///
    /// For an attribute in both, the later one stays; with the same time, the greater text stays. So the result does
    /// not depend on the order of joining.
    public mutating func join(_ other: CustomerProfile) {
        aliases = Set(aliases).union(other.aliases).sorted()
        attributes.merge(other.attributes) { own, theirs in
            guard own.setAt == theirs.setAt else { return own.setAt > theirs.setAt ? own : theirs }
            return own.value.utf8.lexicographicallyPrecedes(theirs.value.utf8) ? theirs : own
        }
    }
}
