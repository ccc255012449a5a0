import AppStoreClient
import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Foundation
import LocalAppStore
import Synchronization

/// The local App Store in the simulation: its ledger, its deliveries and its API.
final class SimulatedAppStore: Sendable {
    /// How Apple's API fails for a while.
    private enum Outage: String, CaseIterable {
        /// It answers with 429 or 500, or not at all.
        case overloaded
        /// It refuses every token.
        case unauthorized
        /// Its answers end in the middle.
        case malformed
    }

    private struct State {
        var store: LocalAppStore
        /// The notifications that are under way.
        var underWay: Set<String> = []
        /// Apple's API does not work until then.
        var isAwayUntil: Int64 = 0
        var outage = Outage.overloaded
    }

    static let bundleID = "com.example.perennial"

    let identity: AppIdentity
    let root: TrustedRoot
    private let world: SimulatedWorld
    private let state: Mutex<State>

    init(in world: SimulatedWorld, authority: TestAuthority) throws {
        var settings = StoreSettings()
        settings.gracePeriod = world.pick(StoreSettings.GracePeriod.allCases) ?? .none
        if world.happens(.early, 0.5) { settings.renewalLeadMilliseconds = world.random(in: .minute...(.day)) }
        let configuration = LocalAppStore.Configuration(
            bundleId: Self.bundleID,
            environment: .production,
            seed: world.options.seed,
            settings: settings
        )
        identity = AppIdentity(
            bundleId: configuration.bundleId,
            appAppleId: configuration.appAppleId,
            environment: .production
        )
        root = authority.trustedRoot
        var store = LocalAppStore(
            configuration: configuration,
            catalog: try Catalog.example(),
            signer: authority.signer,
            now: world.start
        )
        try store.setNotificationEndpoint(url: "http://127.0.0.1:9/")
        for number in 0..<world.options.customers { _ = try store.createAccount(accountId: "a\(number)") }
        self.world = world
        state = Mutex(State(store: store))
    }

    /// When the store does something by itself; nil while it waits for a delivery.
    func nextDue(until end: Int64) -> Int64? {
        state.withLock { $0.underWay.isEmpty ? $0.store.nextDue(atOrBefore: end) : nil }
    }

    /// Moves the store's clock.
    func step(to time: Int64) throws { try state.withLock { try $0.store.step(to: time) } }

    /// Performs an action in the store.
    func act<Value: Sendable>(_ body: @Sendable (inout LocalAppStore) throws -> Value) throws -> Value {
        try state.withLock { state in
            try state.store.step(to: max(world.time.now, state.store.now))
            return try body(&state.store)
        }
    }

    /// The notifications that became due.
    func newDeliveries() -> [Delivery] {
        state.withLock { state in
            let new = state.store.dueDeliveries().filter { !state.underWay.contains($0.notificationUUID) }
            state.underWay.formUnion(new.map(\.notificationUUID))
            return new
        }
    }

    /// Records the result of a delivery.
    func record(_ result: SendAttemptResult, of notification: String) throws {
        try state.withLock { state in
            state.underWay.remove(notification)
            try state.store.step(to: max(world.time.now, state.store.now))
            try state.store.recordAttempt(notificationUUID: notification, result: result)
        }
    }

    /// Answers a call of Apple's API.
    func answer(_ request: AppStoreHTTPRequest) throws(HTTPTransportError) -> AppStoreHTTPResponse {
        if let fault = try fault() { return fault }
        if let refusal = refusalOfToken(in: request) { return refusal }
        do {
            return try act { store in
                do throws(AppStoreServerAPIError) {
                    return AppStoreHTTPResponse(status: 200, body: try Self.answer(request, from: &store))
                } catch {
                    return AppStoreHTTPResponse(error)
                }
            }
        } catch {
            throw HTTPTransportError(code: .requestInvalid, message: "\(error)", mayHaveBeenSent: false)
        }
    }

