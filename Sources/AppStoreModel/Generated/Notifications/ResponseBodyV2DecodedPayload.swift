// Generated from Schema/notifications.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The payload of a notification; exactly one of its five objects is present.
///
/// - Source: App Store Server Notifications, responseBodyV2DecodedPayload; each property is the field of the same name.
public struct ResponseBodyV2DecodedPayload: JSONRepresentable {
    /// The event.
    public var notificationType: NotificationType
    /// The subtype of the event.
    public var subtype: NotificationSubtype?
    /// Identifies the notification, including its retries.
    public var notificationUUID: String
    /// The version of notifications, `2.0`.
    public var version: String
    /// When Apple signed, in milliseconds since 1970 (UTC).
    public var signedDate: Int64
    /// The purchase of the event.
    public var data: NotificationData?
    /// The result of an extension of many subscriptions.
    public var summary: NotificationSummary?
    /// The external purchase token of the event.
    public var externalPurchaseToken: ExternalPurchaseToken?
    /// The app download of the event.
    public var appData: NotificationAppData?
    /// The seats to release.
    public var unclaimInfo: UnclaimInfo?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        notificationType: NotificationType,
        notificationUUID: String,
        version: String,
        signedDate: Int64,
        subtype: NotificationSubtype? = nil,
        data: NotificationData? = nil,
        summary: NotificationSummary? = nil,
        externalPurchaseToken: ExternalPurchaseToken? = nil,
        appData: NotificationAppData? = nil,
        unclaimInfo: UnclaimInfo? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.notificationType = notificationType
        self.notificationUUID = notificationUUID
        self.version = version
        self.signedDate = signedDate
        self.subtype = subtype
        self.data = data
        self.summary = summary
        self.externalPurchaseToken = externalPurchaseToken
        self.appData = appData
        self.unclaimInfo = unclaimInfo
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        notificationType = try fields.require("notificationType")
        let subtype: NotificationSubtype? = try fields.optional("subtype")
        // An empty text means none.
        self.subtype = subtype.flatMap { $0.rawValue.isEmpty ? nil : $0 }
        notificationUUID = try fields.require("notificationUUID")
        version = try fields.require("version")
        signedDate = try fields.requireDate("signedDate")
        data = try fields.optional("data")
        summary = try fields.optional("summary")
        externalPurchaseToken = try fields.optional("externalPurchaseToken")
        appData = try fields.optional("appData")
        unclaimInfo = try fields.optional("unclaimInfo")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("notificationType", notificationType)
        object.put("subtype", subtype)
        object.put("notificationUUID", notificationUUID)
        object.put("version", version)
        object.put("signedDate", signedDate)
        object.put("data", data)
        object.put("summary", summary)
        object.put("externalPurchaseToken", externalPurchaseToken)
        object.put("appData", appData)
        object.put("unclaimInfo", unclaimInfo)
        object.put(unknownFields: unknownFields)
        return object
    }
}
