import AppStoreModel
import AppStoreSigning
import HTTPTypes
import Hummingbird
import LocalAppStore

/// The state of the store in numbers, the credentials of clients, and reset.
struct StoreStatusController: Sendable {
    let coordinator: StoreCoordinator
    /// The root that the store's signatures lead to.
    let rootCertificatePEM: String

    func addRoutes(to routes: inout RouteTable) {
        routes.get("/_store/status", status)
        routes.get("/_store/credentials", showCredentials)
        routes.post("/_store/reset", reset)
    }

    @Sendable private func status(_ request: Request, _ context: StoreContext) async throws -> Response {
        .json(await coordinator.read { $0.status }.json)
    }

    @Sendable private func showCredentials(_ request: Request, _ context: StoreContext) async throws -> Response {
        let (keys, store) = await coordinator.credentials()
        return .json(StoreCredentials(keys: keys, rootCertificatePEM: rootCertificatePEM).json(store))
    }

    /// Resets the store, and returns the receivers that were removed: the endpoint must be set again, and followers
    /// must register again.
    @Sendable private func reset(_ request: Request, _ context: StoreContext) async throws -> Response {
        _ = try await request.fields([])
        let forgotten = try await coordinator.reset()
        var json = await coordinator.read { $0.status }.json
        json["forgotten"] = [
            "notificationUrl": forgotten.notificationURL.map { .string($0) } ?? .null,
            "followers": .array(forgotten.followers.map { .string($0) }),
        ]
        return .json(json)
    }
}

/// What a client needs beside the store's address: the keys that sign its tokens, and the root certificate to trust.
struct StoreCredentials: Sendable {
    /// The active keys, oldest first.
    let keys: [InAppPurchaseKey]
    let rootCertificatePEM: String

    /// The answer of `GET /_store/credentials`; includes the receipt root if it is a different one.
    func json(_ store: LocalAppStore) -> JSONObject {
        let configuration = store.configuration
        var json: JSONObject = [
            "bundleId": .string(configuration.bundleId),
            "appAppleId": .integer(configuration.appAppleId),
            "environment": .string(configuration.environment.rawValue),
            "sharedSecret": .string(store.sharedSecret),
            "rootCertificate": .string(rootCertificatePEM),
        ]
        for member in keys.last?.credentials.members ?? [] { json[member.key] = member.value }
        json["keys"] = .array(keys.map { .object($0.credentials) })
        if let receiptRoot = store.receiptRootCertificatePEM, receiptRoot != rootCertificatePEM {
            json["receiptRootCertificate"] = .string(receiptRoot)
        }
        return json
    }
}

extension InAppPurchaseKey {
    fileprivate var credentials: JSONObject {
        ["issuerId": .string(issuerId), "keyId": .string(keyId), "privateKey": .string(pem)]
    }
}
