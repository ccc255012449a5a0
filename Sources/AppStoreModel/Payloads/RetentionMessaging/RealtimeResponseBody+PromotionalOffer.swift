extension RealtimeResponseBody {
    /// A message with a promotional offer.
    ///
    /// One of the two signatures is there.
    ///
    /// - Source: Retention Messaging API, PromotionalOffer; each property is the field of the same name.
    public struct PromotionalOffer: JSONRepresentable {
        /// The message, a UUID; it has no image.
        public var messageIdentifier: String
        /// The offer, signed as a JWS; its `transactionId`, otherwise optional, must be there.
        public var promotionalOfferSignatureV2: String?
        /// The offer, signed in the older way.
        public var promotionalOfferSignatureV1: PromotionalOfferSignatureV1?
        /// What this version of the model does not know.
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

        /// Reads the object.
        ///
        /// - Throws: ``ModelError`` with the field that is missing or wrong.
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
