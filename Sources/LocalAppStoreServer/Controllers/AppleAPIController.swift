import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// The calls of Apple's App Store Server API that read a customer's purchases, at Apple's own paths.
///
/// The order of checks: route, token (401), rate limit (429), syntax of path and query (400), existence (404), state
/// (403).
struct AppleAPIController: Sendable {
    let coordinator: StoreCoordinator
    let gate: AppleGate

    func addRoutes(to routes: inout RouteTable) {
        routes.add(.getTransactionInfo, gate, transactionInfo)
        routes.add(.getAllSubscriptionStatuses, gate, subscriptionStatuses)
        routes.add(.getTransactionHistory, gate, transactionHistory)
        routes.add(.getTransactionHistoryV1, gate, transactionHistoryV1)
        routes.add(.getAppTransactionInfo, gate, appTransactionInfo)
        routes.add(.lookUpOrderID, gate, lookUpOrder)
        routes.add(.getRefundHistory, gate, refundHistory)
        routes.add(.getRefundHistoryV1, gate, refundHistoryV1)
    }

    @Sendable private func transactionInfo(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        return .json(try await coordinator.read { try $0.transactionInfo(transactionId: id) }.json)
    }

    @Sendable private func subscriptionStatuses(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let query = try StatusQuery(parameters: request.queryItems)
        return .json(
            try await coordinator.read { try $0.subscriptionStatuses(anyTransactionId: id, query: query) }.json
        )
    }

    @Sendable private func transactionHistory(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let query = try HistoryQuery(parameters: request.queryItems)
        return .json(try await coordinator.read { try $0.transactionHistory(anyTransactionId: id, query: query) }.json)
    }

    @Sendable private func transactionHistoryV1(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let query = try HistoryQuery(parameters: request.queryItems)
        let answer = try await coordinator.read {
            try $0.transactionHistory(anyTransactionId: id, query: query, includesFinishedConsumables: false)
        }
        return .json(answer.json)
    }

    @Sendable private func appTransactionInfo(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        return .json(try await coordinator.read { try $0.appTransactionInfo(anyTransactionId: id) }.json)
    }

    @Sendable private func lookUpOrder(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        // The sandbox was observed to answer without a body; the status was not recorded.
        guard let answer = try await coordinator.read({ try $0.lookUpOrder(id) }) else {
            return Response(status: .notFound)
        }
        return .json(answer.json)
    }

    @Sendable private func refundHistory(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let revision = request.queryItems.last { $0.name == "revision" }?.value
        return .json(try await coordinator.read { try $0.refundHistory(anyTransactionId: id, revision: revision) }.json)
    }

    @Sendable private func refundHistoryV1(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        return .json(try await coordinator.read { try $0.refundHistoryV1(originalTransactionId: id) }.json)
    }
}
