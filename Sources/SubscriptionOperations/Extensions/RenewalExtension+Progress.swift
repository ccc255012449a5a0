import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

extension RenewalExtension {
    /// Apple is being asked to extend a period.
    mutating func noteRequest(_ period: (id: TransactionID, end: Timestamp), at now: Timestamp) {
        (state, createdAt, origin) = (.asked, now, .request)
        (transactionID, previousEnd) = period
        failure = nil
        checkAt = now.adding(milliseconds: ExtensionChecks.delays[0])
    }

    /// Apple did not get the request of a campaign, which makes it again.
    ///
    /// - Parameter origin: The origin before the request. Of a member of an order, the order may still show an effect.
    mutating func noteNothingSent(origin: Origin) {
        guard state == .asked else { return }
        (state, checkAt, self.origin) = (.planned, nil, origin)
    }

    /// Apple asks to try again, because it could not find the subscription of a campaign's member.
    ///
    /// - Parameter origin: The origin before the request.
    mutating func notePostponed(_ reason: StoredFailure, origin: Origin) {
        guard state == .asked else { return }
        (state, checkAt, failure, self.origin) = (.planned, nil, reason, origin)
    }

    /// Whether Apple could not find it a short while ago.
    func isPostponed(at now: Timestamp) -> Bool {
        nextTryAt.map { createdAt <= now && now < $0 } ?? false
    }

    /// Apple is not asked about it alone, because of what the ledger shows.
    ///
    /// - Parameter wasOrdered: Whether Apple had it in an order. A late announcement may still say that the order
    ///   extended it.
    mutating func noteObstacle(_ obstacle: OperationError, wasOrdered: Bool) {
        state = wasOrdered ? .refused : .skipped
        if wasOrdered { origin = .order }
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

    /// Apple announced an extension of the period.
    mutating func noteAnnouncement(of transaction: TransactionFact, at time: Timestamp) {
        announcedAt = time
        transactionID = transaction.id
        noteEnd(transaction.expiresAt)
    }

    /// The signed transaction has another end than before the extension.
    mutating func noteEnd(_ end: Timestamp?) {
        state = .extended
        failure = nil
        newEnd = end ?? newEnd
        checkAt = nil
    }

    /// Apple was asked, and the ledger has what it answered.
    ///
    /// - Parameters:
    ///   - others: The other extensions of the subscription, which may explain a new end.
    ///   - mayBeInPlace: Whether its order may have extended it without moving the end.
    mutating func noteCheck(
        _ ledger: PurchaseLedger,
        others: [RenewalExtension],
        mayBeInPlace: Bool,
        at now: Timestamp
    ) {
        checks += 1
        if let end = movedEnd(in: ledger, others: others) { return noteEnd(end) }
        if state == .ordered { return noteOrderWithoutEffect(ledger, mayBeInPlace: mayBeInPlace, at: now) }
        let next = ExtensionChecks.delays.map { createdAt.adding(milliseconds: $0) }.first { $0 > now }
        checkAt = next
        guard next == nil else { return }
        if state == .asked {
            noteUnknown(Self.unconfirmed)
        } else if state == .extended, announcedAt == nil, newEnd != previousEnd, !isReached(in: ledger) {
            failure = StoredFailure(code: Self.notSeen, message: Self.notSeenMessage)
        }
    }

    /// How long Apple is asked about an extension although it gives no answer. An order alone may take a week.
    ///
    /// - Units: milliseconds.
    private static let checkedWithin: Int64 = 14 * 86_400_000

    /// Whether a check that fails now is the last one.
    func isCheckedTooLong(at now: Timestamp) -> Bool {
        now > createdAt.adding(milliseconds: Self.checkedWithin)
    }

    /// Apple gave no answer for too long.
    mutating func noteNoAnswer(_ ledger: PurchaseLedger) {
        guard state == .extended else { return noteUnknown(Self.unanswered) }
        checkAt = nil
        if announcedAt == nil, newEnd != previousEnd, !isReached(in: ledger) {
            failure = StoredFailure(code: Self.notSeen, message: Self.notSeenMessage)
        }
    }

    /// The end of the period, if it has moved and no other extension explains that.
    fileprivate func movedEnd(in ledger: PurchaseLedger, others: [RenewalExtension]) -> Timestamp? {
        guard let end = ledger[transactionID]?.expiresAt, let previousEnd, end > previousEnd,
            !others.contains(where: { $0.state == .extended && $0.newEnd == end })
        else { return nil }
        return end
    }

    /// The code of an extension that Apple confirmed, and that nothing signed shows.
    static let notSeen = "extension_not_seen"
    private static let notSeenMessage =
        "Apple answered that it extended the period, but no announcement came, and the end of the period did not "
        + "change within an hour. Recover the notifications, and look at the end of the period."

    fileprivate mutating func noteUnknown(_ message: String) {
        (state, checkAt) = (.unknown, nil)
        failure = StoredFailure(code: "extension_unconfirmed", message: message)
    }

    private static let unanswered =
        "Apple did not say for two weeks what it knows about the period. Look at its end: if it has not moved, ask "
        + "again with another Idempotency-Key."
    private static let unconfirmed =
        "Apple gave no answer, and the end of the period did not change within an hour. Look at the end of the period: "
        + "if it has not moved, ask again with another Idempotency-Key."
}

/// Members of a campaign in an order at Apple.
extension RenewalExtension {
    /// The code of a member that Apple's order did not extend, until it is asked about alone.
    static let orderFailed = "extension_order_failed"
    /// The clocks of Apple and of this server may differ by that much.
    ///
    /// - Units: milliseconds.
    static let clockTolerance: Int64 = 600_000

