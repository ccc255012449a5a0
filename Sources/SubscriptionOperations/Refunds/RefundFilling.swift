import SubscriptionCore
public import SubscriptionStorage
import Synchronization

/// Fills the tables of refunds with what was stored before there were any.
///
/// A refund that stands follows from the facts. Reversed ones, and requests, are found by their events. What a purchase
/// gets is derived from its stored inputs, so several servers may do it at the same time, and in any order with new
/// notifications. Each start reads the events since the last one again, because a server of an earlier version may have
/// recorded refunds meanwhile.
public final class RefundFilling: Sendable {
    private static let purchasesPerPage = 200
    private static let eventsPerPage = 1_000

    private let database: any SubscriptionDatabase
    private let gate = SerialGate()
    /// The apps with nothing left to fill.
    private let filled = Mutex<Set<AppID>>([])

    /// Makes the use case.
    public init(database: any SubscriptionDatabase) {
        self.database = database
    }

    /// Fills what is left of each app.
    ///
    /// - Throws: ``OperationError`` with storage's codes; what was filled before stays.
    public func settle() async throws(OperationError) {
        do throws(StorageError) {
            try await gate.run { () async throws(StorageError) in
                let apps = try await database.read { storage throws(StorageError) in try storage.apps().map(\.id) }
                let known = filled.withLock { $0 }
                for app in apps where !known.contains(app) { try await fill(app) }
            }
        } catch {
            throw OperationError(error)
        }
    }

    private func fill(_ app: AppID) async throws(StorageError) {
        var progress = try await database.read { storage throws(StorageError) in try storage.refundProgress(of: app) }
        while true {
            if Task.isCancelled { return }
            let page = try await page(of: app, after: progress)
            for purchase in page.purchases { try await derive(purchase, app: app) }
            if page.progress != progress {
                progress = try await database.write { storage throws(StorageError) in
                    // Another server may be further.
                    let furthest = page.progress.combined(with: try storage.refundProgress(of: app))
                    try storage.save(furthest, of: app)
                    return furthest
                }
            }
            if page.isLast { break }
        }
        filled.withLock { _ = $0.insert(app) }
    }

    /// Derives the refunds of a purchase. If an input cannot be read, those that the facts name are stored;
    /// `perennial rebuild` reports the input.
    private func derive(_ purchase: OriginalTransactionID, app: AppID) async throws(StorageError) {
        do throws(StorageError) {
            return try await database.write { storage throws(StorageError) in
                try storage.deriveRefunds(of: purchase, app: app)
            }
        } catch {
            guard error.code == .corrupt else { throw error }
        }
        do throws(StorageError) {
            try await database.write { storage throws(StorageError) in
                let statements = try storage.ledger(of: purchase, app: app).timeline
                let derived = PurchaseRefunds(of: purchase, statements: statements, announcements: [])
                for refund in derived.refunds { try storage.save(refund, of: app) }
            }
        } catch {
            guard error.code == .corrupt else { throw error }
        }
    }

    // MARK: Pages

    /// The purchases with refunds or requests in a page of purchases or events, and the progress after it.
    private struct Page: Sendable {
        var purchases: [OriginalTransactionID] = []
        var progress: RefundProgress
        /// Whether there is nothing after the page.
        var isLast = false
    }

    private func page(of app: AppID, after progress: RefundProgress) async throws(StorageError) -> Page {
        if progress.isFilled { return try await eventPage(of: app, after: progress) }
        let purchases = try await database.read { storage throws(StorageError) in
            try storage.purchases(
                derivedAfter: Timestamp(milliseconds: .min),
                of: app,
                after: progress.purchasesThrough,
                limit: Self.purchasesPerPage
            )
        }
        guard let last = purchases.last else { return try await eventPage(of: app, after: progress) }
        var page = Page(progress: progress)
        page.progress.purchasesThrough = last
        page.purchases = try await database.read { storage throws(StorageError) in
            try storage.readableLedgers(of: purchases, app: app).filter(\.value.hasRefund).keys.sorted()
        }
        return page
    }

    /// An event that cannot be read is skipped.
    private func eventPage(of app: AppID, after progress: RefundProgress) async throws(StorageError) -> Page {
        var page = Page(progress: progress)
        for limit in [Self.eventsPerPage, 1] {
            do throws(StorageError) {
                let events = try await database.read { storage throws(StorageError) in
                    try storage.events(of: app, after: progress.eventsThrough, limit: limit)
                }
                page.isLast = events.isEmpty
                page.progress.isFilled = progress.isFilled || events.isEmpty
                page.progress.eventsThrough = events.last?.sequence ?? progress.eventsThrough
                page.purchases = Set(events.map(\.event).filter(\.isAboutRefund).compactMap(\.purchaseID)).sorted()
                return page
            } catch {
                guard error.code == .corrupt else { throw error }
            }
        }
        page.progress.eventsThrough += 1
        return page
    }
}

extension RefundFilling: SettledWork {
    /// What a failure means.
    public static let failed = "The tables of refunds were not filled with earlier refunds"
}

extension SubscriptionEvent {
    /// Whether it reports a refund, its reversal, or a request for one.
    fileprivate var isAboutRefund: Bool {
        switch kind {
        case .refunded, .refundReversed, .purchaseRefunded, .purchaseRefundReversed: true
        default: RequestedRefund(self) != nil
        }
    }
}
