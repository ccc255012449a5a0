public import SubscriptionCore

/// What the developer told about a customer, beside purchases and grants.
public struct CustomerProfile: Hashable, Sendable, Codable {
    /// A text under a name.
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

    /// Makes a profile; without anything, it says nothing.
    public init(aliases: [CustomerID] = [], attributes: [String: Attribute] = [:]) {
        self.aliases = aliases
        self.attributes = attributes
    }

    /// Whether it says nothing.
    public var isEmpty: Bool { aliases.isEmpty && attributes.isEmpty }

    /// Joins what was told about the same person under another identifier.
    ///
    /// Of two attributes with one name the one that was set last stays, and of two that were set at one instant the
    /// greater text: the order of joining does not matter.
    public mutating func join(_ other: CustomerProfile) {
        aliases = Set(aliases).union(other.aliases).sorted()
        attributes.merge(other.attributes) { own, theirs in
            guard own.setAt == theirs.setAt else { return own.setAt > theirs.setAt ? own : theirs }
            return own.value.utf8.lexicographicallyPrecedes(theirs.value.utf8) ? theirs : own
        }
    }
}
