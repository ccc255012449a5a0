import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// Subscriptions with seats: purchase, change of number, assignment, withdrawal, and partial refund.
struct StoreSeatsController: Sendable {
    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.post("/_store/accounts/{id}/seat-purchases", purchase)
        routes.get("/_store/subscriptions/{id}/seats", seats)
        routes.post("/_store/subscriptions/{id}/seats", change)
        routes.post("/_store/subscriptions/{id}/seat-members", assign)
        routes.delete("/_store/subscriptions/{id}/seat-members/{member}", withdraw)
        routes.post("/_store/subscriptions/{id}/seat-claims", claim)
        routes.post("/_store/transactions/{id}/seat-refund", refund)
    }

    @Sendable private func purchase(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let fields = try await request.fields(["productId", "seats", "invitationManagement", "appAccountToken"])
        let productId = try fields.requiredString("productId")
        let seats = try fields.requiredInteger("seats")
        let invitations = try fields.string("invitationManagement").map(InvitationManagement.init(rawValue:))
        let token = try fields.string("appAccountToken")
        return .json(
            try await coordinator.perform { store in
                try store.purchaseSeats(
                    accountId: id,
                    productId: productId,
                    seats: Int(seats),
                    invitationManagement: invitations ?? .developer,
                    appAccountToken: token
                )
            }.json
        )
    }

    @Sendable private func seats(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        return .json(try await coordinator.read { try $0.seats(originalTransactionId: id) }.json)
    }

    @Sendable private func assign(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let member = try await request.fields(["accountId"]).requiredString("accountId")
        return .json(
            try await coordinator.perform { try $0.assignSeat(originalTransactionId: id, accountId: member) }.json
        )
    }

    @Sendable private func withdraw(_ request: Request, _ context: StoreContext) async throws -> Response {
        let (id, member) = (try context.pathParameter("id"), try context.pathParameter("member"))
        _ = try await request.fields([])
        return .json(
            try await coordinator.perform { store in
                try store.withdrawSeat(originalTransactionId: id, accountId: member)
                return try store.seats(originalTransactionId: id)
            }.json
        )
    }

    @Sendable private func change(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let seats = try await request.fields(["seats"]).requiredInteger("seats")
        return .json(
            try await coordinator.perform { try $0.changeSeats(originalTransactionId: id, seats: Int(seats)) }.json
        )
    }

    @Sendable private func claim(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let count = try await request.fields(["count"]).integer("count") ?? 1
        let seats = try await coordinator.read { try $0.claimSeats(originalTransactionId: id, count: Int(count)) }
        return .json(["seatIds": .array(seats.map { .string($0) })])
    }

    @Sendable private func refund(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let seats = try await request.fields(["seats"]).requiredInteger("seats")
        try await coordinator.perform { try $0.refundSeats(transactionId: id, seats: Int(seats)) }
        return .json(["transactionId": .string(id), "seats": .integer(seats)])
    }
}

extension SeatReport {
    fileprivate var json: JSONObject {
        [
            "seats": .integer(Int64(seats)),
            "renewalSeats": .integer(Int64(renewalSeats)),
            "invitationManagement": .string(invitationManagement.rawValue),
            "claimedSeatIds": .array(claimedSeatIds.map { .string($0) }),
            "members": .array(memberAccountIds.map { .string($0) }),
        ]
    }
}
