import AppStoreClient
import AppStoreModel
import AppStoreSigning

/// A running local store, as a source of credentials.
struct LocalStore {
    private static let timeout = Duration.seconds(15)
    private static let answerBytesMax = 1 << 20

    /// Its address.
    let url: HTTPBaseURL
    /// Sends the requests.
    let transport: any HTTPTransport

    /// The credentials of the store.
    ///
    /// - Throws: `store_unreachable`, and `not_a_store` if the answer is something else.
    func credentials() async throws(LocalStoreError) -> StoreCredentials {
        let answer = try await get("/_store/credentials")
        guard let credentials = StoreCredentials(answer) else { throw .notAStore(url) }
        return credentials
    }

    /// The time on the store's clock, in milliseconds since 1970.
    ///
    /// - Throws: As ``credentials()``.
    func now() async throws(LocalStoreError) -> Int64 {
        guard let now = try await get("/_store/clock")["now"]?.integerValue else { throw .notAStore(url) }
        return now
    }

    private func get(_ path: String) async throws(LocalStoreError) -> JSONObject {
        let request = AppStoreHTTPRequest(method: "GET", url: url.text + path)
        let response: AppStoreHTTPResponse
        do {
            response = try await transport.send(request, timeout: Self.timeout, bodyBytesMax: Self.answerBytesMax)
        } catch {
            throw LocalStoreError(
                code: "store_unreachable",
                message: "\(url.text) does not answer (\(error.code.rawValue)): is perennial store running there?"
            )
        }
        guard response.status == 200, let object = try? JSONParser.parseObject(response.body) else {
            throw .notAStore(url)
        }
        return object
    }
}

/// The answer of `GET /_store/credentials`.
struct StoreCredentials {
    let keyId: String
    let issuerId: String
    let bundleId: String
    let environment: AppStoreEnvironment
    private let privateKey: String

    init?(_ object: JSONObject) {
        guard
            let keyId = object["keyId"]?.stringValue,
            let issuerId = object["issuerId"]?.stringValue,
            let bundleId = object["bundleId"]?.stringValue,
            let environment = object["environment"]?.stringValue,
            let privateKey = object["privateKey"]?.stringValue
        else { return nil }
        self.keyId = keyId
        self.issuerId = issuerId
        self.bundleId = bundleId
        self.environment = AppStoreEnvironment(rawValue: environment)
        self.privateKey = privateKey
    }

    /// The store's key, with other identifiers if they are given.
    ///
    /// - Throws: ``CredentialError`` if the store's answer has no key.
    func key(keyId: String?, issuerId: String?) throws(CredentialError) -> InAppPurchaseKey {
        do {
            return try InAppPurchaseKey(
                pem: privateKey,
                keyId: keyId ?? self.keyId,
                issuerId: issuerId ?? self.issuerId
            )
        } catch {
            throw CredentialError(code: error.code.rawValue, message: "The store's answer contains no usable key")
        }
    }
}

/// The store's time when it was requested: its clock is stopped, and tokens outlive a command.
struct StoreClock: ClientClock {
    private let system = SystemClientClock()
    private let now: Int64

    /// Starts at the store's time, in milliseconds since 1970.
    init(now: Int64) {
        self.now = now
    }

    var wallMilliseconds: Int64 { now }

    var isRealTime: Bool { false }

    var monotonicMilliseconds: Int64 { system.monotonicMilliseconds }

    func sleep(milliseconds: Int64) async throws(CancellationError) {
        try await system.sleep(milliseconds: milliseconds)
    }
}

/// The error for a local store that does not answer as expected.
struct LocalStoreError: Error, CustomStringConvertible {
    /// A stable reason in `snake_case`.
    let code: String
    /// One sentence with the remedy.
    let message: String

    var description: String { "\(code): \(message)" }

    static func notAStore(_ url: HTTPBaseURL) -> LocalStoreError {
        LocalStoreError(
            code: "not_a_store",
            message: "\(url.text) is not a local store: give the address that perennial store prints"
        )
    }
}