    /// Apple announced that its order did not extend it. While the order is open, nothing else may extend it.
    fileprivate mutating func noteOrderFailure() {
        failure = StoredFailure(
            code: Self.orderFailed,
            message: "Apple's order did not extend it. The server asks about it alone when the order is complete."
        )
    }

    /// Its order ended.
    ///
    /// - Parameter order: The order; nil if there is none.
    /// - Returns: Whether something changed.
    mutating func noteEnd(of order: MassExtensionOrder?, at now: Timestamp) -> Bool {
        guard state == .ordered, checkAt == nil else { return false }
        if let order, order.state == .ended, order.wasAccepted || order.failure?.code == MassExtensionOrder.unfinished {
            noteUnknown(Self.orderUnfinished)
            return true
        }
        guard let order, order.wasAccepted else {
            // Apple never had it.
            (state, origin, failure) = (.planned, .request, nil)
            return true
        }
        if failure?.code == Self.orderFailed {
            (state, origin, failure) = (.planned, .request, nil)
            return true
        }
        let end = order.completedAt ?? now
        guard end.adding(milliseconds: MassExtensionOrder.announcedWithin) <= now else { return false }
        checkAt = now
        return true
    }

    /// Apple's order is complete, and the end of the period did not move. It is asked about alone, and keeps the origin
    /// until then: a late announcement may still say that the order extended it.
    ///
    /// In the sandbox an extension may leave the end where it is. If Apple says that it extended everybody there, it is
    /// not asked about, because a second extension would count toward Apple's limit.
    private mutating func noteOrderWithoutEffect(
        _ ledger: PurchaseLedger,
        mayBeInPlace: Bool,
        at now: Timestamp
    ) {
        if isRenewed(ledger, at: now) { return noteUnknown(Self.renewedMeanwhile) }
        if mayBeInPlace { return noteUnknown(Self.countedAsExtended) }
        (state, checkAt) = (.planned, nil)
    }

    /// Looks once more before Apple is asked about it alone: whether the order extended it after all.
    ///
    /// - Parameter others: The other extensions of the subscription, which may explain a new end.
    /// - Returns: Whether it has a result.
    mutating func noteLateResult(
        _ ledger: PurchaseLedger,
        others: [RenewalExtension],
        at now: Timestamp
    ) -> Bool {
        guard origin == .order else { return false }
        if let end = movedEnd(in: ledger, others: others) {
            noteEnd(end)
            return true
        }
        guard isRenewed(ledger, at: now) else { return false }
        noteUnknown(Self.renewedMeanwhile)
        return true
    }

    private func isRenewed(_ ledger: PurchaseLedger, at now: Timestamp) -> Bool {
        ledger.extendablePeriod(at: now).map { $0.id != transactionID } ?? false
    }

