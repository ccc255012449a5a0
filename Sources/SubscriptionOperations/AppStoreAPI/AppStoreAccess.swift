public import AppStoreClient
import AppStoreModel
public import SubscriptionCore

/// The apps for which this server can call the App Store Server API, with their clients.
public struct AppStoreAccess: Sendable {
    /// One app in one environment.
    public struct Entry: Sendable {
        /// Calls the API.
        public let api: AppStoreServerAPIClient.App
        /// The app's shared secret in version 1 notifications; without it they are refused.
        public let sharedSecret: String?
        /// Asks Apple's deprecated `/verifyReceipt` about receipts; nil if the developer does not want it.
        let receipts: ReceiptInquiry?

        /// Makes an entry.
        public init(api: AppStoreServerAPIClient.App, sharedSecret: String? = nil) {
            self.init(api: api, sharedSecret: sharedSecret, receipts: nil)
        }

        /// Makes an entry that may ask about receipts.
        package init(api: AppStoreServerAPIClient.App, sharedSecret: String?, receipts: ReceiptInquiry?) {
            self.api = api
            self.sharedSecret = sharedSecret
            self.receipts = receipts
        }
    }

    private let entries: [AppID: Entry]
    let limits: AppStoreLimits

    /// Makes the access; without entries, everything that needs the API is refused.
    public init(_ entries: [AppID: Entry] = [:], limits: AppStoreLimits = AppStoreLimits()) {
        self.entries = entries
        self.limits = limits
    }

    /// Whether this server can call the API for an app.
    func hasEntry(of app: AppID) -> Bool { entries[app] != nil }

    /// The calls for an app; nil if none are configured.
    func api(of app: AppID) -> AppStoreServerAPIClient.App? { entries[app]?.api }

    /// The entry of an app.
    ///
    /// - Throws: ``OperationError`` `app_store_api_not_configured`.
    func entry(of app: AppID) throws(OperationError) -> Entry {
        guard let entry = entries[app] else { throw .notConfigured(app) }
        return entry
    }
}

extension OperationError {
    fileprivate static func notConfigured(_ app: AppID) -> OperationError {
        OperationError(
            "app_store_api_not_configured",
            """
            This server has no key for the App Store Server API of \(app). Configure one, or send signed \
            transactions.
            """,
            kind: .unavailable,
            isRetryable: false
        )
    }

    /// A failed call of the App Store Server API. A refusal that Apple names retryable, such as 4040006, is no answer.
    ///
    /// - Parameter parameter: The field of the request with the transaction.
    init(_ error: AppStoreClientError, parameter: String) {
        switch error.code {
        case .transactionNotFound:
            self.init(
                "transaction_not_found",
                """
                The App Store has no such transaction in this environment. Check the id, and the environment of \
                your key.
                """,
                kind: .notFound,
                parameter: parameter
            )
        case .callNotAvailable:
            self.init(
                "order_lookup_not_available",
                "Apple looks up orders in production only. Use transaction_id in the sandbox.",
                kind: .invalidRequest,
                parameter: parameter
            )
        case .refused where error.isRetryable:
            self.init(
                "app_store_unavailable",
                """
                The App Store asks to try again: \(error.apiError?.message ?? error.message) Nothing was changed; \
                send it again.
                """,
                kind: .unavailable,
                isRetryable: true,
                detail: error.debugDescription
            )
            isRepeatAsked = true
        case .refused:
            self.init(
                "app_store_refused",
                "The App Store refused the request: \(error.refusalText)",
                kind: .invalidRequest,
                parameter: parameter,
                detail: error.debugDescription
            )
        case .rateLimited, .rateLimitedByClient:
            self.init(
                "app_store_rate_limited",
                "Apple's limit for this call is reached. Send the request again after the time in Retry-After.",
                kind: .unavailable,
                isRetryable: true,
                detail: error.debugDescription
            )
            retryAt = error.retryAfter.map { Timestamp(milliseconds: $0.date) }
        case .unauthorized, .keyMissing, .tokenNotMade, .environmentNotConfigured:
            self.init(
                "app_store_unauthorized",
                """
                The App Store rejected this server's API keys. Check app_store.key_id, issuer_id, \
                private_key_file and keys; the log says more.
                """,
                kind: .unavailable,
                isRetryable: false,
                detail: error.debugDescription
            )
        default:
            self.init(
                "app_store_unavailable",
                "The App Store Server API did not answer. Nothing was changed; send it again.",
                kind: .unavailable,
                isRetryable: true,
                detail: error.debugDescription
            )
        }
    }
}

extension AppStoreClientError {
    /// What Apple says about a refusal, with the number of its error: one message may belong to several errors.
    var refusalText: String {
        guard let apiError else { return message }
        let text = apiError.message.isEmpty ? apiError.name : apiError.message
        return text.isEmpty ? "error \(apiError.code)" : "\(text) (\(apiError.code))"
    }
}
