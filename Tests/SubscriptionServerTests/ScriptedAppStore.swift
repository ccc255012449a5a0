import AppStoreClient
import AppStoreModel
import AppStoreSigning
import Foundation
import SubscriptionServer
import SubscriptionCore
import Synchronization

import struct SubscriptionOperations.AppStoreAccess
import struct SubscriptionOperations.AppStoreLimits

/// Simulates the App Store Server API. It answers by path and records the requests.
final class ScriptedAppStore: HTTPTransport {
    static let sharedSecret = "0123456789abcdef0123456789abcdef"

    private struct State {
        var answers: [String: (status: Int, body: String)] = [:]
        /// The header field `Retry-After` by path.
        var retryAfter: [String: String] = [:]
        var paths: [String] = []
        /// The bodies by path, in order.
        var bodies: [String: [String?]] = [:]
        var isUnreachable = false
        var refusedKeyIDs: Set<String> = []
        var isSilent = false
        /// The path that is silent; nil for all.
        var silentPath: String?
        /// Ends the requests that wait without an answer.
        var silenced: [AsyncStream<Never>.Continuation] = []
        var pages = 0
        var endless: String?
        var pagesMax = Int.max
        var endlessTransaction = ""

        mutating func nextPage(of path: String) -> (status: Int, body: String)? {
            guard path == endless else { return nil }
            pages += 1
            let page = HistoryResponse(
                revision: "r\(pages)",
                hasMore: true,
                bundleId: ServerFixture.bundle,
                environment: .production,
                signedTransactions: [endlessTransaction]
            )
            return (200, String(decoding: page.jsonBytes, as: UTF8.self))
        }
    }

    private let state = Mutex(State())

    /// The requested paths in order, without queries.
    var requestedPaths: [String] { state.withLock { $0.paths } }

    /// The body of the last request for a path; nil if it had none.
    func lastBody(of path: String) -> String? { state.withLock { $0.bodies[path]?.last ?? nil } }

    /// The JSON object of the last request for a path; nil if it had none.
    func body(of path: String) -> JSONObject? {
        lastBody(of: path).flatMap { try? JSONParser.parseObject(Array($0.utf8)) }
    }

    /// The JSON objects of all requests for a path that had one, in order.
    func bodies(of path: String) -> [JSONObject] {
        let bodies = state.withLock { $0.bodies[path] ?? [] }
        return bodies.compactMap { body in body.flatMap { try? JSONParser.parseObject(Array($0.utf8)) } }
    }

    /// Sets whether the App Store is unreachable.
    func setUnreachable(_ isUnreachable: Bool) { state.withLock { $0.isUnreachable = isUnreachable } }

    /// Sets the keys whose tokens are refused with 401.
    func refuse(keyIDs: Set<String>) { state.withLock { $0.refusedKeyIDs = keyIDs } }

    /// Sets whether requests wait without an answer.
    ///
    /// - Parameter path: The path of the requests that wait; nil for all.
    func setSilent(_ isSilent: Bool, path: String? = nil) {
        let silenced = state.withLock { state in
            (state.isSilent, state.silentPath) = (isSilent, path)
            defer { if !isSilent { state.silenced = [] } }
            return isSilent ? [] : state.silenced
        }
        for waiting in silenced { waiting.finish() }
    }

    /// A history with one more page per request. After `pagesMax` pages, requests wait without an answer.
    func setEndless(_ path: String, transaction: String, pagesMax: Int = .max) {
        state.withLock { state in
            state.endless = path
            state.pagesMax = pagesMax
            state.endlessTransaction = transaction
        }
    }

    /// Sets the answer for a path.
    func answer(_ path: String, _ body: some JSONRepresentable) {
        state.withLock { $0.answers[path] = (200, String(decoding: body.jsonBytes, as: UTF8.self)) }
    }

    /// Sets success without a body as the answer for a path.
    func accept(_ path: String) { state.withLock { $0.answers[path] = (200, "") } }

    /// Sets an error as the answer for a path.
    ///
    /// - Parameter retryAfter: The header field `Retry-After`, in milliseconds since 1970.
    func refuse(
        _ path: String,
        status: Int,
        code: Int64 = 0,
        message: String = "No.",
        retryAfter: Int64? = nil
    ) {
        let body = #"{"errorCode":\#(code),"errorMessage":"\#(message)"}"#
        state.withLock { state in
            state.answers[path] = (status, body)
            state.retryAfter[path] = retryAfter.map { "\($0)" }
        }
    }

    /// Sets an error of Apple that has a name and no number of its own.
    func refuse(_ path: String, name: String) {
        let body = #"{"errorCode":4000000,"errorMessage":"\#(name)Error: no."}"#
        state.withLock { $0.answers[path] = (400, body) }
    }

    /// Sets the answer of verifyReceipt.
    func answerReceipts(_ body: JSONObject) {
        state.withLock { $0.answers["/verifyReceipt"] = (200, String(decoding: body.serialize(), as: UTF8.self)) }
    }

