import AppStoreClient
import AppStoreModel
import AppStoreSigning

/// A client with a scripted environment.
struct Stage {
    static let bundleId = "com.example.perennial"
    static let production = "https://api.storekit.apple.com"
    static let sandbox = "https://api.storekit-sandbox.apple.com"
    static let key = InAppPurchaseKey.generate()

    let clock: VirtualClock
    let transport: ScriptedTransport
    let client: AppStoreServerAPIClient

    init(
        _ steps: [ScriptedTransport.Step],
        configuration: AppStoreServerAPIClient.Configuration = .init(),
        tokens: (any BearerTokenSource)? = nil,
        clock: VirtualClock = VirtualClock(),
        jitter: Double = 1
    ) {
        self.clock = clock
        transport = ScriptedTransport(steps, clock: clock)
        client = AppStoreServerAPIClient(
            transport: transport,
            tokens: tokens ?? CachedBearerTokens(key: Self.key),
            configuration: configuration,
            clock: clock,
            jitter: { jitter }
        )
    }

    /// The app in production.
    var app: AppStoreServerAPIClient.App { client.app(Self.bundleId, in: .production) }

    /// The app in a given environment.
    func app(_ choice: EnvironmentChoice) -> AppStoreServerAPIClient.App { client.app(Self.bundleId, in: choice) }

    /// The error of a call that must fail; nil if it succeeds or throws something else.
    static func error<Value>(of call: () async throws -> Value) async -> AppStoreClientError? {
        do {
            _ = try await call()
            return nil
        } catch {
            return error as? AppStoreClientError
        }
    }
}

/// Bodies that many tests need.
enum Bodies {
    static let transaction = "{\"signedTransactionInfo\":\"a.b.c\"}"
    static let unauthorized = "Unauthenticated\n\nRequest ID: ABC123.0.0\n"

    static func history(_ transactions: [String], revision: String, hasMore: Bool) -> String {
        let list = transactions.map { "\"\($0)\"" }.joined(separator: ",")
        return "{\"revision\":\"\(revision)\",\"hasMore\":\(hasMore),\"bundleId\":\"com.example.perennial\","
            + "\"environment\":\"Sandbox\",\"signedTransactions\":[\(list)]}"
    }
}
