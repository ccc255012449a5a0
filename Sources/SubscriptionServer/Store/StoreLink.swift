import AppStoreModel
package import AppStoreSigning
package import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
package import SubscriptionCore
package import SubscriptionStorage

/// The server's line to a local App Store that it follows.
package struct StoreLink: Sendable {
    /// What the store told of its app.
    package struct Credentials: Sendable {
        /// The app, in the store's environment.
        package let app: AppRecord
        /// The same app, as the verifier knows it.
        package let identity: AppIdentity
        /// The root of the store's certificates.
        package let root: TrustedRoot
        /// What the store's API is asked with.
        package let key: AppStoreKey
    }

    private static let answerBytesMax = 1 << 20
    /// How long one call may take; a store that is not there yet is asked again until then.
    static let deadlineSeconds: Int64 = 10
    private static let deadline = TimeAmount.seconds(deadlineSeconds)

    private let client: HTTPClient
    private let baseURL: String

    /// Makes the line.
    ///
    /// - Parameter baseURL: Where the store listens, such as `http://127.0.0.1:8081`.
    package init(client: HTTPClient, baseURL: String) {
        self.client = client
        self.baseURL = baseURL.last == "/" ? String(baseURL.dropLast()) : baseURL
    }

    /// Whether a text can be the address of a store.
    static func isAddress(_ text: String) -> Bool {
        guard let url = URLComponents(string: text), let host = url.host, !host.isEmpty else { return false }
        return url.scheme == "http" || url.scheme == "https"
    }

    /// Asks for the app and the root certificate.
    ///
    /// - Throws: ``StartError``.
    package func credentials() async throws -> Credentials {
        let answer = try await exchange(.GET, "/_store/credentials")
        guard
            case .string(let bundleID)? = answer["bundleId"],
            case .string(let environmentName)? = answer["environment"],
            case .string(let certificate)? = answer["rootCertificate"],
            case .string(let issuerID)? = answer["issuerId"],
            case .string(let keyID)? = answer["keyId"],
            case .string(let privateKey)? = answer["privateKey"],
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
                key: try InAppPurchaseKey(pem: privateKey, keyId: keyID, issuerId: issuerID),
                sharedSecret: sharedSecret,
                baseURL: baseURL
            )
        )
    }

    /// Asks what time it is.
    ///
    /// - Throws: ``StartError``.
    package func now() async throws -> Timestamp {
        try instant(in: try await exchange(.GET, "/_store/clock"))
    }

    /// Registers this server for the store's notifications and for the steps of its clock.
    ///
    /// - Parameters:
    ///   - serverURL: Where this server listens.
    ///   - token: What the store shows when it asks to settle.
    /// - Returns: The store's present instant.
    /// - Throws: ``StartError``.
    package func join(serverURL: String, token: String) async throws -> Timestamp {
        var body = JSONObject()
        body["settleUrl"] = .string(serverURL + "/_clock/settle")
        body["token"] = .string(token)
        body["notificationUrl"] = .string(serverURL + "/v1/apple/notifications")
        return try instant(in: try await exchange(.POST, "/_store/followers", body: body))
    }

    private func instant(in answer: JSONObject) throws(StartError) -> Timestamp {
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