    /// Sets the answer for the identifier of a signed transaction.
    func addTransaction(_ transaction: String) {
        let part = transaction.split(separator: ".").dropFirst().first ?? ""
        let text = part.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
        guard let bytes = Data(base64Encoded: text + padding), let fields = try? JSONParser.parseObject(Array(bytes)),
            case .string(let id)? = fields["transactionId"]
        else { preconditionFailure("not a signed transaction: \(transaction)") }
        answer("/inApps/v1/transactions/\(id)", TransactionInfoResponse(signedTransactionInfo: transaction))
    }

    /// Sets all answers for a customer with one subscription whose newest transaction is given.
    ///
    /// Each transaction is the answer for its own identifier only. Add earlier ones with ``addTransaction(_:)`` and
    /// ``addHistory(_:of:)``.
    func addSubscription(_ transaction: String, renewal: String, id: String = "2000000000000001") {
        let environment = AppStoreEnvironment.production
        addTransaction(transaction)
        answer(
            "/inApps/v2/history/\(id)",
            HistoryResponse(
                revision: "r1",
                hasMore: false,
                bundleId: ServerFixture.bundle,
                environment: environment,
                signedTransactions: [transaction]
            )
        )
        let item = LastTransactionsItem(
            originalTransactionId: id,
            status: .active,
            signedTransactionInfo: transaction,
            signedRenewalInfo: renewal
        )
        let group = SubscriptionGroupIdentifierItem(subscriptionGroupIdentifier: "21000001", lastTransactions: [item])
        answer(
            "/inApps/v1/subscriptions/\(id)",
            StatusResponse(environment: environment, bundleId: ServerFixture.bundle, data: [group])
        )
    }

    /// Sets the history of a customer with one-time purchases, for the first of them.
    func addHistory(_ transactions: [String], of id: String) {
        let history = HistoryResponse(
            revision: "r1",
            hasMore: false,
            bundleId: ServerFixture.bundle,
            environment: .production,
            signedTransactions: transactions
        )
        answer("/inApps/v2/history/\(id)", history)
    }

    /// Access to this App Store for an app in production.
    func access(
        to bundleID: String,
        keyIDs: [String] = ["K1"],
        limits: AppStoreLimits = AppStoreLimits(),
        verifiesReceipts: Bool = false,
        onRefusedKey: (@Sendable (RefusedKey) -> Void)? = nil
    ) throws -> AppStoreAccess {
        let key = AppStoreKey(
            bundleID: bundleID,
            environments: [.production],
            keys: keyIDs.map { .generate(keyId: $0) },
            sharedSecret: Self.sharedSecret,
            baseURL: "https://store.test"
        )
        return AppStoreAccess(
            [key],
            transport: self,
            limits: limits,
            verifiesReceipts: verifiesReceipts,
            onRefusedKey: onRefusedKey
        )
    }

    /// Waits while the App Store is silent, or until the task is cancelled.
    private func silence(_ path: String) async throws {
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        let isSilent = state.withLock { state in
            let isSilent =
                (state.isSilent && (state.silentPath ?? path) == path)
                || (state.endless == path && state.pages > state.pagesMax)
            if isSilent { state.silenced.append(end) }
            return isSilent
        }
        guard isSilent else { return }
        for await _ in ends {}
        try Task.checkCancellation()
    }

    func send(
        _ request: AppStoreHTTPRequest,
        timeout: Duration,
        bodyBytesMax: Int
    ) async throws(HTTPTransportError) -> AppStoreHTTPResponse {
        let path = String(request.url.dropFirst("https://store.test".count).prefix { $0 != "?" })
        let (answer, retryAfter, isUnreachable) = state.withLock { state in
            state.paths.append(path)
            state.bodies[path, default: []].append(request.body.map { String(decoding: $0, as: UTF8.self) })
            return (state.answers[path] ?? state.nextPage(of: path), state.retryAfter[path], state.isUnreachable)
        }
        do {
            try await silence(path)
        } catch {
            throw HTTPTransportError(code: .cancelled, message: "cancelled", mayHaveBeenSent: true)
        }
        guard !isUnreachable else {
            throw HTTPTransportError(code: .connectionFailed, message: "away", mayHaveBeenSent: false)
        }
        let token = request.headers["authorization"]?.dropFirst("Bearer ".count) ?? ""
        let header = String(token.prefix { $0 != "." }).replacing("-", with: "+").replacing("_", with: "/")
        if let bytes = Data(base64Encoded: header + String(repeating: "=", count: (4 - header.count % 4) % 4)),
            let fields = try? JSONParser.parseObject(Array(bytes)), case .string(let keyID)? = fields["kid"],
            state.withLock({ $0.refusedKeyIDs.contains(keyID) })
        {
            return AppStoreHTTPResponse(status: 401, headers: HTTPHeaders([]), body: Array("Unauthenticated".utf8))
        }
        guard let answer else {
            let body = #"{"errorCode":4040010,"errorMessage":"Transaction id not found."}"#
            return AppStoreHTTPResponse(status: 404, headers: HTTPHeaders([]), body: Array(body.utf8))
        }
        let isLimited = answer.status == 429
        let headers = isLimited ? retryAfter.map { [HTTPHeaders.Field("Retry-After", $0)] } ?? [] : []
        return AppStoreHTTPResponse(
            status: answer.status,
            headers: HTTPHeaders(headers),
            body: Array(answer.body.utf8)
        )
    }
}
