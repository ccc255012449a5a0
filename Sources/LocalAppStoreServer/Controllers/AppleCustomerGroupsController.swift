import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// The calls of Apple's App Store Server API about customer groups, which exist in the sandbox only.
struct AppleCustomerGroupsController: Sendable {
    let coordinator: StoreCoordinator
    let gate: AppleGate

    func addRoutes(to routes: inout RouteTable) {
        routes.add(.getCustomerGroups, gate, groups)
        routes.add(.getGroupMembers, gate, members)
    }

    @Sendable private func groups(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        guard let answer = try await coordinator.read({ try $0.customerGroups(anyTransactionId: id) }) else {
            return Response(status: .notFound)
        }
        return .json(answer.json)
    }

    @Sendable private func members(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let query = request.queryItems
        let limit = query.last { $0.name == "limit" }?.value
        let token = query.last { $0.name == "paginationToken" }?.value
        let answer = try await coordinator.read {
            try $0.groupMembers(groupId: id, limit: limit, paginationToken: token)
        }
        guard let answer else { return Response(status: .notFound) }
        return .json(answer.json)
    }
}
