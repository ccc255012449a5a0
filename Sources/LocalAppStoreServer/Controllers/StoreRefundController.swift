import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// The states of a refund request, before and after the refund itself.
struct StoreRefundController: Sendable {
    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.post("/_store/transactions/{id}/refund-request", request)
        routes.post("/_store/transactions/{id}/refund-decline", decline)
        routes.post("/_store/transactions/{id}/refund-reverse", reverse)
    }

    @Sendable private func request(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let fields = try await request.fields(["consumptionRequestReason"])
        let reason = ConsumptionRequestReason(rawValue: try fields.requiredString("consumptionRequestReason"))
        return .json(try await coordinator.perform { try $0.requestRefund(transactionId: id, reason: reason) }.json)
    }

    @Sendable private func decline(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        _ = try await request.fields([])
        try await coordinator.perform { try $0.declineRefund(transactionId: id) }
        return .json(["transactionId": .string(id)])
    }

    @Sendable private func reverse(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        _ = try await request.fields([])
        try await coordinator.perform { try $0.reverseRefund(transactionId: id) }
        return .json(["transactionId": .string(id)])
    }
}

extension RefundRequestReceipt {
    fileprivate var json: JSONObject {
        [
            "transactionId": .string(transactionId),
            "requestedDate": .integer(requestedDate),
            "consumptionRequestReason": .string(consumptionRequestReason.rawValue),
            "consumptionRequested": .bool(isConsumptionRequested),
        ]
    }
}
