// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

extension RealtimeResponseBody {
    /// A message with a promotional offer.
    ///
    /// Exactly one of the two signatures is present.
    ///
    /// - Source: Retention Messaging API, PromotionalOffer; each property is the field of the same name.
    public struct PromotionalOffer: JSONRepresentable {
        /// The message, a UUID; it must not have an image.
        public var messageIdentifier: String
        /// The offer, signed as a JWS; its otherwise optional `transactionId` is required.
        public var promotionalOfferSignatureV2: String?
        /// The offer with a version 1 signature.
        public var promotionalOfferSignatureV1: PromotionalOfferSignatureV1?
        /// Fields that this version of the model does not know.
        public var unknownFields: JSONObject

        /// Makes the object from its fields.
        public init(
            messageIdentifier: String,
            promotionalOfferSignatureV2: String? = nil,
            promotionalOfferSignatureV1: PromotionalOfferSignatureV1? = nil,
            unknownFields: JSONObject = JSONObject()
        ) {
            self.messageIdentifier = messageIdentifier
            self.promotionalOfferSignatureV2 = promotionalOfferSignatureV2
            self.promotionalOfferSignatureV1 = promotionalOfferSignatureV1
            self.unknownFields = unknownFields
        }

        /// Decodes the object.
        ///
        /// - Throws: ``ModelError`` with the missing or invalid field.
        public init(json: JSONObject) throws(ModelError) {
            var fields = JSONFields(json)
            messageIdentifier = try fields.require("messageIdentifier")
            promotionalOfferSignatureV2 = try fields.optional("promotionalOfferSignatureV2")
            promotionalOfferSignatureV1 = try fields.optional("promotionalOfferSignatureV1")
            unknownFields = fields.rest
        }

        /// The object as JSON.
        public var json: JSONObject {
            var object = JSONObject()
            object.put("messageIdentifier", messageIdentifier)
            object.put("promotionalOfferSignatureV2", promotionalOfferSignatureV2)
            object.put("promotionalOfferSignatureV1", promotionalOfferSignatureV1)
            object.put(unknownFields: unknownFields)
            return object
        }
    }
}
