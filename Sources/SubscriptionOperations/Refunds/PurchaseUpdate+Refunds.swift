import SubscriptionCore
import SubscriptionStorage

extension PurchaseUpdate {
    /// Stores what new facts and announcements change in the refunds of a purchase.
    ///
    /// Without a refund among them, nothing is read.
    ///
    /// - Throws: ``StorageError``.
    func store(
        _ change: RefundChange,
        of purchase: OriginalTransactionID,
        _ announcements: [SubscriptionEvent]
    ) throws(StorageError) {
        var needsStatements = change.needsStatements
        if change.mayConcernStored, !needsStatements {
            let stored = try storage.refunds(of: purchase, app: app).refunds
            needsStatements = !stored.isEmpty || !change.refunds.isEmpty
        }
        if needsStatements { return try storage.deriveRefunds(of: purchase, app: app) }
        for refund in change.refunds { try storage.save(refund, of: app) }
        for request in announcements.compactMap(RequestedRefund.init(_:)) { try storage.join(request, of: app) }
    }
}

extension StorageReading {
    /// The refunds of a purchase, and the requests for them, as all its stored inputs say. An input that this version
    /// cannot parse says nothing.
    ///
    /// - Throws: ``StorageError``; `storage_corrupt` if the bytes of an input cannot be restored.
    func derivedRefunds(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> PurchaseRefunds {
        var statements: [TransactionFact] = []
        var announcements: [SubscriptionEvent] = []
        for input in try PurchaseHistory.inputs(about: purchase, app: app, storage: self) {
            do throws(StorageError) {
                let parsed = try ParsedEvidence(input)
                for case .transaction(let fact) in parsed.facts { statements.append(fact) }
                if let announcement = parsed.announcement { announcements.append(announcement) }
            } catch {
                // A comparison with the evidence reports it.
            }
        }
        return PurchaseRefunds(of: purchase, statements: statements, announcements: announcements)
    }
}

extension StorageWriting {
    /// Derives the refunds of a purchase, and the requests for them, from all its stored inputs.
    ///
    /// - Throws: ``StorageError``; `storage_corrupt` if the bytes of an input cannot be restored.
    func deriveRefunds(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) {
        // The purchase is locked first, so that no input comes between.
        _ = try refunds(of: purchase, app: app)
        try replaceRefunds(of: purchase, by: try derivedRefunds(of: purchase, app: app), app: app)
    }
}
