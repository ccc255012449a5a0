import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// The calls of Apple's App Store Server API that extend renewal dates: of one subscription, and of many.
struct AppleExtensionController: Sendable {
    let coordinator: StoreCoordinator
    let gate: AppleGate

    func addRoutes(to routes: inout RouteTable) {
        routes.add(.extendSubscriptionRenewalDate, gate, extendOne)
        routes.add(.extendSubscriptionRenewalDatesForAllActiveSubscribers, gate, extendMany)
        routes.add(.getStatusOfSubscriptionRenewalDateExtensions, gate, status)
    }

    @Sendable private func extendOne(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let body = try ExtendRenewalDateRequest(appleBody: await request.appleBody())
        let answer = try await coordinator.performForApple {
            try $0.extendRenewalDate(originalTransactionId: id, request: body)
        }
        return .json(answer.json)
    }

    @Sendable private func extendMany(_ request: Request, _ context: StoreContext) async throws -> Response {
        let body = try MassExtendRenewalDateRequest(appleBody: await request.appleBody())
        return .json(try await coordinator.performForApple { try $0.extendRenewalDates(request: body) }.json)
    }

    @Sendable private func status(_ request: Request, _ context: StoreContext) async throws -> Response {
        let productId = try context.pathParameter("productId")
        let identifier = try context.pathParameter("requestIdentifier")
        let answer = try await coordinator.read {
            try $0.massExtensionStatus(productId: productId, requestIdentifier: identifier)
        }
        return .json(answer.json)
    }
}
