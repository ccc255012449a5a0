import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// The offer codes of the developer; customers redeem them with a purchase.
struct StoreOfferCodesController: Sendable {
    private static let members: Set<String> = ["offer", "count", "code", "redemptionLimit", "expirationDate"]

    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.post("/_store/products/{id}/offer-codes", make)
        routes.get("/_store/products/{id}/offer-codes", list)
        routes.get("/_store/offer-codes/{id}", batch)
        routes.post("/_store/offer-codes/{id}/deactivate", deactivate)
    }

    /// Creates single-use codes (`count`) or a custom code (`code`), and returns their texts.
    @Sendable private func make(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let fields = try await request.fields(Self.members)
        let offer = try fields.requiredString("offer")
        let end = try fields.time("expirationDate")
        guard let code = try fields.string("code") else {
            try Self.refuse("redemptionLimit", of: fields, instead: "count")
            let count = try fields.requiredInteger("count")
            return try await answer { store throws(StoreError) in
                try store.makeSingleCodes(productId: id, offer: offer, count: Int(count), expirationDate: end)
            }
        }
        try Self.refuse("count", of: fields, instead: "redemptionLimit")
        let limit = try fields.requiredInteger("redemptionLimit")
        return try await answer { store throws(StoreError) in
            try store.makeCustomCode(
                productId: id,
                offer: offer,
                code: code,
                redemptionLimit: Int(limit),
                expirationDate: end
            )
        }
    }

    @Sendable private func list(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let batches = try await coordinator.read { try $0.offerCodes(productId: id) }
        return .json(["offerCodes": .array(batches.map { .object($0.json) })])
    }

    @Sendable private func batch(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        return try await answer { store throws(StoreError) in try store.offerCodes(id) }
    }

    @Sendable private func deactivate(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        _ = try await request.fields([])
        return .json(try await coordinator.read { try $0.deactivateOfferCodes(id) }.json)
    }

    /// Returns a batch with its codes and redemptions.
    private func answer(
        _ body: @Sendable (inout LocalAppStore) throws(StoreError) -> OfferCodeBatch
    ) async throws -> Response {
        let (batch, codes) = try await coordinator.read { store in
            let batch = try body(&store)
            return (batch, store.codes(of: batch))
        }
        var json = batch.json
        json["codes"] = .array(codes.map { .string($0) })
        json["redemptions"] = .array(batch.redemptions.map { .object($0.json) })
        return .json(json)
    }

    private static func refuse(
        _ key: String,
        of fields: RequestFields,
        instead: String
    ) throws(StoreCallError) {
        guard try fields.integer(key) == nil else {
            let message = "\(key) is for codes of the other kind: give \(instead)"
            throw .invalid("field_not_applicable", message, path: fields.path(to: key))
        }
    }
}

extension OfferCodeBatch {
    /// A batch without its codes.
    fileprivate var json: JSONObject {
        var json: JSONObject = [
            "offerCodesId": .string(offerCodesId), "productId": .string(productId), "offer": .string(offer),
            "kind": .string(kind.rawValue), "redemptionLimit": .integer(Int64(redemptionLimit)),
            "redeemed": .integer(Int64(redemptions.count)), "createdDate": .integer(createdDate),
            "active": .bool(isActive),
        ]
        if let customCode { json["code"] = .string(customCode) }
        if let expirationDate { json["expirationDate"] = .integer(expirationDate) }
        return json
    }
}

extension OfferCodeBatch.Redemption {
    fileprivate var json: JSONObject {
        [
            "code": .string(code), "accountId": .string(accountId), "transactionId": .string(transactionId),
            "date": .integer(date),
        ]
    }
}
