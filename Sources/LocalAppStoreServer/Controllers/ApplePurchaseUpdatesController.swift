import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// The calls of Apple's App Store Server API that update a purchase; all answer without a body.
struct ApplePurchaseUpdatesController: Sendable {
    let coordinator: StoreCoordinator
    let gate: AppleGate

    func addRoutes(to routes: inout RouteTable) {
        routes.add(.setAppAccountToken, gate, setToken)
        routes.add(.finishTransaction, gate, finish)
        routes.add(.sendConsumptionInformation, gate, sendConsumption)
        routes.add(.sendConsumptionInformationV1, gate, sendConsumptionV1)
        routes.get("/_store/transactions/{id}/consumption", consumption)
    }

    @Sendable private func setToken(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        // Apple documents no error code for a body without the token.
        guard let body = try? UpdateAppAccountTokenRequest(json: await request.appleBody()) else {
            throw MalformedAppleBody()
        }
        try await coordinator.read { try $0.setAppAccountToken(originalTransactionId: id, token: body.appAccountToken) }
        return Response(status: .ok)
    }

    @Sendable private func finish(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        try await coordinator.read { try $0.finish(transactionId: id) }
        return Response(status: .ok)
    }

    @Sendable private func sendConsumption(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let body = try ConsumptionRequest(appleBody: await request.appleBody())
        try await coordinator.read { try $0.sendConsumptionInformation(transactionId: id, request: body) }
        return Response(status: .accepted)
    }

    @Sendable private func sendConsumptionV1(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let body = try ConsumptionRequestV1(appleBody: await request.appleBody())
        try await coordinator.read { try $0.sendConsumptionInformationV1(transactionId: id, request: body) }
        return Response(status: .accepted)
    }

    /// The last value that the developer sent, for tests to read.
    @Sendable private func consumption(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        guard let information = try await coordinator.read({ try $0.consumptionInformation(transactionId: id) }) else {
            throw StoreCallError(
                .notFound,
                code: "consumption_not_found",
                message: "nothing was sent about this transaction: Apple's Send Consumption Information does that"
            )
        }
        return .json(information.json)
    }
}

extension ConsumptionInformation {
    fileprivate var json: JSONObject {
        switch content {
        case .current(let request):
            ["receivedAt": .integer(receivedAt), "version": "V2", "content": .object(request.json)]
        case .version1(let request):
            ["receivedAt": .integer(receivedAt), "version": "V1", "content": .object(request.json)]
        }
    }
}
