import AppStoreClient
import AppStoreModel
import AppStoreSigning
import SubscriptionServer
import SubscriptionCore
import Synchronization

import struct SubscriptionOperations.AppStoreAccess

/// Plays the App Store Server API: answers by path, and remembers what it was asked.
final class ScriptedAppStore: HTTPTransport {
    static let sharedSecret = "0123456789abcdef0123456789abcdef"

    private struct State {
        var answers: [String: (status: Int, body: String)] = [:]
        var paths: [String] = []
        var isAway = false
    }

    private let state = Mutex(State())

    /// What was asked for, in order, without the query.
    var askedFor: [String] { state.withLock { $0.paths } }

    /// Whether the App Store can be reached.
    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

    /// Answers a path from now on.
    func answer(_ path: String, _ body: some JSONRepresentable) {
        state.withLock { $0.answers[path] = (200, String(decoding: body.jsonBytes, as: UTF8.self)) }
    }

    /// Everything that a customer with one subscription is answered.
    func knows(_ transaction: String, renewal: String, id: String = "2000000000000001") {
        let environment = AppStoreEnvironment.production
        answer("/inApps/v1/transactions/\(id)", TransactionInfoResponse(signedTransactionInfo: transaction))
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

    /// Lines to it for an app in production.
    func access(to bundleID: String) throws -> AppStoreAccess {
        let key = AppStoreKey(
            bundleID: bundleID,
            environments: [.production],
            key: .generate(),
            sharedSecret: Self.sharedSecret,
            baseURL: "https://store.test"
        )
        return AppStoreAccess([key], transport: self)
    }

    func send(
        _ request: AppStoreHTTPRequest,
        timeout: Duration,
        bodyBytesMax: Int
    ) async throws(HTTPTransportError) -> AppStoreHTTPResponse {
        let path = String(request.url.dropFirst("https://store.test".count).prefix { $0 != "?" })
        let (answer, isAway) = state.withLock { state in
            state.paths.append(path)
            return (state.answers[path], state.isAway)
        }
        guard !isAway else {
            throw HTTPTransportError(code: .connectionFailed, message: "away", mayHaveBeenSent: false)
        }
        guard let answer else {
            let body = #"{"errorCode":4040010,"errorMessage":"Transaction id not found."}"#
            return AppStoreHTTPResponse(status: 404, headers: HTTPHeaders([]), body: Array(body.utf8))
        }
        return AppStoreHTTPResponse(status: answer.status, headers: HTTPHeaders([]), body: Array(answer.body.utf8))
    }
}