    /// The answer of an API that does not work; nil if it does.
    private func fault() throws(HTTPTransportError) -> AppStoreHTTPResponse? {
        let now = world.time.now
        let isAway = state.withLock { now < $0.isAwayUntil } && !world.isCalm
        if !isAway {
            guard world.happens(.api, 0.02) else { return nil }
            let length = world.random(in: .minute...(world.random(in: 0...4) == 0 ? 26 * .hour : .hour))
            let outage = world.pick(Outage.allCases) ?? .overloaded
            world.note("Apple's API is \(outage.rawValue) for \(length / .minute) minutes")
            state.withLock { ($0.isAwayUntil, $0.outage) = (now + length, outage) }
        }
        let (until, outage) = state.withLock { ($0.isAwayUntil, $0.outage) }
        switch outage {
        case .overloaded:
            return try overloaded(until: until)
        case .unauthorized:
            return AppStoreHTTPResponse(status: 401, body: Array("Unauthenticated\n\nRequest ID: SIMULATED\n".utf8))
        case .malformed:
            return AppStoreHTTPResponse(status: 200, body: Array(#"{"hasMore":false,"signed"#.utf8))
        }
    }

    private func overloaded(until: Int64) throws(HTTPTransportError) -> AppStoreHTTPResponse {
        switch world.random(in: 0...2) {
        case 0: throw HTTPTransportError(code: .connectionFailed, message: "away", mayHaveBeenSent: false)
        case 1:
            let error = #"{"errorCode":5000000,"errorMessage":"An unknown error occurred."}"#
            return AppStoreHTTPResponse(status: 500, body: Array(error.utf8))
        default:
            let error = #"{"errorCode":4290000,"errorMessage":"Rate limit exceeded."}"#
            return AppStoreHTTPResponse(
                status: 429,
                headers: HTTPHeaders([.init("Retry-After", "\(until)")]),
                body: Array(error.utf8)
            )
        }
    }

    /// The answer if Apple no longer accepts the page token of a query; nil if it does, and for a first page.
    private func refusalOfToken(in request: AppStoreHTTPRequest) -> AppStoreHTTPResponse? {
        let errors: [AppStoreServerAPIError]
        if request.url.contains("paginationToken=") {
            errors = [.paginationTokenExpired, .invalidPaginationToken]
        } else if request.url.contains("revision=") {
            errors = [.invalidRequestRevision]
        } else {
            return nil
        }
        guard world.happens(.api, 0.2), let error = world.pick(errors) else { return nil }
        world.note("Apple's API refuses a page token: \(error.name)")
        return AppStoreHTTPResponse(error)
    }

    private static func answer(
        _ request: AppStoreHTTPRequest,
        from store: inout LocalAppStore
    ) throws(AppStoreServerAPIError) -> [UInt8] {
        let target = request.url.split(separator: "?", maxSplits: 1)
        let path = target[0].split(separator: "/").map(String.init)
        let query = (target.dropFirst().first ?? "").split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1).map { $0.removingPercentEncoding ?? String($0) }
            return (name: parts.first ?? "", value: parts.dropFirst().first ?? "")
        }
        let id = path.last ?? ""
        switch path.suffix(3).dropLast().joined(separator: "/") {
        case "v1/notifications":
            let body = (try? JSONParser.parseObject(request.body ?? [])) ?? JSONObject()
            let token = query.first { $0.name == "paginationToken" }?.value
            let request = try NotificationHistoryRequest(appleBody: body)
            return try store.notificationHistory(request, paginationToken: token).jsonBytes
        case "v1/subscriptions":
            return try store.subscriptionStatuses(anyTransactionId: id).jsonBytes
        case "v1/transactions":
            return try store.transactionInfo(transactionId: id).jsonBytes
        case "v2/history":
            return try store.transactionHistory(anyTransactionId: id, query: HistoryQuery(parameters: query)).jsonBytes
        case "refund/lookup":
            let revision = query.first { $0.name == "revision" }?.value
            return try store.refundHistory(anyTransactionId: id, revision: revision).jsonBytes
        default:
            throw .generalBadRequest
        }
    }
}

extension AppStoreHTTPResponse {
    /// Apple's answer with an error.
    fileprivate init(_ error: AppStoreServerAPIError) {
        self.init(status: error.httpStatus, body: JSONValue.object(error.json).serialize())
    }
}
