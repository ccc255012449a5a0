import AppStoreClient
import AppStoreModel
import AppStoreSigning
import Synchronization

/// Runs a store with an HTTP client during `body`.
///
/// - Returns: The names of the calls that the store executed.
func withClient(
    environment: AppStoreEnvironment = .sandbox,
    _ body: (RunningStore, AppStoreServerAPIClient.App) async throws -> Void
) async throws -> Set<String> {
    var made: Set<String> = []
    try await withStore(environment: environment) { store in
        let baseURL = "http://127.0.0.1:\(store.port)"
        let transport = AsyncHTTPClientTransport()
        let recorder = CallRecorder(transport: transport, baseURL: baseURL)
        let client = AppStoreServerAPIClient(
            transport: recorder,
            tokens: CachedBearerTokens(key: store.key),
            configuration: AppStoreServerAPIClient.Configuration(
                hosts: AppStoreHosts(everywhere: baseURL),
                retryPolicy: .never,
                rateLimiting: .off
            ),
            clock: FixedClock()
        )
        do {
            try await body(store, client.app(RunningStore.bundleId, in: .only(environment)))
        } catch {
            try await transport.shutdown()
            throw error
        }
        try await transport.shutdown()
        made = recorder.names
    }
    return made
}

/// Sends over HTTP, and records the calls that the store executed.
private final class CallRecorder: HTTPTransport {
    private let transport: AsyncHTTPClientTransport
    private let baseURL: String
    private let carriedOut = Mutex<Set<String>>([])

    init(transport: AsyncHTTPClientTransport, baseURL: String) {
        self.transport = transport
        self.baseURL = baseURL
    }

    var names: Set<String> { carriedOut.withLock { $0 } }

    func send(
        _ request: AppStoreHTTPRequest,
        timeout: Duration,
        bodyBytesMax: Int
    ) async throws(HTTPTransportError) -> AppStoreHTTPResponse {
        let response = try await transport.send(request, timeout: timeout, bodyBytesMax: bodyBytesMax)
        if (200..<300).contains(response.status), let name = name(of: request) {
            carriedOut.withLock { names in _ = names.insert(name) }
        }
        return response
    }

    /// The name of the call with the method and path of a request.
    private func name(of request: AppStoreHTTPRequest) -> String? {
        let path = request.url.dropFirst(baseURL.count).prefix { $0 != "?" }.split(separator: "/")
        let call = AppStoreServerCall.all.first { call in
            let template = call.path.split(separator: "/")
            return call.method == request.method && template.count == path.count
                && zip(template, path).allSatisfy { expected, actual in expected.hasPrefix("{") || expected == actual }
        }
        return call?.name
    }
}

/// A clock fixed at the store's start time, for its tokens; waits take real time.
private struct FixedClock: ClientClock {
    private let machine = SystemClientClock()

    var wallMilliseconds: Int64 { RunningStore.start }

    var monotonicMilliseconds: Int64 { machine.monotonicMilliseconds }

    var isRealTime: Bool { false }

    func sleep(milliseconds: Int64) async throws(CancellationError) {
        try await machine.sleep(milliseconds: milliseconds)
    }
}

extension RunningStore {
    /// The content of a signed transaction, after its signature was checked.
    func transaction(_ signed: String) throws -> JWSTransactionDecodedPayload {
        try verifier.verifyTransaction(signed).get()
    }

    /// The content of signed renewal information, after its signature was checked.
    func renewal(_ signed: String) throws -> JWSRenewalInfoDecodedPayload {
        try verifier.verifyRenewalInfo(signed).get()
    }
}
