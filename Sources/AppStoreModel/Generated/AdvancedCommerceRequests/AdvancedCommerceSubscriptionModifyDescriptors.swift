// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The descriptors of a subscription after a change.
///
/// - Source: Advanced Commerce API, SubscriptionModifyDescriptors; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionModifyDescriptors: JSONRepresentable {
    /// When the change takes effect.
    public var effective: AdvancedCommerceEffective
    /// The new description, at most ``AdvancedCommerceLimits/descriptionCharactersMax`` characters.
    public var description: String?
    /// Its new name, at most ``AdvancedCommerceLimits/displayNameCharactersMax`` characters.
    public var displayName: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        effective: AdvancedCommerceEffective,
        description: String? = nil,
        displayName: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.effective = effective
        self.description = description
        self.displayName = displayName
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        effective = try fields.require("effective")
        description = try fields.optional("description")
        displayName = try fields.optional("displayName")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("effective", effective)
        object.put("description", description)
        object.put("displayName", displayName)
        object.put(unknownFields: unknownFields)
        return object
    }

    /// Checks the values of the fields, one by one.
    ///
    /// - Throws: Apple's error for the first value that it refuses.
    package func checkFields() throws(AppStoreServerAPIError) {
        try FieldRule.check(effective, unknown: .malformedPayload)
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
