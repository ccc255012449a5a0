import AppStoreModel
import AppStoreSigning
import HTTPTypes
import Hummingbird
import LocalAppStore
import PerennialPrimitives

/// Apple's External Purchase Server API, and the tokens of its reports.
struct ExternalPurchaseController: Sendable {
    let coordinator: StoreCoordinator
    let gate: AppleGate

    func addRoutes(to routes: inout RouteTable) {
        routes.add(.sendExternalPurchaseReport, gate, send)
        routes.add(.retrieveExternalPurchaseReport, gate, retrieve)
        routes.post("/_store/accounts/{id}/external-purchase-tokens", createToken)
        routes.get("/_store/accounts/{id}/external-purchase-tokens", tokens)
    }

    @Sendable private func send(_ request: Request, _ context: StoreContext) async throws -> Response {
        let body = try await request.appleBody()
        return try await answer { try await coordinator.read { try $0.sendExternalPurchaseReport(body) }.json }
    }

    @Sendable private func retrieve(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        return try await answer {
            try await coordinator.read { try $0.externalPurchaseReport(requestIdentifier: id) }.json
        }
    }

    /// Answers a refusal with all problems; an unknown report is a 400 too.
    private func answer(_ body: () async throws -> JSONObject) async throws -> Response {
        do {
            return .json(try await body())
        } catch let refusal as ExternalPurchaseRefusal {
            guard let errors = refusal.answer else { throw MalformedAppleBody() }
            return .json(errors.json, status: .badRequest)
        }
    }

    @Sendable private func createToken(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let fields = try await request.fields(["tokenType", "lifetime"])
        let type = try fields.string("tokenType").map(ExternalPurchaseTokenType.init(rawValue:))
        let lifetime = try fields.duration("lifetime")
        return .json(
            try await coordinator.perform { store in
                let token = try store.createExternalPurchaseToken(accountId: id, type: type, lifetime: lifetime)
                return token.json(store.payload(of: token))
            }
        )
    }

    @Sendable private func tokens(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let tokens = try await coordinator.read { store in
            try store.externalPurchaseTokens(accountId: id).map { JSONValue.object($0.json(store.payload(of: $0))) }
        }
        return .json(["externalPurchaseTokens": .array(tokens)])
    }
}

extension ExternalPurchaseTokenRecord {
    /// The token with the text that the app gets from the device: base64url of its JSON.
    fileprivate func json(_ payload: ExternalPurchaseToken) -> JSONObject {
        var json = payload.json
        json["token"] = .string(String(decoding: Base64.encode(payload.jsonBytes, .url), as: UTF8.self))
        json["reportedStatus"] = reportedStatus?.jsonValue
        json["requestIdentifiers"] = .array(requestIdentifiers.map { .string($0) })
        return json
    }
}
