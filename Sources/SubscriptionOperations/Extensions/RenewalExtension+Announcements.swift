import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

extension StorageWriting {
    /// Completes the extension that Apple announces in a notification, or adds one that nobody asked this server for.
    /// Apple's summary ends an order of a campaign.
    ///
    /// - Source: App Store Server Notifications, RENEWAL_EXTENDED and RENEWAL_EXTENSION.
    /// - Throws: ``StorageError``.
    func noteExtension(
        in input: VerifiedInput,
        _ notice: VerifiedInput.Notice,
        with batch: inout AnnouncementBatch
    ) throws(StorageError) {
        switch notice.announcement?.kind {
        case .extensionFailed: try noteFailedOrders(in: input, with: &batch)
        case .extensionsFinished: try noteSummary(notice.announcement?.details ?? [:], in: input, with: &batch)
        default: try noteExtended(in: input, with: &batch)
        }
    }

    private func noteFailedOrders(
        in input: VerifiedInput,
        with batch: inout AnnouncementBatch
    ) throws(StorageError) {
        for item in input.items {
            guard let fact = item.transaction else { continue }
            let signedAt = item.evidence.signedAt
            let known = try renewalExtensions(of: fact.originalID, app: input.app, limit: Extending.listedMax)
            // A member that an announcement completed keeps it. The notification does not name its order, and a member
            // that is asked about again may be extended twice.
            for row in known where row.state == .ordered {
                guard row.belongs(to: try batch.order(of: row, app: input.app, in: self), at: signedAt) else {
                    continue
                }
                var failed = row
                failed.noteOrderFailure()
                try batch.save(failed, from: row, because: item.evidence, in: self)
            }
        }
    }

    private func noteSummary(
        _ details: [String: String],
        in input: VerifiedInput,
        with batch: inout AnnouncementBatch
    ) throws(StorageError) {
        guard let request = details["request_id"], let signedAt = input.items.first?.evidence.signedAt,
            var order = try massExtensionOrder(of: request, app: input.app)
        else { return }
        order.noteSummary(
            succeeded: details["succeeded_count"].flatMap { Int($0) },
            failed: details["failed_count"].flatMap { Int($0) },
            at: signedAt
        )
        try batch.save(order, of: input.app, in: self)
    }

    private func noteExtended(in input: VerifiedInput, with batch: inout AnnouncementBatch) throws(StorageError) {
        for item in input.items where item.evidence.type == NotificationType.renewalExtended.rawValue {
            guard let fact = item.transaction else { continue }
            let known = try renewalExtensions(of: fact.originalID, app: input.app, limit: Extending.listedMax)
            // Of a late announcement, the ledger has a later end.
            let stored = try ledger(of: fact.originalID, app: input.app)[fact.id]?.expiresAt
            let isEarlier = stored.flatMap { stored in fact.expiresAt.map { stored < $0 } } ?? false
            let announced = AnnouncedExtension(
                fact,
                signedAt: item.evidence.signedAt,
                endBefore: isEarlier ? stored : nil,
                known: known,
                app: input.app
            )
            let waiting = try waitingExtension(for: announced, app: input.app, with: &batch)
            var row =
                waiting
                ?? RenewalExtension(of: fact, announcedBy: item.evidence, previousEnd: announced.period.endBefore)
            row.noteAnnouncement(announced)
            try batch.save(row, from: waiting, because: item.evidence, in: self)
            // The announced end shows earlier extensions of the period too.
            for other in known where other.id != row.id && other.isFirstSeen(in: fact) {
                var seen = other
                seen.failure = nil
                try batch.save(seen, from: other, because: item.evidence, in: self)
            }
        }
    }

    /// The extension that Apple announces: one that was asked for this period, or a member of an order.
    ///
    /// Of several, it is the one of which Apple answered the announced end. Otherwise it moved the end by the announced
    /// length, and what Apple is asked about or has in an order comes before what ended without an answer: that may
    /// never have been made. A member of an order comes before one that its order left out, and one that has an
    /// obstacle as its result is the last: they may be of different orders. Of several that are equal it is the oldest.
    ///
    /// An order takes days, so it may extend a later period than the one in which the member was enlisted.
    private func waitingExtension(
        for announced: AnnouncedExtension,
        app: AppID,
        with batch: inout AnnouncementBatch
    ) throws(StorageError) -> RenewalExtension? {
        let period = announced.period
        let waiting = period.known.filter { $0.announcedAt == nil }
        let asked = waiting.filter { row in
            switch row.state {
            case .asked, .extended, .unknown:
                row.origin != .apple && row.transactionID == period.transactionID
            case .planned, .ordered, .refused, .skipped: false
            }
        }
        if let answered = asked.last(where: { $0.newEnd != nil && $0.newEnd == period.end }) { return answered }
        let fitting = asked.filter { period.fits($0) }
        let expected = fitting.filter { $0.state != .unknown }
        if let row = expected.last(where: { $0.newEnd == nil }) ?? expected.last { return row }
        let ordered = try member(of: [.ordered, .planned], among: waiting, for: announced, app: app, with: &batch)
        if let row = ordered ?? fitting.last { return row }
        return try member(of: [.refused], among: waiting, for: announced, app: app, with: &batch)
    }

    /// The oldest member in one of some states whose order may have made the announced extension.
    private func member(
        of states: [RenewalExtension.State],
        among waiting: [RenewalExtension],
        for announced: AnnouncedExtension,
        app: AppID,
        with batch: inout AnnouncementBatch
    ) throws(StorageError) -> RenewalExtension? {
        for state in states {
            for row in waiting.reversed()
            where row.state == state && row.mayBeExtendedByOrder && announced.period.fits(row) {
                let order = try batch.order(of: row, app: app, in: self)
                if row.mayBeExtended(by: order, at: announced.signedAt) { return row }
            }
        }
        return nil
    }
}

extension RenewalExtension {
    /// An extension that nobody asked this server for.
    fileprivate init(of transaction: TransactionFact, announcedBy evidence: EvidenceRecord, previousEnd: Timestamp?) {
        self.init(
            id: RenewalExtensionID(rawValue: evidence.id.rawValue),
            purchaseID: transaction.originalID,
            origin: .apple,
            createdAt: evidence.signedAt,
            state: .extended,
            transactionID: transaction.id,
            previousEnd: previousEnd
        )
    }
}
