import AppStoreModel
package import AppStoreSigning
package import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
package import SubscriptionCore
package import SubscriptionStorage

/// The client of the local App Store that the server follows.
package struct StoreLink: Sendable {
    /// The store's app and its credentials.
    package struct Credentials: Sendable {
        /// The app, in the store's environment.
        package let app: AppRecord
        /// The verifier's identity of the app.
        package let identity: AppIdentity
        /// The root certificate of the store.
        package let root: TrustedRoot
        /// The key for the store's API.
        package let key: AppStoreKey
    }

    private static let answerBytesMax = 1 << 20
    /// The time limit of a call; connecting to a store that has not started yet is retried until then.
    static let deadlineSeconds: Int64 = 10
    private static let deadline = TimeAmount.seconds(deadlineSeconds)

    private let client: HTTPClient
    private let baseURL: String

    /// Makes the client.
    ///
    /// - Parameter baseURL: The address of the store, such as `http://127.0.0.1:8081`.
    package init(client: HTTPClient, baseURL: String) {
        self.client = client
        self.baseURL = baseURL.last == "/" ? String(baseURL.dropLast()) : baseURL
    }

    /// Whether a text is a valid address of a store.
    static func isAddress(_ text: String) -> Bool {
        guard let url = URLComponents(string: text), let host = url.host, !host.isEmpty else { return false }
        return url.scheme == "http" || url.scheme == "https"
    }

    /// Reads the app and the root certificate.
    ///
    /// - Throws: ``StartError``.
    package func credentials() async throws -> Credentials {
        let answer = try await exchange(.GET, "/_store/credentials")
        guard
            case .string(let bundleID)? = answer["bundleId"],
            case .string(let environmentName)? = answer["environment"],
            case .string(let certificate)? = answer["rootCertificate"],
            case .array(let keys)? = answer["keys"], !keys.isEmpty,
            case .string(let sharedSecret)? = answer["sharedSecret"],
            let environment = StoreEnvironment(rawValue: environmentName.lowercased())
        else { throw StartError.storeUnknown(baseURL) }
        var appleID: Int64?
        if case .integer(let number)? = answer["appAppleId"] { appleID = number }
        let identity = AppIdentity(
            bundleId: bundleID,
            appAppleId: appleID,
            environment: environment == .production ? .production : .sandbox
        )
        return Credentials(
            app: AppRecord(bundleID: bundleID, environment: environment, appleID: appleID),
            identity: identity,
            root: try TrustedRoot(pem: certificate),
            key: AppStoreKey(
                bundleID: bundleID,
                environments: [environment],
                // The newest first, as a new client uses it.
                keys: try keys.reversed().map(key),
                sharedSecret: sharedSecret,
                baseURL: baseURL
            )
        )
    }

    private func key(_ value: JSONValue) throws -> InAppPurchaseKey {
        guard
            case .object(let object) = value,
            case .string(let issuerID)? = object["issuerId"],
            case .string(let keyID)? = object["keyId"],
            case .string(let privateKey)? = object["privateKey"]
        else { throw StartError.storeUnknown(baseURL) }
        return try InAppPurchaseKey(pem: privateKey, keyId: keyID, issuerId: issuerID)
    }

    /// Reads the store's time.
    ///
    /// - Throws: ``StartError``.
    package func now() async throws -> Timestamp {
        try time(in: try await exchange(.GET, "/_store/clock"))
    }

    /// Registers this server for the store's notifications and for the movements of its clock.
    ///
    /// - Parameters:
    ///   - serverURL: The address of this server.
    ///   - token: The token that the store sends with clock movements.
    /// - Returns: The store's current time.
    /// - Throws: ``StartError``.
    package func join(serverURL: String, token: String) async throws -> Timestamp {
        var body = JSONObject()
        body["settleUrl"] = .string(serverURL + "/_clock/settle")
        body["token"] = .string(token)
        body["notificationUrl"] = .string(serverURL + "/v1/apple/notifications")
        return try time(in: try await exchange(.POST, "/_store/followers", body: body))
    }

    private func time(in answer: JSONObject) throws(StartError) -> Timestamp {
        guard case .integer(let now)? = answer["now"] else { throw StartError.storeUnknown(baseURL) }
        return Timestamp(milliseconds: now)
    }

    private func exchange(_ method: HTTPMethod, _ path: String, body: JSONObject? = nil) async throws -> JSONObject {
        var request = HTTPClientRequest(url: baseURL + path)
        request.method = method
        if let body {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(body.serialize())
        }
        let bytes: [UInt8]
        do {
            let response = try await client.execute(request, timeout: Self.deadline)
            let buffer = try await response.body.collect(upTo: Self.answerBytesMax)
            guard (200..<300).contains(response.status.code) else { throw StartError.storeUnknown(baseURL) }
            bytes = Array(buffer: buffer)
        } catch let error as StartError {
            throw error
        } catch {
            try Task.checkCancellation()
            throw StartError.storeUnreachable(baseURL)
        }
        do {
            return try JSONParser.parseObject(bytes)
        } catch {
            throw StartError.storeUnknown(baseURL)
        }
    }
}
