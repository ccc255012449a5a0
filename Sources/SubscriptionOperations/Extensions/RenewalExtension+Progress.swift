import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

extension RenewalExtension {
    /// Apple answered that it extended the period. The answer is not signed, so the end of access follows from Apple's
    /// announcement or from the transaction, whichever comes first.
    mutating func noteAnswer(_ end: Timestamp?) {
        state = .extended
        failure = nil
        newEnd = newEnd ?? end
    }

    /// Apple refused. An announcement that came first shows that it was made all the same.
    mutating func noteRefusal(_ failure: StoredFailure) {
        guard state == .asked else { return }
        state = .refused
        self.failure = failure
        checkAt = nil
    }

    /// Apple announced an extension of the period.
    mutating func noteAnnouncement(of transaction: TransactionFact, at time: Timestamp) {
        announcedAt = time
        noteEnd(transaction.expiresAt)
    }

    /// The signed transaction has another end than before the extension.
    private mutating func noteEnd(_ end: Timestamp?) {
        state = .extended
        failure = nil
        newEnd = end ?? newEnd
        checkAt = nil
    }

    /// Apple was asked for the transaction, and the ledger has what it answered.
    mutating func noteCheck(_ ledger: PurchaseLedger, at now: Timestamp) {
        checks += 1
        if let end = ledger[transactionID]?.expiresAt, let previousEnd, end > previousEnd { return noteEnd(end) }
        let next = ExtensionChecks.delays.map { createdAt.adding(milliseconds: $0) }.first { $0 > now }
        checkAt = next
        guard next == nil, state == .asked else { return }
        state = .unknown
        failure = StoredFailure(code: "extension_unconfirmed", message: Self.unconfirmed)
    }

    private static let unconfirmed =
        "Apple gave no answer, and the end of the period did not change within an hour. Ask again with another "
        + "Idempotency-Key if the customer should have it."
}

extension StorageWriting {
    /// Completes the extension that Apple announces in a notification, or adds one that nobody asked this server for.
    ///
    /// - Source: App Store Server Notifications, RENEWAL_EXTENDED.
    /// - Throws: ``StorageError``.
    func noteExtension(in input: VerifiedInput) throws(StorageError) {
        for item in input.items where item.evidence.type == NotificationType.renewalExtended.rawValue {
            guard let fact = item.transaction else { continue }
            let known = try renewalExtensions(of: fact.originalID, app: input.app, limit: Extending.listedMax)
            let waiting = known.last {
                $0.origin == .request && $0.announcedAt == nil && $0.state != .refused && $0.transactionID == fact.id
            }
            var row: RenewalExtension
            if let waiting {
                row = waiting
            } else {
                row = try announcedExtension(of: fact, by: item.evidence, app: input.app)
            }
            row.noteAnnouncement(of: fact, at: item.evidence.signedAt)
            try save(row, of: input.app)
        }
    }

    /// An extension that nobody asked this server for.
    private func announcedExtension(
        of transaction: TransactionFact,
        by evidence: EvidenceRecord,
        app: AppID
    ) throws(StorageError) -> RenewalExtension {
        RenewalExtension(
            id: RenewalExtensionID(rawValue: evidence.id.rawValue),
            purchaseID: transaction.originalID,
            origin: .apple,
            createdAt: evidence.signedAt,
            state: .extended,
            transactionID: transaction.id,
            previousEnd: try ledger(of: transaction.originalID, app: app)[transaction.id]?.expiresAt
        )
    }
}

extension VerifiedInput.Item {
    fileprivate var transaction: TransactionFact? {
        for case .transaction(let fact) in facts { return fact }
        return nil
    }
}
