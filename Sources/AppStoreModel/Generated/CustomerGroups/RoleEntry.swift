// Generated from Schema/customer-groups.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// A customer's roles for one product.
///
/// - Source: App Store Server API, RoleEntry, since 1.22; each property is the field of the same name.
public struct RoleEntry: JSONRepresentable {
    /// The product.
    public var productId: String
    /// The roles.
    public var role: CustomerGroupRole
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(productId: String, role: CustomerGroupRole, unknownFields: JSONObject = JSONObject()) {
        self.productId = productId
        self.role = role
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        productId = try fields.require("productId")
        role = try fields.require("role")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("productId", productId)
        object.put("role", role)
        object.put(unknownFields: unknownFields)
        return object
    }
}
