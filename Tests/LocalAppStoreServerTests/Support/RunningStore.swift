import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import AsyncHTTPClient
import LocalAppStore
import LocalAppStoreServer
import Logging
import NIOCore
import NIOHTTP1
import Testing

/// A store on a free port, from a client's viewpoint.
struct RunningStore {
    /// The start time of every store in these tests: real time and virtual time are equal there.
    static let start: Int64 = 1_790_000_000_000
    static let bundleId = "com.example.perennial"

    let port: Int
    let http: HTTPClient
    let key: InAppPurchaseKey
    let verifier: SignedDataVerifier
    let receiptVerifier: ReceiptVerifier

    /// One answer.
    struct Answer {
        let status: Int
        let contentType: String?
        let headers: HTTPHeaders
        let bytes: [UInt8]

        var text: String { String(decoding: bytes, as: UTF8.self) }

        /// The body as JSON; `null` if it is not JSON.
        var json: JSONValue { (try? JSONParser.parse(bytes)) ?? .null }

        /// The code of an error of the store's own calls.
        var errorCode: String? { json["error"]["code"].stringValue }
    }

    /// A valid token of the store's own key.
    func token(issuedAt: Int64 = Self.start / 1000, lifetime: Int64 = 300) throws -> String {
        try BearerToken.make(key: key, bundleId: Self.bundleId, issuedAt: issuedAt, lifetime: lifetime)
    }

    func send(
        _ method: HTTPMethod,
        _ path: String,
        body: [UInt8]? = nil,
        token: String? = nil,
        headers: [(String, String)] = []
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = method
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        let response = try await http.execute(request, timeout: .seconds(60))
        let bytes = try await response.body.collect(upTo: 64 << 20)
        return Answer(
            status: Int(response.status.code),
            contentType: response.headers.first(name: "content-type"),
            headers: response.headers,
            bytes: Array(buffer: bytes)
        )
    }

    func get(_ path: String) async throws -> Answer { try await send(.GET, path) }
    func post(_ path: String, _ json: JSONValue = [:]) async throws -> Answer {
        try await send(.POST, path, body: json.serialize())
    }
    func put(_ path: String, _ json: JSONValue) async throws -> Answer {
        try await send(.PUT, path, body: json.serialize())
    }

    /// A call of Apple's API with a valid token.
    func apple(_ method: HTTPMethod, _ path: String, _ json: JSONValue? = nil) async throws -> Answer {
        try await send(method, path, body: json?.serialize(), token: try token())
    }

    /// Creates an account and buys.
    func buy(_ productId: String, account: String = "anna") async throws -> JSONValue {
        if try await get("/_store/accounts/\(account)").status == 404 {
            #expect(try await post("/_store/accounts", ["accountId": .string(account)]).status == 200)
        }
        let answer = try await post("/_store/accounts/\(account)/purchases", ["productId": .string(productId)])
        #expect(answer.status == 200, "\(answer.text)")
        return answer.json
    }

    func advance(by duration: String) async throws -> JSONValue {
        let answer = try await post("/_store/clock/advance", ["by": .string(duration)])
        #expect(answer.status == 200, "\(answer.text)")
        return answer.json
    }
}

extension JSONValue {
    /// A member, or `null`.
    subscript(key: String) -> JSONValue { objectValue?[key] ?? .null }

    /// An element, or `null`.
    subscript(index: Int) -> JSONValue {
        guard let elements = arrayValue, elements.indices.contains(index) else { return .null }
        return elements[index]
    }
}

/// Runs a store during `body`.
func withStore(
    environment: AppStoreEnvironment = .sandbox,
    profile: StoreProfile? = nil,
    configuration: LocalAppStoreServer.Configuration = .init(port: 0),
    realTime: any RealTimeSource = ManualTime(),
    keys: StoreKeys? = nil,
    preparedBy prepare: (inout LocalAppStore) throws -> Void = { _ in },
    keptBy keep: (LocalAppStoreServer) -> LocalAppStoreServer = { $0 },
    _ body: (RunningStore) async throws -> Void
) async throws {
    let keys = try keys ?? StoreKeys.forOneTest()
    let (authority, key) = (keys.authority, keys.clientKey)
    var engine = LocalAppStore(
        configuration: LocalAppStore.Configuration(environment: environment, seed: 7, profile: profile),
        catalog: try Catalog.example(),
        signer: keys.signer,
        receipts: keys.receipts,
        now: RunningStore.start
    )
    try prepare(&engine)
    let identity = AppIdentity(bundleId: RunningStore.bundleId, appAppleId: 6_400_000_001, environment: environment)
    let verifier = SignedDataVerifier(roots: [authority.trustedRoot], apps: [identity])
    let receiptVerifier = ReceiptVerifier(
        roots: [ReceiptRoot(authority.trustedRoot)],
        expecting: ReceiptExpectation(identity)
    )
    try await withHTTPClient { http in
        try await withRunning { onListening in
            keep(
                LocalAppStoreServer(
                    store: engine,
                    key: key,
                    rootCertificatePEM: authority.rootCertificatePEM,
                    configuration: configuration,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                    realSeconds: { RunningStore.start / 1000 },
                    realTime: realTime,
                    onListening: onListening
                )
            )
        } _: { port in
            try await body(
                RunningStore(port: port, http: http, key: key, verifier: verifier, receiptVerifier: receiptVerifier)
            )
        }
    }
}

extension StoreKeys {
    /// New keys, except for the RSA key of receipts, which takes long to generate.
    static func forOneTest() throws -> StoreKeys {
        try StoreKeys(
            authority: TestAuthority(),
            clientKey: InAppPurchaseKey.generate(),
            receiptKeyPEM: sharedReceiptKey.get()
        )
    }
}

/// One key for the receipts of every store.
private let sharedReceiptKey = Result { try TestReceiptAuthority(under: TestAuthority()).keys.leafPEM }

/// Runs a store with a file during `body`, and closes it.
func withKeptStore<Result: Sendable>(
    _ path: String,
    environment: AppStoreEnvironment = .sandbox,
    _ body: (RunningStore) async throws -> Result
) async throws -> Result {
    let file = try StoreFile(path: path)
    let saved = try file.load()
    let keys = try saved?.keys ?? StoreKeys.forOneTest()
    var result: Result?
    try await withStore(
        environment: environment,
        keys: keys,
        keptBy: { $0.kept(in: file, keys: keys, goingOnFrom: saved) }
    ) { store in
        result = try await body(store)
    }
    return try #require(result)
}

/// Makes a client and shuts it down in any case.
func withHTTPClient(_ body: (HTTPClient) async throws -> Void) async throws {
    let client = HTTPClient()
    do {
        try await body(client)
    } catch {
        try await client.shutdown()
        throw error
    }
    try await client.shutdown()
}
