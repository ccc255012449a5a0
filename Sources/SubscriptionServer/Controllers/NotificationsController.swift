import AppStoreModel
import HTTPTypes
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
package import SubscriptionStorage

/// Receives Apple's notifications and lists the stored ones.
package struct NotificationsController: Sendable {
    private static let pageSizeMax = 1000

    private let ingestion: Ingestion
    private let lookup: PurchaseLookup
    private let database: any SubscriptionDatabase
    private let bodyBytesMax: Int

    /// Makes the controller.
    package init(
        ingestion: Ingestion,
        lookup: PurchaseLookup,
        database: any SubscriptionDatabase,
        bodyBytesMax: Int
    ) {
        self.ingestion = ingestion
        self.lookup = lookup
        self.database = database
        self.bodyBytesMax = bodyBytesMax
    }

    /// Adds the public route for Apple, which the signature authenticates.
    package func addPublicRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.post("apple/notifications", use: take)
    }

    /// Adds the routes for the developer.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("apple/notifications", use: list)
        group.get("apple/notifications/{id}", use: show)
        group.get("apple/unknown_notifications", use: unknown)
    }

    /// Ingests a notification. The 200 is sent only after the commit.
    private func take(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let body = try await request.jsonObject(limit: bodyBytesMax)
        guard body["notification_type"] == nil else {
            try await lookup.takeVersionOne(body, permit: context.permit)
            return .json(receipt(isDuplicate: false))
        }
        let signedPayload = try body.requiredText("signedPayload", bytesMax: bodyBytesMax)
        let outcome = try await ingestion.takeNotification(Array(signedPayload.utf8))
        return .json(receipt(isDuplicate: outcome.isDuplicate))
    }

    private func receipt(isDuplicate: Bool) -> JSONObject {
        var answer = JSONObject()
        answer["object"] = .string("notification_receipt")
        answer["duplicate"] = .bool(isDuplicate)
        return answer
    }

    /// Lists the stored notifications in order of commit, and the sequence numbers of those that cannot be read.
    private func list(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let page = try Page(request, sizeMax: Self.pageSizeMax)
        let lines = try await database.answer { storage throws(StorageError) in
            try storage.evidence(.notification, of: app, after: page.after, limit: page.size + 1)
        }
        var (list, unreadable) = page.list(
            lines.map { (sequence: $0.sequence, object: $0.summary.map { JSONObject(notification: $0) }) }
        )
        list["unreadable"] = .array(unreadable.map(JSONValue.integer))
        return .json(list)
    }

    /// A notification with its original signed bytes.
    private func show(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let id = EvidenceID(notificationUUID: try context.parameters.require("id"))
        let record = try await database.answer { storage throws(StorageError) in try storage.evidence(id, of: app) }
        guard let record else {
            throw APIError(
                .notFound,
                .notFound,
                "notification_not_found",
                "No notification with this id is stored. GET /v1/apple/notifications lists them."
            )
        }
        var object = JSONObject(notification: record.summary)
        object["signed_payload"] = .string(String(decoding: record.signedBytes, as: UTF8.self))
        return .json(object)
    }
}

extension NotificationsController {
    /// Lists the received types that this version does not know, with their counts.
    private func unknown(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let counts = try await database.answer { storage throws(StorageError) in
            try storage.unknownNotifications(of: app)
        }
        var list = JSONObject()
        list["object"] = .string("list")
        list["data"] = .array(
            counts.filter { $0.type != UnknownNotificationCount.versionOne }.map { .object(JSONObject(unknown: $0)) }
        )
        list["has_more"] = .bool(false)
        list["next_cursor"] = .null
        return .json(list)
    }
}

extension Ingestion.Outcome {
    fileprivate var isDuplicate: Bool {
        switch self {
        case .taken: false
        case .duplicate: true
        }
    }
}

extension EvidenceRecord {
    fileprivate var summary: EvidenceSummary {
        EvidenceSummary(
            sequence: 0,
            id: id,
            type: type,
            subtype: subtype,
            signedAt: signedAt,
            receivedAt: receivedAt
        )
    }
}

extension JSONObject {
    fileprivate init(notification: EvidenceSummary) {
        self.init()
        self["object"] = .string("notification")
        self["id"] = .text(notification.id.notificationUUID)
        self["type"] = notification.type.map(JSONValue.string) ?? .null
        self["subtype"] = notification.subtype.map(JSONValue.string) ?? .null
        self["signed_at"] = .integer(notification.signedAt.milliseconds)
        self["received_at"] = .integer(notification.receivedAt.milliseconds)
    }
}

extension JSONObject {
    fileprivate init(unknown count: UnknownNotificationCount) {
        self.init()
        self["object"] = .string("unknown_notification")
        self["type"] = .string(count.type)
        self["subtype"] = count.subtype.map(JSONValue.string) ?? .null
        self["count"] = .integer(count.count)
        self["last_received_at"] = .integer(count.lastReceivedAt.milliseconds)
    }
}
