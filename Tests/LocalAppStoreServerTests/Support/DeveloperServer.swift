import AppStoreModel
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Testing

/// The developer's server: receives notifications, and follows the clock.
struct DeveloperServer {
    let port: Int
    let log: RequestLog

    var notificationURL: String { "http://127.0.0.1:\(port)/notifications" }
    var settleURL: String { "http://127.0.0.1:\(port)/settle" }
    var retentionURL: String { "http://127.0.0.1:\(port)/retention" }
}

/// The received requests in order, and the prepared answers.
actor RequestLog {
    enum Event: Hashable {
        /// A notification: the payload, and the status of the answer.
        case notification(String, Int)
        /// A call to the settle URL: the time, and the header of the request.
        case settle(Int64, authorization: String?)
    }

    /// One element for each settle call, when it arrives.
    nonisolated let settleCalls: AsyncStream<Void>
    private let announceSettle: AsyncStream<Void>.Continuation

    /// One element for each delayed notification, when it arrives.
    nonisolated let heldNotifications: AsyncStream<Void>
    private let announceHeld: AsyncStream<Void>.Continuation
    private let release: AsyncStream<Void>
    private let announceRelease: AsyncStream<Void>.Continuation

    private(set) var events: [Event] = []
    /// The complete bodies of the notifications, of any version.
    private(set) var bodies: [JSONValue] = []
    private var notificationStatuses: [Int] = []
    private var settleStatuses: [Int] = []
    /// Settle calls with this header get 503.
    private var refusedAuthorization: String?
    /// The received signed realtime requests, in order.
    private(set) var realtimeRequests: [String] = []
    private var realtimeAnswer = "{}"

    init() {
        (settleCalls, announceSettle) = AsyncStream.makeStream(of: Void.self)
        (heldNotifications, announceHeld) = AsyncStream.makeStream(of: Void.self)
        (release, announceRelease) = AsyncStream.makeStream(of: Void.self)
    }

    var payloads: [String] {
        events.compactMap { if case .notification(let payload, _) = $0 { payload } else { nil } }
    }

    var settledTimes: [Int64] {
        events.compactMap { if case .settle(let now, _) = $0 { now } else { nil } }
    }

    /// The next notifications are answered with these; later ones with 200.
    func answerNotifications(_ statuses: [Int]) { notificationStatuses = statuses }

    /// The next settle calls are answered with these; later ones with 200.
    func answerSettles(_ statuses: [Int]) { settleStatuses = statuses }

    /// Settle calls with this header are answered with 503 from now on.
    func refuseSettles(authorization: String) { refusedAuthorization = authorization }

    /// Realtime requests are answered with this body from now on.
    func answerRealtime(_ body: JSONValue) { realtimeAnswer = String(decoding: body.serialize(), as: UTF8.self) }

    func takeRealtimeRequest(_ body: JSONValue) -> String {
        realtimeRequests.append(body["signedPayload"].stringValue ?? "")
        return realtimeAnswer
    }

    func forgetEvents() { events = [] }

    /// Delays a notification until ``releaseNotification()``.
    func hold() async {
        announceHeld.yield()
        await release.first { true }
    }

    /// Answers the delayed notification.
    func releaseNotification() { announceRelease.yield() }

    func takeNotification(_ body: JSONValue) -> Int {
        let status = notificationStatuses.isEmpty ? 200 : notificationStatuses.removeFirst()
        bodies.append(body)
        events.append(.notification(body["signedPayload"].stringValue ?? "", status))
        return status
    }

    func takeSettle(_ body: JSONValue, authorization: String?) -> Int {
        let isRefused = authorization != nil && authorization == refusedAuthorization
        let status = isRefused ? 503 : settleStatuses.isEmpty ? 200 : settleStatuses.removeFirst()
        announceSettle.yield()
        events.append(.settle(body["now"].integerValue ?? -1, authorization: authorization))
        return status
    }
}

/// Runs a developer's server during `body`.
func withDeveloperServer(_ body: (DeveloperServer) async throws -> Void) async throws {
    let log = RequestLog()
    let router = Router()
    router.post("/notifications") { request, _ in
        let json = try JSONParser.parse(Array(buffer: try await request.body.collect(upTo: 1 << 20)))
        return HTTPResponse.Status(code: await log.takeNotification(json))
    }
    router.post("/settle") { request, _ in
        let json = try JSONParser.parse(Array(buffer: try await request.body.collect(upTo: 1 << 20)))
        let authorization = request.headers[.authorization]
        return HTTPResponse.Status(code: await log.takeSettle(json, authorization: authorization))
    }
    router.post("/retention") { request, _ in
        let json = try JSONParser.parse(Array(buffer: try await request.body.collect(upTo: 1 << 20)))
        return await log.takeRealtimeRequest(json)
    }
    router.post("/flood") { _, _ in String(repeating: " ", count: 1 << 20) }
    router.post("/circle") { _, _ in
        Response(status: .temporaryRedirect, headers: [.location: "/circle"])
    }
    for status in [301, 302, 303, 307, 308] {
        router.post("/moved/\(status)") { _, _ in
            Response(status: HTTPResponse.Status(code: status), headers: [.location: "/landing"])
        }
    }
    router.get("/landing") { _, _ in HTTPResponse.Status.ok }
    router.post("/landing") { _, _ in HTTPResponse.Status.ok }
    router.post("/held") { _, _ in
        await log.hold()
        return HTTPResponse.Status.ok
    }
    router.post("/settle-never") { request, _ -> HTTPResponse.Status in
        let json = try JSONParser.parse(Array(buffer: try await request.body.collect(upTo: 1 << 20)))
        _ = await log.takeSettle(json, authorization: nil)
        for await _ in AsyncStream<Never>.makeStream().stream.cancelOnGracefulShutdown() {}
        return .ok
    }
    router.post("/silence") { _, _ -> HTTPResponse.Status in
        // Answers only at the end of the test.
        for await _ in AsyncStream<Never>.makeStream().stream.cancelOnGracefulShutdown() {}
        return .ok
    }
    try await withRunning { onListening in
        Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { onListening($0.localAddress?.port ?? 0) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    } _: { port in
        try await body(DeveloperServer(port: port, log: log))
    }
}
