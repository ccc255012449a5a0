import AppStoreModel
import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Sends the time to one follower, once.
protocol FollowerCaller: Sendable {
    /// Posts `{"now": …}` to the settle URL and waits until the follower has processed what is due.
    ///
    /// - Parameters:
    ///   - follower: The receiver.
    ///   - now: The virtual time, milliseconds since 1970.
    /// - Returns: Whether the follower reports that it has caught up.
    /// - Throws: `CancellationError` if the store stops.
    func settle(_ follower: Follower, now: Int64) async throws(CancellationError) -> Bool
}

/// Calls followers over HTTP.
struct HTTPFollowerCaller: FollowerCaller {
    private static let answerBytesMax = 65_536

    /// The HTTP client that the whole store shares; its owner shuts it down.
    let client: HTTPClient

    /// How long a follower may take for one time, in real time.
    let deadline: Duration

    func settle(_ follower: Follower, now: Int64) async throws(CancellationError) -> Bool {
        var request = HTTPClientRequest(url: follower.settleURL)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "Authorization", value: "Bearer \(follower.token)")
        let body: JSONObject = ["now": .integer(now)]
        request.body = .bytes(ByteBuffer(bytes: body.serialize()))
        do {
            let response = try await client.execute(request, timeout: TimeAmount(deadline))
            _ = try? await response.body.collect(upTo: Self.answerBytesMax)
            return (200..<300).contains(response.status.code)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            return false
        }
    }
}
