import PerennialPrimitives

/// The body of Set App Account Token.
///
/// - Source: App Store Server API, UpdateAppAccountTokenRequest; each property is the field of the same name.
public struct UpdateAppAccountTokenRequest: JSONRepresentable {
    /// The UUID that your server gave the customer.
    public var appAccountToken: String
    /// What this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(appAccountToken: String, unknownFields: JSONObject = JSONObject()) {
        self.appAccountToken = appAccountToken
        self.unknownFields = unknownFields
    }

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        appAccountToken = try fields.require("appAccountToken")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("appAccountToken", appAccountToken)
        object.put(unknownFields: unknownFields)
        return object
    }

    /// Checks what Apple would refuse.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/ruleBroken`` when the token is no UUID.
    public func validate() throws(ModelError) {
        try ModelError.unless(appAccountToken.isUUID, "appAccountToken", "The token must be a UUID.")
    }
}
