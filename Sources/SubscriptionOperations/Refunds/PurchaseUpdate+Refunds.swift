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

/// The refunds of a purchase that follow from its stored inputs.
struct DerivedRefunds {
    fileprivate static let inputsPerPage = 200

    /// What follows.
    let refunds: PurchaseRefunds
    /// Whether all inputs can be read.
    let isComplete: Bool

    /// What should be stored. An input that cannot be read may contain what seems to be too much.
    fileprivate func stored(insteadOf stored: PurchaseRefunds) -> PurchaseRefunds {
        guard !isComplete else { return refunds }
        var refundsByID = Dictionary(stored.refunds.map { ($0.transactionID, $0) }) { first, _ in first }
        for refund in refunds.refunds {
            var refund = refund
            if refund.reversedAt == nil, let known = refundsByID[refund.transactionID]?.reversedAt,
                known >= refund.statedAt
            {
                refund.reversedAt = known
            }
            refundsByID[refund.transactionID] = refund
        }
        var requests = Dictionary(stored.requests.map { ($0.transactionID, $0) }) { first, _ in first }
        for request in refunds.requests { requests[request.transactionID, default: request].join(request) }
        return PurchaseRefunds(refunds: Array(refundsByID.values), requests: Array(requests.values))
    }
}

extension StorageReading {
    /// The refunds of a purchase, and the requests for them, as all its stored inputs say. If one of them cannot be
    /// read, the stored facts count too.
    ///
    /// - Throws: ``StorageError``.
    func derivedRefunds(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> DerivedRefunds {
        var statements: [TransactionFact] = []
        var announcements: [SubscriptionEvent] = []
        var isComplete = true
        var sequence: Int64 = 0
        while true {
            let page = try foundEvidence(about: purchase, of: app, after: sequence, limit: DerivedRefunds.inputsPerPage)
            guard let last = page.last else { break }
            for input in page {
                guard let parsed = input.parsed else {
                    isComplete = false
                    continue
                }
                for case .transaction(let fact) in parsed.facts { statements.append(fact) }
                if let announcement = parsed.announcement { announcements.append(announcement) }
            }
            sequence = last.sequence
        }
        if !isComplete { statements += try ledger(of: purchase, app: app).timeline }
        let refunds = PurchaseRefunds(of: purchase, statements: statements, announcements: announcements)
        return DerivedRefunds(refunds: refunds, isComplete: isComplete)
    }
}

extension FoundEvidence {
    /// The content; nil if it cannot be read. A comparison with the evidence reports it.
    fileprivate var parsed: ParsedEvidence? {
        guard let record else { return nil }
        do throws(StorageError) { return try ParsedEvidence(record) } catch { return nil }
    }
}

extension StorageWriting {
    /// Derives the refunds of a purchase, and the requests for them, from all its stored inputs.
    ///
    /// - Throws: ``StorageError``.
    func deriveRefunds(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) {
        // The purchase is locked first, so that no input comes between.
        let stored = try refunds(of: purchase, app: app)
        let derived = try derivedRefunds(of: purchase, app: app)
        try replaceRefunds(of: purchase, by: derived.stored(insteadOf: stored), app: app)
    }
}
