// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// A promotional offer with a version 1 signature, and all signed values.
///
/// - Source: Retention Messaging API, PromotionalOfferSignatureV1; each property is the field of the same name.
public struct PromotionalOfferSignatureV1: JSONRepresentable {
    /// The signature: ECDSA in DER, in base64.
    public var encodedSignature: String
    /// The subscription product.
    public var productId: String
    /// The nonce, a UUID in lower case.
    public var nonce: String
    /// When it was signed, in milliseconds since 1970 (UTC); the signature is valid for 24 hours.
    public var timestamp: Int64
    /// The signing key.
    public var keyId: String
    /// The offer identifier from App Store Connect.
    public var offerIdentifier: String
    /// The developer's UUID of the customer, in lower case.
    public var appAccountToken: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        encodedSignature: String,
        productId: String,
        nonce: String,
        timestamp: Int64,
        keyId: String,
        offerIdentifier: String,
        appAccountToken: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.encodedSignature = encodedSignature
        self.productId = productId
        self.nonce = nonce
        self.timestamp = timestamp
        self.keyId = keyId
        self.offerIdentifier = offerIdentifier
        self.appAccountToken = appAccountToken
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        encodedSignature = try fields.require("encodedSignature")
        productId = try fields.require("productId")
        nonce = try fields.require("nonce")
        timestamp = try fields.requireDate("timestamp")
        keyId = try fields.require("keyId")
        offerIdentifier = try fields.require("offerIdentifier")
        appAccountToken = try fields.optional("appAccountToken")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("encodedSignature", encodedSignature)
        object.put("productId", productId)
        object.put("nonce", nonce)
        object.put("timestamp", timestamp)
        object.put("keyId", keyId)
        object.put("offerIdentifier", offerIdentifier)
        object.put("appAccountToken", appAccountToken)
        object.put(unknownFields: unknownFields)
        return object
    }
}
