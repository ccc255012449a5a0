import AppStoreModel
import AppStoreSigning
import AsyncHTTPClient
import LocalAppStore
import LocalAppStoreServer
import Logging
import NIOCore
import NIOHTTP1
import SubscriptionCore
import SubscriptionOperations

/// A store on a free port during a measurement.
struct RunningStoreServer: Sendable {
    let store: LocalAppStore
    let key: InAppPurchaseKey
    let rootCertificatePEM: String

    /// Runs the store and passes its port and a client.
    func use<Result: Sendable>(
        _ body: @Sendable (Int, HTTPClient) async throws -> Result
    ) async throws -> Result {
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let server = LocalAppStoreServer(
            store: store,
            key: key,
            rootCertificatePEM: rootCertificatePEM,
            configuration: LocalAppStoreServer.Configuration(port: 0),
            logger: Logger(label: "perennial.bench") { _ in SwiftLogNoOpLogHandler() },
            realSeconds: { Timestamp.wallClock.milliseconds / 1000 },
            onListening: { listening.yield($0) }
        )
        return try await whileRunning({ try await server.run() }, listening: listening) {
            guard let port = await ports.first(where: { _ in true }) else { throw BenchmarkError.noServer }
            return try await withBenchClient { http in try await body(port, http) }
        }
    }
}

/// Runs a server during a piece of work, and stops it afterwards.
private func whileRunning<Result: Sendable>(
    _ server: @escaping @Sendable () async throws -> Void,
    listening: AsyncStream<Int>.Continuation,
    _ body: @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { listening.finish() }
            try await server()
        }
        let result = try await body()
        group.cancelAll()
        return result
    }
}

private func withBenchClient<Result>(_ body: (HTTPClient) async throws -> Result) async throws -> Result {
    let client = HTTPClient()
    do {
        let result = try await body(client)
        try await client.shutdown()
        return result
    } catch {
        try await client.shutdown()
        throw error
    }
}

/// One call to the measured store or server. An answer without a body is null.
///
/// - Parameter key: The server's secret key; the store needs none.
/// - Throws: `BenchmarkError.callRefused` if the answer is no success.
func call(
    _ http: HTTPClient,
    _ method: HTTPMethod,
    _ url: String,
    body: JSONObject? = nil,
    key: String? = nil
) async throws -> JSONValue {
    var request = HTTPClientRequest(url: url)
    request.method = method
    if let key { request.headers.add(name: "Authorization", value: "Bearer \(key)") }
    if let body { request.body = .bytes(ByteBuffer(bytes: body.serialize())) }
    let response = try await http.execute(request, timeout: .minutes(30))
    let bytes = try await response.body.collect(upTo: 1 << 20)
    guard 200..<300 ~= response.status.code else { throw BenchmarkError.callRefused(Int(response.status.code)) }
    return bytes.readableBytes == 0 ? .null : try JSONParser.parse(Array(buffer: bytes))
}
