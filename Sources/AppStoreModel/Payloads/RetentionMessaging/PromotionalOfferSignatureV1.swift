/// A promotional offer that is signed in the older way, with all that was signed.
///
/// - Source: Retention Messaging API, PromotionalOfferSignatureV1; each property is the field of the same name.
public struct PromotionalOfferSignatureV1: JSONRepresentable {
    /// The signature: ECDSA in DER, in base64.
    public var encodedSignature: String
    /// The subscription product.
    public var productId: String
    /// A UUID used only once, in lower case.
    public var nonce: String
    /// When it was signed, in milliseconds since 1970 (UTC); the signature serves for 24 hours.
    public var timestamp: Int64
    /// The key that signed.
    public var keyId: String
    /// The offer, as App Store Connect names it.
    public var offerIdentifier: String
    /// The developer's UUID for the customer, in lower case.
    public var appAccountToken: String?
    /// What this version of the model does not know.
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

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
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
