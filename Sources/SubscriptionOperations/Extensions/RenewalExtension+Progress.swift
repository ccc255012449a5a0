import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

extension RenewalExtension {
    /// Apple is being asked to extend a period.
    mutating func noteRequest(_ period: (id: TransactionID, end: Timestamp), at now: Timestamp) {
        (state, createdAt) = (.asked, now)
        (transactionID, previousEnd) = period
        checkAt = now.adding(milliseconds: ExtensionChecks.delays[0])
    }

    /// Apple's order did not extend it: it is asked about alone.
    mutating func noteOrderFailed() {
        guard state == .ordered else { return }
        (state, origin, checkAt) = (.planned, .request, nil)
    }

    /// Apple did not get the request of a campaign, which makes it again.
    mutating func noteNothingSent() {
        guard state == .asked else { return }
        (state, checkAt) = (.planned, nil)
    }

    /// It was not asked for, because of what the ledger shows.
    mutating func noteObstacle(_ obstacle: OperationError) {
        state = .refused
        failure = StoredFailure(code: obstacle.code, message: obstacle.message)
    }

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

    /// Whether Apple's announcement of an extended period may be about this extension.
    ///
    /// An order of a campaign takes days, so it may extend a later period.
    func isAnnounced(by transaction: TransactionFact) -> Bool {
        guard announcedAt == nil else { return false }
        switch state {
        case .planned, .refused: return false
        case .ordered: return true
        case .asked, .extended, .unknown: return origin != .apple && transactionID == transaction.id
        }
    }

    /// Apple announced an extension of the period.
    mutating func noteAnnouncement(of transaction: TransactionFact, at time: Timestamp) {
        announcedAt = time
        transactionID = transaction.id
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
        if state == .ordered {
            guard let period = ledger.extendablePeriod(at: now), period.id != transactionID else {
                return noteOrderFailed()
            }
            // Apple may have extended the next period, whose end does not show it.
            return noteUnknown()
        }
        let next = ExtensionChecks.delays.map { createdAt.adding(milliseconds: $0) }.first { $0 > now }
        checkAt = next
        if next == nil, state == .asked { noteUnknown() }
    }

    private mutating func noteUnknown() {
        (state, checkAt) = (.unknown, nil)
        failure = StoredFailure(code: "extension_unconfirmed", message: Self.unconfirmed)
    }

    private static let unconfirmed =
        "Apple gave no answer, and the end of the period did not change within an hour. Ask again with another "
        + "Idempotency-Key if the customer should have it."
}

extension StorageWriting {
    /// Completes the extension that Apple announces in a notification, or adds one that nobody asked this server for.
    /// A member of a campaign that Apple's order did not extend is asked about alone. Apple's summary ends the order.
    ///
    /// - Source: App Store Server Notifications, RENEWAL_EXTENDED and RENEWAL_EXTENSION.
    /// - Throws: ``StorageError``.
    func noteExtension(in input: VerifiedInput, _ notice: VerifiedInput.Notice) throws(StorageError) {
        switch notice.announcement?.kind {
        case .extensionFailed: try noteFailedOrders(in: input)
        case .extensionsFinished: try noteSummary(notice.announcement?.details ?? [:], in: input)
        default: try noteExtended(in: input)
        }
    }

    private func noteFailedOrders(in input: VerifiedInput) throws(StorageError) {
        for item in input.items {
            guard let fact = item.transaction else { continue }
            let known = try renewalExtensions(of: fact.originalID, app: input.app, limit: Extending.listedMax)
            for var row in known where row.state == .ordered {
                row.noteOrderFailed()
                try save(row, of: input.app)
            }
        }
    }

    private func noteSummary(_ details: [String: String], in input: VerifiedInput) throws(StorageError) {
        guard let request = details["request_id"], let signedAt = input.items.first?.evidence.signedAt,
            var order = try massExtensionOrder(of: request, app: input.app)
        else { return }
        order.noteSummary(
            succeeded: details["succeeded_count"].flatMap { Int($0) },
            failed: details["failed_count"].flatMap { Int($0) },
            at: signedAt
        )
        try save(order, of: input.app)
    }

    private func noteExtended(in input: VerifiedInput) throws(StorageError) {
        for item in input.items where item.evidence.type == NotificationType.renewalExtended.rawValue {
            guard let fact = item.transaction else { continue }
            let known = try renewalExtensions(of: fact.originalID, app: input.app, limit: Extending.listedMax)
            let waiting = known.last { $0.isAnnounced(by: fact) }
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
