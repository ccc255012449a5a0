// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The descriptors of a migrated subscription.
///
/// - Source: Advanced Commerce API, SubscriptionMigrateDescriptors; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionMigrateDescriptors: JSONRepresentable {
    /// The description, at most ``AdvancedCommerceLimits/descriptionCharactersMax`` characters.
    public var description: String
    /// Its name for customers, at most ``AdvancedCommerceLimits/displayNameCharactersMax`` characters.
    public var displayName: String
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(description: String, displayName: String, unknownFields: JSONObject = JSONObject()) {
        self.description = description
        self.displayName = displayName
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        description = try fields.require("description")
        displayName = try fields.require("displayName")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("description", description)
        object.put("displayName", displayName)
        object.put(unknownFields: unknownFields)
        return object
    }

    /// Checks the values of the fields, one by one.
    ///
    /// - Throws: Apple's error for the first value that it refuses.
    package func checkFields() throws(AppStoreServerAPIError) {
        try FieldRule.check(
            description,
            empty: .invalidDescription,
            long: .descriptionLengthExceeded,
            max: AdvancedCommerceLimits.descriptionCharactersMax
        )
        try FieldRule.check(
            displayName,
            empty: .invalidDisplayName,
            long: .displayNameLengthExceeded,
            max: AdvancedCommerceLimits.displayNameCharactersMax
        )
    }
}
