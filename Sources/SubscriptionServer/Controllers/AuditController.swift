import AppStoreModel
package import Hummingbird
import PerennialPrimitives
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// The audit log: who changed what, with the values before and after.
package struct AuditController: Sendable {
    private static let pageMax = 1000
    private static let targetBytesMax = 512

    private let audit: AuditReading

    /// Makes the controller.
    package init(audit: AuditReading) {
        self.audit = audit
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("audit_log", use: list)
    }

    private func list(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let key = try context.secretKey()
        let app = key.appID
        let query = try request.query(["after", "limit", "target"])
        let size = try query.number("limit", in: 1...Self.pageMax) ?? 100
        let target = try query["target"].map {
            try String($0).checkedParameter("target", bytesMax: Self.targetBytesMax)
        }
        let last = try query["after"].map { AuditEntryID(rawValue: try String($0).checkedParameter("after")) }
        let found = try await audit.entries(of: app, about: target, before: last, limit: size + 1)
        return .json(
            try JSONObject(page: found.prefix(size), hasMore: found.count > size, cursor: \.id.rawValue) {
                try JSONObject(auditEntry: $0, hidesAddresses: key.scope < .admin)
            }
        )
    }
}

extension JSONObject {
    /// - Parameter hidesAddresses: Whether of an endpoint's address only the origin is shown. Entries of earlier
    ///   versions have the whole address.
    /// - Throws: `JSONError` if a stored value is not JSON.
    fileprivate init(auditEntry entry: AuditEntry, hidesAddresses: Bool) throws {
        let hidesAddress = hidesAddresses && entry.target.hasPrefix("webhook_endpoint:")
        self.init()
        self["object"] = .string("audit_entry")
        self["id"] = .string(entry.id.rawValue)
        self["occurred_at"] = .integer(entry.occurredAt.milliseconds)
        self["actor"] = .string(entry.actor)
        self["action"] = .string(entry.action)
        self["target"] = .string(entry.target)
        self["before"] = try Self.value(entry.before, hidesAddress: hidesAddress)
        self["after"] = try Self.value(entry.after, hidesAddress: hidesAddress)
        self["request_id"] = .text(entry.requestID)
        self["sequence"] = entry.link.map { .integer($0.sequence) } ?? .null
        self["digest"] = .text(entry.link?.digest.hexadecimal)
    }

    private static func value(_ json: String?, hidesAddress: Bool) throws -> JSONValue {
        guard let json else { return .null }
        var object = try JSONParser.parseObject(Array(json.utf8))
        if hidesAddress, let url = object["url"]?.stringValue {
            object["url"] = .string(WebhookEndpoint.origin(of: url))
        }
        return .object(object)
    }
}
