import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// Named copies of the whole store that can be restored.
struct StoreSnapshotController: Sendable {
    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.get("/_store/snapshots", list)
        routes.post("/_store/snapshots", take)
        routes.delete("/_store/snapshots/{id}", remove)
        routes.post("/_store/snapshots/{id}/restore", restore)
    }

    @Sendable private func list(_ request: Request, _ context: StoreContext) async throws -> Response {
        let snapshots = await coordinator.snapshots.snapshots
        return .json(["snapshots": .array(snapshots.map { .object($0.json) })])
    }

    @Sendable private func take(_ request: Request, _ context: StoreContext) async throws -> Response {
        let name = try await request.fields(["name"]).string("name")
        return .json(try await coordinator.takeSnapshot(name: name).json)
    }

    @Sendable private func remove(_ request: Request, _ context: StoreContext) async throws -> Response {
        try await coordinator.removeSnapshot(try context.pathParameter("id"))
        return Response(status: .noContent)
    }

    @Sendable private func restore(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        _ = try await request.fields([])
        let (snapshot, lost) = try await coordinator.restoreSnapshot(id)
        var json = snapshot.json
        json["followers"] = ["lost": .array(lost.map { .string($0) })]
        return .json(json)
    }
}

extension StoreSnapshot {
    /// The name and the size of a snapshot.
    var json: JSONObject {
        let status = store.status
        return [
            "id": .string(id),
            "name": .string(name),
            "now": .integer(status.now),
            "accounts": .integer(Int64(status.accounts)),
            "subscriptions": .integer(Int64(status.subscriptions)),
            "transactions": .integer(Int64(status.transactions)),
            "notifications": .integer(Int64(status.notifications)),
        ]
    }
}
