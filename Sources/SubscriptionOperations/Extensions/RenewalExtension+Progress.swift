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

    /// Apple answered that the request did nothing. An announcement or a check that completed it meanwhile is about
    /// another extension.
    mutating func noteWithoutEffect() {
        guard state == .extended || state == .unknown else { return }
        (state, newEnd, announcedAt, failure) = (.asked, nil, nil, nil)
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

    /// Its campaign was cancelled before Apple was asked about it alone, or again.
    ///
    /// - Parameter wasOrdered: Whether Apple had it in an order. A late announcement may still say that the order
    ///   extended it.
    mutating func noteCancel(wasOrdered: Bool) {
        let wasPostponed = nextTryAt != nil
        let message =
            if wasOrdered, wasPostponed {
                "Apple's order did not extend it. Asked about it alone, Apple could not find it and asked to try "
                    + "again, and the campaign was cancelled before."
            } else if wasOrdered {
                "Apple's order did not extend it, and the campaign was cancelled before Apple was asked about it alone."
            } else if wasPostponed {
                "Apple could not find it and asked to try again, and the campaign was cancelled before."
            } else {
                "The campaign was cancelled before Apple was asked about it."
            }
        state = wasOrdered || wasPostponed ? .refused : .skipped
        failure = StoredFailure(
            code: OperationError.campaignCancelled.code,
            message: "\(message) To extend it, extend it alone."
        )
    }

    /// Apple answered that it extended the period. The answer is not signed, so the end of access follows from Apple's
    /// announcement or from the transaction, whichever comes first.
    mutating func noteAnswer(_ end: Timestamp?) {
        state = .extended
        failure = nil
        newEnd = newEnd ?? end
    }

    /// Apple refused.
    ///
    /// - Parameter origin: The origin before the request. A late announcement may still say that an order extended it.
    mutating func noteRefusal(_ failure: StoredFailure, origin: Origin = .request) {
        guard state == .asked else { return }
        (state, checkAt, self.failure, self.origin) = (.refused, nil, failure, origin)
    }

    /// Apple announced an extension of the period.
    ///
    /// Between the enlisting of a member of an order and its announcement, others may have moved the end.
    mutating func noteAnnouncement(_ announced: AnnouncedExtension) {
        if origin == .order { previousEnd = announced.period.previousEnd(of: self) }
        announcedAt = announced.signedAt
        transactionID = announced.period.transactionID
        noteEnd(announced.period.end)
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
        app: AppID,
        at now: Timestamp
    ) {
        checks += 1
        if let end = movedEnd(in: ledger, others: others, app: app) { return noteEnd(end) }
        if state == .ordered {
            if mayBeContained(in: ledger, others: others, app: app) { return noteUnknown(Self.extendedWithOthers) }
            return noteOrderWithoutEffect(ledger, mayBeInPlace: mayBeInPlace, at: now)
        }
        let next = ExtensionChecks.delays.map { createdAt.adding(milliseconds: $0) }.first { $0 > now }
        checkAt = next
        guard next == nil else { return }
        if state == .asked {
            let isMoved = isMovedByOthers(in: ledger, others: others, app: app)
            noteUnknown(isMoved ? Self.movedOtherwise : Self.unconfirmed)
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

    /// The code of an extension that Apple confirmed, and that nothing signed shows.
    static let notSeen = "extension_not_seen"
    private static let notSeenMessage =
        "Apple answered that it extended the period, but no announcement came, and the end of the period did not "
        + "change within an hour. Recover the notifications, and look at the end of the period."

    mutating func noteUnknown(_ message: String) {
        (state, checkAt) = (.unknown, nil)
        failure = StoredFailure(code: "extension_unconfirmed", message: message)
    }

    private static let unanswered =
        "Apple did not say for two weeks what it knows about the period. Look at its end: if it has not moved, ask "
        + "again with another Idempotency-Key."
    private static let movedOtherwise =
        "Apple gave no answer, and the end of the period moved by another number of days, as by an extension "
        + "of others. Look at the end of the period: if this one is missing, ask again with another Idempotency-Key."
    static let unconfirmed =
        "Apple gave no answer, and the end of the period did not change within an hour. Look at the end of the period: "
        + "if it has not moved, ask again with another Idempotency-Key."
}
