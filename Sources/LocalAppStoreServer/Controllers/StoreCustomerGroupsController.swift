import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// Customer groups of organizations and of subscribers who buy seats.
struct StoreCustomerGroupsController: Sendable {
    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.post("/_store/customer-groups", make)
        routes.delete("/_store/customer-groups/{id}", end)
    }

    @Sendable private func make(_ request: Request, _ context: StoreContext) async throws -> Response {
        let fields = try await request.fields(["groupType", "members"])
        let groupType = CustomerGroupType(rawValue: try fields.requiredString("groupType"))
        let members = try (fields.objects("members", known: ["accountId", "roles"]) ?? []).map(Self.member)
        return .json(try await coordinator.read { try $0.makeCustomerGroup(groupType, members: members) }.json)
    }

    @Sendable private func end(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        _ = try await request.fields([])
        try await coordinator.read { try $0.endCustomerGroup(id) }
        return Response(status: .noContent)
    }

    private static func member(_ fields: RequestFields) throws -> CustomerGroup.Member {
        let roles = try (fields.objects("roles", known: ["productId", "role"]) ?? []).map { role in
            RoleEntry(
                productId: try role.requiredString("productId"),
                role: CustomerGroupRole(rawValue: try role.requiredString("role"))
            )
        }
        return CustomerGroup.Member(accountId: try fields.requiredString("accountId"), roles: roles)
    }
}

extension CustomerGroup {
    fileprivate var json: JSONObject {
        [
            "groupId": .string(groupId),
            "groupType": .string(groupType.rawValue),
            "members": .array(
                members.map { member in
                    .object([
                        "accountId": .string(member.accountId),
                        "roles": .array(member.roles.map { .object($0.json) }),
                    ])
                }
            ),
        ]
    }
}
