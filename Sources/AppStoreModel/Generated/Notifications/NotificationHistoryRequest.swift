// Generated from Schema/notifications.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The body of Get Notification History, equal for every page.
///
/// - Source: App Store Server API, NotificationHistoryRequest; each property is the field of the same name.
public struct NotificationHistoryRequest: JSONRepresentable {
    /// The start of the time range, in milliseconds since 1970 (UTC): at most 180 days ago, in sandbox 30.
    public var startDate: Int64
    /// The end of the time range, in milliseconds since 1970 (UTC); after ``startDate``.
    public var endDate: Int64
    /// Only notifications of this type; not together with ``transactionId``.
    public var notificationType: NotificationType?
    /// Only those with this subtype of ``notificationType``.
    public var notificationSubtype: NotificationSubtype?
    /// Only those of the customer with this transaction; not together with ``notificationType``.
    public var transactionId: String?
    /// Whether to return only undelivered notifications, including those that Apple still retries.
    public var onlyFailures: Bool?
    /// Deprecated by Apple in favour of ``transactionId``.
    public var originalTransactionId: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        startDate: Int64,
        endDate: Int64,
        notificationType: NotificationType? = nil,
        notificationSubtype: NotificationSubtype? = nil,
        transactionId: String? = nil,
        onlyFailures: Bool? = nil,
        originalTransactionId: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.startDate = startDate
        self.endDate = endDate
        self.notificationType = notificationType
        self.notificationSubtype = notificationSubtype
        self.transactionId = transactionId
        self.onlyFailures = onlyFailures
        self.originalTransactionId = originalTransactionId
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        startDate = try fields.requireDate("startDate")
        endDate = try fields.requireDate("endDate")
        notificationType = try fields.optional("notificationType")
        notificationSubtype = try fields.optional("notificationSubtype")
        transactionId = try fields.optional("transactionId")
        onlyFailures = try fields.optional("onlyFailures")
        originalTransactionId = try fields.optional("originalTransactionId")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("startDate", startDate)
        object.put("endDate", endDate)
        object.put("notificationType", notificationType)
        object.put("notificationSubtype", notificationSubtype)
        object.put("transactionId", transactionId)
        object.put("onlyFailures", onlyFailures)
        object.put("originalTransactionId", originalTransactionId)
        object.put(unknownFields: unknownFields)
        return object
    }
}
