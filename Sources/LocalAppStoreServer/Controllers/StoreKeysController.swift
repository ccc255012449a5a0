import AppStoreModel
import AppStoreSigning
import HTTPTypes
import Hummingbird

/// The developer's keys for Apple's API: issued and revoked as in App Store Connect.
struct StoreKeysController: Sendable {
    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.get("/_store/keys", list)
        routes.post("/_store/keys", issue)
        routes.delete("/_store/keys/{id}", revoke)
    }

    @Sendable private func list(_ request: Request, _ context: StoreContext) async throws -> Response {
        let entries = await coordinator.clientKeys.entries
        return .json(["keys": .array(entries.map { .object($0.json) })])
    }

    /// Answers with the private key too.
    @Sendable private func issue(_ request: Request, _ context: StoreContext) async throws -> Response {
        let issuerId = try await request.fields(["issuerId"]).string("issuerId")
        let entry = try await coordinator.issueKey(issuerId: issuerId)
        var json = entry.json
        json["privateKey"] = .string(entry.key.pem)
        return .json(json)
    }

    @Sendable private func revoke(_ request: Request, _ context: StoreContext) async throws -> Response {
        .json(try await coordinator.revokeKey(try context.pathParameter("id")).json)
    }
}

extension ClientKeys.Entry {
    /// The key without its private part.
    fileprivate var json: JSONObject {
        [
            "keyId": .string(key.keyId),
            "issuerId": .string(key.issuerId),
            "active": .bool(revokedAt == nil),
            "issuedAt": .integer(issuedAt),
            "revokedAt": revokedAt.map { .integer($0) } ?? .null,
        ]
    }
}
