import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore
import PerennialPrimitives

/// The data on a device: the app receipt, the unfinished transactions, and the customer's e-mail.
struct StoreReceiptsController: Sendable {
    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.get("/_store/accounts/{id}/receipt", appReceipt)
        routes.get("/_store/transactions/{id}/receipt", transactionReceipt)
        routes.post("/_store/transactions/{id}/finish", finish)
        routes.get("/_store/accounts/{id}/unfinished-transactions", unfinished)
        routes.get("/_store/accounts/{id}/mail", mail)
    }

    /// The current app receipt; `?deviceIdentifier=UUID` binds it to a device.
    @Sendable private func appReceipt(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        try request.rejectQuery(except: ["deviceIdentifier"])
        let device = try request.queryItems.last.map { item throws(StoreCallError) in
            try Self.identifierForVendor(item.value)
        }
        let receipt = try await coordinator.read { store throws(StoreError) in
            try store.appReceipt(accountId: id, forDevice: device)
        }
        return .json(["receipt": .string(receipt)])
    }

    /// The receipt of one transaction, in the form of iOS 6.
    @Sendable private func transactionReceipt(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        try request.rejectQuery(except: [])
        let receipt = try await coordinator.read { store throws(StoreError) in
            try store.transactionReceipt(transactionId: id)
        }
        return .json(["receipt": .string(receipt)])
    }

    @Sendable private func finish(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        _ = try await request.fields([])
        try await coordinator.read { store throws(StoreError) in try store.finishTransaction(transactionId: id) }
        return .json(["transactionId": .string(id)])
    }

    /// The payment queue at the start of the app.
    @Sendable private func unfinished(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let query = try PageQuery(request)
        let page = try await coordinator.read { store throws(StoreError) in
            try store.unfinishedTransactions(accountId: id, after: query.cursor, limit: query.limit)
        }
        return .json(page.json)
    }

    /// The e-mails from Apple to the customer.
    @Sendable private func mail(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        try request.rejectQuery(except: [])
        let mail = try await coordinator.read { store throws(StoreError) in try store.mail(accountId: id) }
        return .json(["mail": .array(mail.map { .object($0.json) })])
    }

    /// The 16 bytes of a UUID.
    ///
    /// - Throws: `device_identifier_invalid`.
    private static func identifierForVendor(_ text: String) throws(StoreCallError) -> [UInt8] {
        guard text.isUUID, let bytes = [UInt8](hexadecimal: text.lowercased().filter { $0 != "-" }) else {
            throw .invalid(
                "device_identifier_invalid",
                "deviceIdentifier must be a UUID, as identifierForVendor is",
                path: "deviceIdentifier"
            )
        }
        return bytes
    }
}
