import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// Family Sharing groups.
struct StoreFamilyController: Sendable {
    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.post("/_store/accounts/{id}/family", join)
        routes.delete("/_store/accounts/{id}/family/{member}", leave)
    }

    @Sendable private func join(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let member = try await request.fields(["member"]).requiredString("member")
        return .json(
            try await coordinator.perform { store in
                try store.addFamilyMember(accountId: id, member: member)
                return try store.account(id)
            }.familyJSON
        )
    }

    /// Removes one member; without another member, the account no longer shares with anyone.
    @Sendable private func leave(_ request: Request, _ context: StoreContext) async throws -> Response {
        let (id, member) = (try context.pathParameter("id"), try context.pathParameter("member"))
        _ = try await request.fields([])
        return .json(
            try await coordinator.perform { store in
                try store.removeFamilyMember(accountId: id, member: member)
                return try store.account(id)
            }.familyJSON
        )
    }
}

extension AccountReport {
    fileprivate var familyJSON: JSONObject {
        ["accountId": .string(accountId), "members": .array(familyMembers.map { .string($0) })]
    }
}