    /// Whether an order at Apple may still have extended it: it has no result, or the obstacle that it met later.
    fileprivate var mayBeExtendedByOrder: Bool {
        switch state {
        case .ordered: true
        case .planned, .refused: origin == .order
        case .asked, .extended, .skipped, .unknown: false
        }
    }

    /// Whether a notification about the subscription may be about its order.
    fileprivate func belongs(to order: MassExtensionOrder?, at signedAt: Timestamp) -> Bool {
        guard let acceptedAt = order?.acceptedAt else { return false }
        return signedAt >= acceptedAt.adding(milliseconds: -Self.clockTolerance)
    }

    /// Whether Apple may have announced with a notification that its order extended it. A member whose order is over
    /// may wait for a call or have an obstacle for ever, and later announcements are about other extensions.
    fileprivate func mayBeExtended(by order: MassExtensionOrder?, at signedAt: Timestamp) -> Bool {
        guard belongs(to: order, at: signedAt) else { return false }
        guard state != .ordered, let order, !order.isOpen, let end = order.completedAt else { return true }
        return signedAt <= end.adding(milliseconds: MassExtensionOrder.extendedWithin)
    }

    private static let renewedMeanwhile =
        "The subscription was renewed while Apple carried out the order, and nothing shows whether Apple extended the "
        + "new period. Look at its end. Extend it alone only if it was not extended."
    private static let countedAsExtended =
        "Apple's order failed for nobody and extended at least as many as the campaign has members, but the end of "
        + "this period did not change. In the sandbox an extension may leave it where it is. Extend it alone if the "
        + "customer should have a later end."
    private static let orderUnfinished =
        "Apple did not say within a week that the order is complete, and may still extend it. Look at the end of the "
        + "period in some days. Extend it alone only if it was not extended."
}

extension StorageWriting {
    /// Completes the extension that Apple announces in a notification, or adds one that nobody asked this server for.
    /// Apple's summary ends an order of a campaign.
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
                guard row.belongs(to: try order(of: row, app: input.app), at: item.evidence.signedAt) else { continue }
                row.noteOrderFailure()
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
            var row: RenewalExtension
            if let waiting = try waitingExtension(for: fact, among: known, at: item.evidence.signedAt, app: input.app) {
                row = waiting
            } else {
                row = try announcedExtension(of: fact, by: item.evidence, app: input.app)
            }
            row.noteAnnouncement(of: fact, at: item.evidence.signedAt)
            try save(row, of: input.app)
            // The announced end shows earlier extensions of the period too.
            for var other in known where other.id != row.id && other.isFirstSeen(in: fact) {
                other.failure = nil
                try save(other, of: input.app)
            }
        }
    }

    /// The extension that Apple announces: one that was asked for this period, or a member of an order.
    ///
    /// Of several that were asked for, it is the one of which Apple answered the announced end, otherwise the oldest.
    /// An order takes days, so it may extend a later period than the one in which the member was enlisted.
    private func waitingExtension(
        for fact: TransactionFact,
        among known: [RenewalExtension],
        at signedAt: Timestamp,
        app: AppID
    ) throws(StorageError) -> RenewalExtension? {
        let known = known.filter { $0.announcedAt == nil }
        let asked = known.filter { row in
            switch row.state {
            case .asked, .extended, .unknown: row.origin != .apple && row.transactionID == fact.id
            case .planned, .ordered, .refused, .skipped: false
            }
        }
        let answered = asked.last { $0.newEnd != nil && $0.newEnd == fact.expiresAt }
        if let waiting = answered ?? asked.last { return waiting }
        // A member of an order comes before one that its order left out, and that before one that has an obstacle as
        // its result: they may be of different orders.
        for state in [RenewalExtension.State.ordered, .planned, .refused] {
            for row in known.reversed() where row.state == state && row.mayBeExtendedByOrder {
                if row.mayBeExtended(by: try order(of: row, app: app), at: signedAt) { return row }
            }
        }
        return nil
    }

    private func order(of row: RenewalExtension, app: AppID) throws(StorageError) -> MassExtensionOrder? {
        guard let campaign = row.campaignID, let product = row.productID else { return nil }
        return try massExtensionOrder(of: campaign, for: product, app: app)
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
