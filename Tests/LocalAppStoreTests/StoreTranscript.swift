import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Foundation
import LocalAppStore

/// Drives a store as a server would, and returns its new notifications.
struct StoreTranscript {
    var store: LocalAppStore
    /// The result of every delivery attempt.
    var deliveryResult = SendAttemptResult.success
    private var returnedCount = 0

    init(
        at now: Int64,
        environment: AppStoreEnvironment = .production,
        seed: UInt64 = 7,
        settings: StoreSettings? = nil,
        catalog: Catalog? = nil,
        authority: TestAuthority? = nil,
        profile: StoreProfile? = nil
    ) throws {
        let configuration = LocalAppStore.Configuration(
            environment: environment,
            seed: seed,
            settings: settings,
            profile: profile
        )
        store = LocalAppStore(
            configuration: configuration,
            catalog: try catalog ?? Catalog.example(),
            signer: try (authority ?? sharedAuthority.get()).signer,
            receipts: try sharedReceiptAuthority.get(),
            now: now
        )
        try store.setNotificationEndpoint(url: "http://127.0.0.1:9/notifications")
    }

    /// Creates a store with one account, `a`.
    static func withAccount(
        at now: Int64,
        environment: AppStoreEnvironment = .production,
        settings: StoreSettings? = nil,
        catalog: Catalog? = nil,
        profile: StoreProfile? = nil
    ) throws -> StoreTranscript {
        var transcript = try StoreTranscript(
            at: now,
            environment: environment,
            settings: settings,
            catalog: catalog,
            profile: profile
        )
        _ = try transcript.store.createAccount(accountId: "a")
        return transcript
    }

    /// Advances the clock as `advance` does: from one due time to the next, delivering at each.
    mutating func advance(to end: Int64) throws {
        try deliver()
        while let time = store.nextDue(atOrBefore: end) {
            try store.step(to: time)
            try deliver()
        }
        try store.step(to: end)
    }

    mutating func deliver() throws {
        while case let due = store.dueDeliveries(), !due.isEmpty {
            for delivery in due {
                let result = delivery.fault == .drop ? .timedOut : deliveryResult
                try store.recordAttempt(notificationUUID: delivery.notificationUUID, result: result)
            }
        }
    }

    /// Buys for the account `a`.
    @discardableResult
    mutating func buy(_ productId: String, quantity: Int = 1) throws -> PurchaseOutcome {
        try store.purchase(accountId: "a", request: PurchaseRequest(productId: productId, quantity: quantity))
    }

    /// Every notification since the last call, as `TYPE/SUBTYPE status`.
    mutating func newNotifications() throws -> [String] {
        try newRecords().map { record in
            let subtype = record.subtype.map { "/\($0.rawValue)" } ?? ""
            let status = record.status.map { " \($0.rawValue)" } ?? ""
            return record.notificationType.rawValue + subtype + status
        }
    }

    /// Every notification since the last call, with the day on which it was signed.
    mutating func newDatedNotifications() throws -> [String] {
        try newRecords().map { record in
            "\(day(record.signedDate)) \(record.notificationType.rawValue)"
                + (record.subtype.map { "/\($0.rawValue)" } ?? "")
        }
    }

    private mutating func newRecords() throws -> [NotificationRecord] {
        let records = try allRecords()
        defer { returnedCount = records.count }
        return Array(records[returnedCount...])
    }

    func allRecords() throws -> [NotificationRecord] {
        var records: [NotificationRecord] = []
        var cursor: String?
        repeat {
            let page = try store.notifications(after: cursor, limit: 100)
            records += page.notifications
            cursor = page.nextCursor
        } while cursor != nil
        return records
    }

    /// The account `a` in the ledger.
    var account: AccountReport { get throws { try store.account("a") } }

    /// The only subscription of the account `a`.
    var subscription: SubscriptionReport {
        get throws {
            let all = try account.subscriptions
            guard all.count == 1, let first = all.first else { throw TranscriptError.notOneSubscription(all.count) }
            return first
        }
    }

    /// The content of the newest notification, decoded.
    func newestContent() throws -> NotificationContent {
        guard let record = try allRecords().last else { throw TranscriptError.noNotification }
        return try NotificationContent(record)
    }
}

/// One authority for all tests without special certificates: creating one takes three keys and three signatures.
private let sharedAuthority = Result { try TestAuthority() }

/// Under the root of ``sharedAuthority``.
private let sharedReceiptAuthority = Result { try TestReceiptAuthority(under: sharedAuthority.get()) }

/// Accepts the receipts of every transcript's store.
func receiptVerifier() throws -> ReceiptVerifier {
    ReceiptVerifier(roots: [ReceiptRoot(try sharedAuthority.get().trustedRoot)])
}

enum TranscriptError: Error {
    case notOneSubscription(Int)
    case noNotification
}

/// A notification with its inner signed data.
struct NotificationContent: Hashable {
    private(set) var payload: ResponseBodyV2DecodedPayload
    let transaction: JWSTransactionDecodedPayload?
    let renewalInfo: JWSRenewalInfoDecodedPayload?

    init(_ record: NotificationRecord) throws {
        payload = try decoded(record.signedPayload)
        transaction = try payload.data?.signedTransactionInfo.map { try decoded($0) }
        renewalInfo = try payload.data?.signedRenewalInfo.map { try decoded($0) }
    }

    /// The content without the signatures, which differ each time.
    var withoutSignatures: NotificationContent {
        var copy = self
        copy.payload.data?.signedTransactionInfo = nil
        copy.payload.data?.signedRenewalInfo = nil
        return copy
    }
}

func decoded<Payload: JSONRepresentable>(_ jws: String) throws -> Payload {
    try Payload(jsonBytes: UnverifiedJWS.decode(jws).payloadBytes)
}

/// 09:30 UTC of a day written `2026-01-31`, in milliseconds since 1970.
func at(_ day: String) throws -> Int64 {
    try timestamp("\(day)T09:30:00Z")
}

/// A time in ISO 8601, in milliseconds since 1970.
func timestamp(_ text: String) throws -> Int64 {
    let date = try Date(text, strategy: .iso8601)
    return Int64(date.timeIntervalSince1970) * 1_000
}

/// The day of a time in UTC, written `2026-01-31`.
func day(_ time: Int64) -> String {
    Date(timeIntervalSince1970: Double(time) / 1_000).formatted(.iso8601.year().month().day())
}

let dayLength: Int64 = 86_400_000
let hourLength: Int64 = 3_600_000

/// A catalogue without offers.
func plainCatalog() throws -> Catalog {
    let products = [("monthly", "P1M"), ("yearly", "P1Y")].map { id, period in
        #"{"productID": "\#(id)", "displayPrice": "9.99", "recurringSubscriptionPeriod": "\#(period)"}"#
    }
    let groups = #"[{"id": "1", "subscriptions": [\#(products.joined(separator: ","))]}]"#
    return try Catalog(storekit: Array(#"{"version": {"major": 4}, "subscriptionGroups": \#(groups)}"#.utf8))
}
