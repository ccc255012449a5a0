import AppStoreModel
import AppStoreSigning
import LocalAppStore

/// A store whose account `a` buys with requests signed by the developer.
struct AdvancedCommerceShop {
    var transcript: StoreTranscript
    private let signer: StoreKitRequestSigner
    private var requests = 0

    init(
        at day: String = "2026-01-15",
        environment: AppStoreEnvironment = .sandbox,
        settings: StoreSettings? = nil
    ) throws {
        self.init(try StoreTranscript.withAccount(at: try at(day), environment: environment, settings: settings))
    }

    /// Continues with a store that has the account.
    init(_ transcript: StoreTranscript) {
        self.transcript = transcript
        let key = InAppPurchaseKey.generate()
        signer = StoreKitRequestSigner(key: key, bundleId: transcript.store.configuration.bundleId)
        self.transcript.store.acceptSignatures(by: [key.publicKey])
    }

    /// The identification of a request, never the same twice.
    mutating func requestInfo() -> JSONValue {
        requests += 1
        return ["requestReferenceId": .string("7d5a0a2e-0000-4000-8000-00000000\(1_000 + requests)")]
    }

    func sign(_ request: JSONObject) throws -> String {
        try signer.sign(AdvancedCommerceSignedRequest(request), nonce: .random(), at: transcript.store.now)
    }

    @discardableResult
    mutating func buy(_ request: JSONObject, as productId: String = "pro.monthly") throws -> PurchaseOutcome {
        try transcript.store.purchaseWithAdvancedCommerce(
            accountId: "a",
            productId: productId,
            request: try sign(request)
        )
    }

    /// Buys a subscription of two items, 6 and 4 dollars a month.
    @discardableResult
    mutating func subscribe(_ changes: [String: JSONValue?] = [:]) throws -> PurchaseOutcome {
        try buy(subscription(changes))
    }

    /// A request for a subscription of two items.
    mutating func subscription(_ changes: [String: JSONValue?] = [:]) -> JSONObject {
        var request: JSONObject = [
            "operation": "CREATE_SUBSCRIPTION", "version": "1", "requestInfo": requestInfo(), "currency": "USD",
            "storefront": "USA", "taxCode": "C003-00-2", "period": "P1M",
            "descriptors": ["description": "Two channels", "displayName": "Bundle"],
            "items": [Self.item("news", 6_000), Self.item("sport", 4_000)],
        ]
        for (key, value) in changes { request[key] = value }
        return request
    }

    /// A request for a one-time charge.
    mutating func charge(_ changes: [String: JSONValue?] = [:]) -> JSONObject {
        var request: JSONObject = [
            "operation": "CREATE_ONE_TIME_CHARGE", "version": "1", "requestInfo": requestInfo(), "currency": "USD",
            "taxCode": "C003-00-2", "item": Self.item("course", 49_990),
        ]
        for (key, value) in changes { request[key] = value }
        return request
    }

    static func item(_ sku: String, _ price: Int64, offer: JSONValue? = nil) -> JSONValue {
        var item: JSONObject = [
            "SKU": .string(sku), "description": .string("All of \(sku)"), "displayName": .string(sku),
            "price": .integer(price),
        ]
        item["offer"] = offer
        return .object(item)
    }

    static func offer(_ price: Int64, _ period: String, count: Int64 = 1) -> JSONValue {
        [
            "period": .string(period), "periodCount": .integer(count), "price": .integer(price),
            "reason": "ACQUISITION",
        ]
    }

    /// The current transactions of the account.
    func transactions() throws -> [JWSTransactionDecodedPayload] {
        var store = transcript.store
        return try transcript.account.transactions.map {
            try decoded(try store.transactionInfo(transactionId: $0.transactionId).signedTransactionInfo)
        }
    }

    /// The newest renewal information of the account's only subscription.
    func renewalInfo() throws -> JWSRenewalInfoDecodedPayload {
        var store = transcript.store
        let id = try transcript.account.appTransactionId
        let groups = try store.subscriptionStatuses(anyTransactionId: id).data
        guard let item = groups.first?.lastTransactions.first else { throw TranscriptError.notOneSubscription(0) }
        return try decoded(item.signedRenewalInfo)
    }
}
