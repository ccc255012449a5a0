/// The body of Extend a Subscription Renewal Date.
///
/// - Source: App Store Server API, ExtendRenewalDateRequest; each property is the field of the same name.
public struct ExtendRenewalDateRequest: JSONRepresentable {
    /// By how many days a period can be extended at most.
    public static let daysMax: Int32 = 90
    /// How many characters an identifier can have.
    public static let requestIdentifierLengthMax = 128
    /// How often the period of a subscription can be extended within 365 days.
    public static let extensionsPerYearMax = 2

    /// By how many days, 1 to ``daysMax``.
    public var extendByDays: Int32
    /// Why.
    public var extendReasonCode: ExtendReasonCode
    /// Identifies the order: best a UUID, at most ``requestIdentifierLengthMax`` characters.
    public var requestIdentifier: String
    /// What this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        extendByDays: Int32,
        extendReasonCode: ExtendReasonCode,
        requestIdentifier: String,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.extendByDays = extendByDays
        self.extendReasonCode = extendReasonCode
        self.requestIdentifier = requestIdentifier
        self.unknownFields = unknownFields
    }

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        extendByDays = try fields.require("extendByDays")
        extendReasonCode = try fields.require("extendReasonCode")
        requestIdentifier = try fields.require("requestIdentifier")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("extendByDays", extendByDays)
        object.put("extendReasonCode", extendReasonCode)
        object.put("requestIdentifier", requestIdentifier)
        object.put(unknownFields: unknownFields)
        return object
    }

    /// Checks what Apple would refuse.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/ruleBroken`` and the field.
    public func validate() throws(ModelError) {
        try Self.validate(days: extendByDays, reason: extendReasonCode, identifier: requestIdentifier)
    }

    static func validate(days: Int32, reason: ExtendReasonCode, identifier: String) throws(ModelError) {
        try ModelError.unless((1...daysMax).contains(days), "extendByDays", "1 to \(daysMax) days are allowed.")
        try ModelError.unless(reason.isDocumented, "extendReasonCode", "The reason must be 0, 1, 2 or 3.")
        try ModelError.unless(
            (1...requestIdentifierLengthMax).contains(identifier.unicodeScalars.count),
            "requestIdentifier",
            "1 to \(requestIdentifierLengthMax) characters are allowed."
        )
    }
}
