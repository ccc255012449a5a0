// Generated from Schema/purchase-data.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// A customer's subscriptions in one group.
///
/// - Source: App Store Server API, SubscriptionGroupIdentifierItem; each property is the field of the same name.
public struct SubscriptionGroupIdentifierItem: JSONRepresentable {
    /// The group.
    public var subscriptionGroupIdentifier: String
    /// The latest transaction of each subscription in it.
    public var lastTransactions: [LastTransactionsItem]
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        subscriptionGroupIdentifier: String,
        lastTransactions: [LastTransactionsItem],
        unknownFields: JSONObject = JSONObject()
    ) {
        self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
        self.lastTransactions = lastTransactions
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        subscriptionGroupIdentifier = try fields.require("subscriptionGroupIdentifier")
        lastTransactions = try fields.require("lastTransactions")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("subscriptionGroupIdentifier", subscriptionGroupIdentifier)
        object.put("lastTransactions", lastTransactions)
        object.put(unknownFields: unknownFields)
        return object
    }
}
