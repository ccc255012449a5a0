// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

extension RealtimeResponseBody {
    /// A message with an offer or another plan of an Advanced Commerce subscription.
    ///
    /// - Source: Retention Messaging API, AdvancedCommerceInfo; each property is the field of the same name.
    public struct AdvancedCommerceInfo: JSONRepresentable {
        /// The message, a UUID that the developer set in the upload.
        public var messageIdentifier: String
        /// The request: a JSON object with a JWS, in base64.
        public var advancedCommerceData: String
        /// Fields that this version of the model does not know.
        public var unknownFields: JSONObject

        /// Makes the object from its fields.
        public init(messageIdentifier: String, advancedCommerceData: String, unknownFields: JSONObject = JSONObject()) {
            self.messageIdentifier = messageIdentifier
            self.advancedCommerceData = advancedCommerceData
            self.unknownFields = unknownFields
        }

        /// Decodes the object.
        ///
        /// - Throws: ``ModelError`` with the missing or invalid field.
        public init(json: JSONObject) throws(ModelError) {
            var fields = JSONFields(json)
            messageIdentifier = try fields.require("messageIdentifier")
            advancedCommerceData = try fields.require("advancedCommerceData")
            unknownFields = fields.rest
        }

        /// The object as JSON.
        public var json: JSONObject {
            var object = JSONObject()
            object.put("messageIdentifier", messageIdentifier)
            object.put("advancedCommerceData", advancedCommerceData)
            object.put(unknownFields: unknownFields)
            return object
        }
    }
}
