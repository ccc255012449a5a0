import AppStoreModel
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// Transfers of purchases between customers.
package struct TransfersController: Sendable {
    private static let bodyBytesMax = 64 << 10
    private static let reasonBytesMax = 500
    private static let purchasesMax = 500

    private let transferring: Transferring

    /// Makes the controller.
    package init(transferring: Transferring) {
        self.transferring = transferring
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.post("transfers", use: transfer)
        group.get("transfers/{id}", use: show)
        group.post("transfers/{id}/undo", use: undo)
    }

    private func transfer(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let body = try await request.jsonObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["from", "to", "purchase_ids", "reason", "dry_run"])
        let asked = Transferring.Request(
            id: TransferID(context.newID("tr_")),
            from: try body.optionalText("from").map { CustomerID($0) },
            to: CustomerID(try body.requiredText("to")),
            purchases: try Self.purchases(body["purchase_ids"]),
            reason: try body.optionalText("reason", bytesMax: Self.reasonBytesMax)
        )
        let isDryRun = try body.flag("dry_run")
        let record =
            isDryRun
            ? try await transferring.preview(asked, app: app)
            : try await transferring.transfer(asked, app: app, by: try context.keyHolder())
        context.names(record.from, record.to)
        return .json(JSONObject(transfer: record, isDryRun: isDryRun))
    }

    private func show(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let id = TransferID(try context.parameters.require("id").checkedParameter("id"))
        return .json(JSONObject(transfer: try await transferring.transfer(id, app: app), isDryRun: false))
    }

    private func undo(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let id = TransferID(try context.parameters.require("id").checkedParameter("id"))
        let record = try await transferring.undo(id, app: app, by: try context.keyHolder())
        context.names(record.from, record.to)
        return .json(JSONObject(transfer: record, isDryRun: false))
    }

    private static func purchases(_ value: JSONValue?) throws(APIError) -> Set<OriginalTransactionID>? {
        guard let value, value != .null else { return nil }
        guard case .array(let values) = value, (1...purchasesMax).contains(values.count) else {
            throw .invalid("purchase_ids", "purchase_ids must be a list of 1 to \(purchasesMax) identifiers.")
        }
        var purchases: Set<OriginalTransactionID> = []
        for value in values {
            guard case .string(let text) = value else {
                throw .invalid("purchase_ids", "Each purchase identifier must be a string.")
            }
            purchases.insert(OriginalTransactionID(try text.checkedParameter("purchase_ids")))
        }
        return purchases
    }
}

extension JSONObject {
    fileprivate init(transfer record: TransferRecord, isDryRun: Bool) {
        self.init()
        self["object"] = .string("transfer")
        self["id"] = isDryRun ? .null : .string(record.id.rawValue)
        self["dry_run"] = .bool(isDryRun)
        self["from"] = .text(record.from?.rawValue)
        self["to"] = .text(record.to?.rawValue)
        self["purchase_ids"] = .array(record.items.map { .string($0.purchaseID.rawValue) })
        self["reason"] = .text(record.reason)
        self["created_at"] = isDryRun ? .null : .integer(record.createdAt.milliseconds)
        self["undone_at"] = .time(record.undoneAt)
    }
}
