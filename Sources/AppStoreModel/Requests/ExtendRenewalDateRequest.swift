/// The body of Extend a Subscription Renewal Date.
///
/// - Source: App Store Server API, ExtendRenewalDateRequest; each property is the field of the same name.
public struct ExtendRenewalDateRequest: JSONRepresentable {
    /// The maximum number of days of an extension.
    public static let daysMax: Int32 = 90
    /// The maximum length of an identifier, in characters.
    public static let requestIdentifierLengthMax = 128
    /// The maximum number of extensions of a subscription within 365 days.
    public static let extensionsPerYearMax = 2

    /// The number of days, 1 to ``daysMax``.
    public var extendByDays: Int32
    /// The reason.
    public var extendReasonCode: ExtendReasonCode
    /// Identifies the order: any text of at most ``requestIdentifierLengthMax`` characters.
    ///
    /// - Source: App Store Server API, requestIdentifier: "The maximum string length is 128 characters."
    public var requestIdentifier: String
    /// Fields that this version of the model does not know.
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

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
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

    /// Checks Apple's rules.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/ruleBroken`` and the field.
    public func validate() throws(ModelError) {
        try Self.validate(days: extendByDays, reason: extendReasonCode)
        try ModelError.unless(
            (1...Self.requestIdentifierLengthMax).contains(requestIdentifier.unicodeScalars.count),
            "requestIdentifier",
            "1 to \(Self.requestIdentifierLengthMax) characters are allowed."
        )
    }

    static func validate(days: Int32, reason: ExtendReasonCode) throws(ModelError) {
        try ModelError.unless((1...daysMax).contains(days), "extendByDays", "1 to \(daysMax) days are allowed.")
        try ModelError.unless(reason.isDocumented, "extendReasonCode", "The reason must be 0, 1, 2 or 3.")
    }
}
