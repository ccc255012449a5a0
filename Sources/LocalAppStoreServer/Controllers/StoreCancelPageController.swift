import AppStoreModel
import AppStoreSigning
import HTTPTypes
import Hummingbird
import LocalAppStore

/// The page that a customer sees before cancelling: `POST /_store/subscriptions/{id}/cancel-page`.
struct StoreCancelPageController: Sendable {
    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.post("/_store/subscriptions/{id}/cancel-page", open)
    }

    @Sendable private func open(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let locale = try await request.fields(["locale"]).string("locale")
        return .json(try await coordinator.cancelPage(originalTransactionId: id, locale: locale).json)
    }
}

extension CancelPageVisit {
    fileprivate var json: JSONObject {
        var json: JSONObject = [
            "originalTransactionId": .string(opening.originalTransactionId),
            "locale": .string(opening.locale),
            "shown": .string(page.source.rawValue),
        ]
        if let message = page.message { json["message"] = .object(message.json) }
        if let (name, content) = page.offer?.member { json[name] = content }
        if let refusal = page.realtimeRefusal { json["realtimeRefusal"] = .object(refusal.json) }
        if let refusal = page.defaultRefusal { json["defaultRefusal"] = .object(refusal.json) }
        if let call = opening.call, let answer { json["request"] = .object(Self.json(call, answer)) }
        return json
    }

    private static func json(_ call: RealtimeCall, _ answer: RealtimeAnswer) -> JSONObject {
        var json: JSONObject = [
            "url": .string(call.url),
            "requestIdentifier": .string(call.request.requestIdentifier),
            "signedPayload": .string(call.signedPayload),
            "result": .string(answer.result.rawValue),
            "milliseconds": .integer(answer.milliseconds),
            "deadlineMilliseconds": .integer(call.deadlineMilliseconds),
        ]
        if let status = answer.httpStatus { json["httpStatus"] = .integer(Int64(status)) }
        return json
    }
}

extension VerifiedRealtimeResponse.Content {
    /// The content beside the message, by its name in the developer's answer; `nil` for a message alone.
    fileprivate var member: (name: String, content: JSONValue)? {
        switch self {
        case .message: return nil
        case .alternateProduct(let productId, let plan):
            var content: JSONObject = ["productId": .string(productId)]
            if let plan { content["billingPlanType"] = .string(plan.rawValue) }
            return ("alternateProduct", .object(content))
        case .promotionalOffer(let request):
            return Self.offer(request.claims.offerIdentifier, of: request.claims.productId)
        case .firstFormOffer(let signature):
            return Self.offer(signature.offer.offerIdentifier, of: signature.offer.productId)
        case .advancedCommerce(let data):
            return ("advancedCommerceInfo", ["advancedCommerceData": .string(data)])
        }
    }

    private static func offer(_ identifier: String, of productId: String) -> (name: String, content: JSONValue) {
        ("promotionalOffer", ["productId": .string(productId), "offerIdentifier": .string(identifier)])
    }
}

extension RetentionRefusal {
    fileprivate var json: JSONObject { ["code": .string(code.rawValue), "message": .string(message)] }
}
