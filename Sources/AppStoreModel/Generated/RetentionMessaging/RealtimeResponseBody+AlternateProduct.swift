// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

extension RealtimeResponseBody {
    /// A message with an alternate product.
    ///
    /// - Source: Retention Messaging API, AlternateProduct; each property is the field of the same name.
    public struct AlternateProduct: JSONRepresentable {
        /// The message, a UUID; it must not have an image.
        public var messageIdentifier: String
        /// The product that the message proposes.
        public var productId: String
        /// The billing plan of the proposed product.
        public var billingPlanType: BillingPlanType?
        /// Fields that this version of the model does not know.
        public var unknownFields: JSONObject

        /// Makes the object from its fields.
        public init(
            messageIdentifier: String,
            productId: String,
            billingPlanType: BillingPlanType? = nil,
            unknownFields: JSONObject = JSONObject()
        ) {
            self.messageIdentifier = messageIdentifier
            self.productId = productId
            self.billingPlanType = billingPlanType
            self.unknownFields = unknownFields
        }

        /// Decodes the object.
        ///
        /// - Throws: ``ModelError`` with the missing or invalid field.
        public init(json: JSONObject) throws(ModelError) {
            var fields = JSONFields(json)
            messageIdentifier = try fields.require("messageIdentifier")
            productId = try fields.require("productId")
            billingPlanType = try fields.optional("billingPlanType")
            unknownFields = fields.rest
        }

        /// The object as JSON.
        public var json: JSONObject {
            var object = JSONObject()
            object.put("messageIdentifier", messageIdentifier)
            object.put("productId", productId)
            object.put("billingPlanType", billingPlanType)
            object.put(unknownFields: unknownFields)
            return object
        }
    }
}
