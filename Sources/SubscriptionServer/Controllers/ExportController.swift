import AppStoreModel
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// All stored data about a customer, as one document.
package struct ExportController: Sendable {
    private let exporting: CustomerExporting

    /// Makes the controller.
    package init(exporting: CustomerExporting) {
        self.exporting = exporting
    }

    /// Adds the route.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("customers/{app_user_id}/export", use: export)
    }

    private func export(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let export = try await exporting.export(try context.customerID(), app: app)
        do {
            return .json(try JSONObject(export: export))
        } catch {
            throw OperationError(error)
        }
    }
}

extension JSONObject {
    fileprivate init(export: CustomerExport) throws(StorageError) {
        let customer = export.view.customer.id
        self.init()
        self["object"] = .string("customer_export")
        self["app_user_id"] = .string(customer.rawValue)
        self["exported_at"] = .integer(export.view.evaluatedAt.milliseconds)
        self["customer"] = .object(JSONObject(customer: export.view))
        self["attributes"] = .object(JSONObject(attributes: export.view.customer.profile))
        self["grants"] = .array(export.grants.map { .object(JSONObject(grant: $0, of: customer)) })
        self["timeline"] = .array(export.timeline.map { .object(JSONObject(entry: $0)) })
        self["purchases"] = .array(export.purchases.map { .object(JSONObject(exported: $0)) })
        var receipts: [JSONValue] = []
        for receipt in export.receipts { receipts.append(.object(try JSONObject(receipt: receipt))) }
        self["receipts"] = .array(receipts)
    }

    private init(receipt: ReceiptRecord) throws(StorageError) {
        self.init()
        self["receipt_id"] = .string(receipt.id.rawValue)
        self["received_at"] = .integer(receipt.receivedAt.milliseconds)
        self["app_receipt"] = .string(try receipt.text())
    }

    private init(exported purchase: CustomerExport.Purchase) {
        self.init()
        self["id"] = .string(purchase.id.rawValue)
        self["claims"] = .array(
            purchase.claims.map { claim in
                var object = JSONObject()
                object["evidence_id"] = .string(claim.evidenceID.rawValue)
                object["claimed_at"] = .integer(claim.claimedAt.milliseconds)
                return .object(object)
            }
        )
        self["inputs"] = .array(purchase.inputs.map { .object(JSONObject(input: $0)) })
        self["consumption"] = purchase.consumption.map { .object(JSONObject(consumption: $0)) } ?? .null
        self["refund_requests"] = .array(purchase.refundRequests.map { .object(JSONObject(refundRequest: $0)) })
    }

    private init(input: EvidenceRecord) {
        self.init()
        self["evidence_id"] = .string(input.id.rawValue)
        self["kind"] = .string(input.kind.rawValue)
        self["type"] = .text(input.type)
        self["subtype"] = .text(input.subtype)
        self["signed_at"] = .integer(input.signedAt.milliseconds)
        self["received_at"] = .integer(input.receivedAt.milliseconds)
        self["signed_payload"] = .string(String(decoding: input.signedBytes, as: UTF8.self))
    }
}
