import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

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
            let signedAt = item.evidence.signedAt
            let known = try renewalExtensions(of: fact.originalID, app: input.app, limit: Extending.listedMax)
            // A member that an announcement completed keeps it. The notification does not name its order, and a member
            // that is asked about again may be extended twice.
            for var row in known where row.state == .ordered {
                guard row.belongs(to: try order(of: row, app: input.app), at: signedAt) else { continue }
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
            var row =
                try waitingExtension(for: announced, app: input.app)
                ?? RenewalExtension(of: fact, announcedBy: item.evidence, previousEnd: announced.period.endBefore)
            row.noteAnnouncement(announced)
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
    /// Of several, it is the one of which Apple answered the announced end. Otherwise it moved the end by the announced
    /// length, and what Apple is asked about or has in an order comes before what ended without an answer: that may
    /// never have been made. A member of an order comes before one that its order left out, and one that has an
    /// obstacle as its result is the last: they may be of different orders. Of several that are equal it is the oldest.
    ///
    /// An order takes days, so it may extend a later period than the one in which the member was enlisted.
    private func waitingExtension(
        for announced: AnnouncedExtension,
        app: AppID
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
        if let row = try member(of: [.ordered, .planned], among: waiting, for: announced, app: app) { return row }
        if let row = fitting.last { return row }
        return try member(of: [.refused], among: waiting, for: announced, app: app)
    }

    /// The oldest member in one of some states whose order may have made the announced extension.
    private func member(
        of states: [RenewalExtension.State],
        among waiting: [RenewalExtension],
        for announced: AnnouncedExtension,
        app: AppID
    ) throws(StorageError) -> RenewalExtension? {
        for state in states {
            for row in waiting.reversed()
            where row.state == state && row.mayBeExtendedByOrder && announced.period.fits(row) {
                if row.mayBeExtended(by: try order(of: row, app: app), at: announced.signedAt) { return row }
            }
        }
        return nil
    }

    private func order(of row: RenewalExtension, app: AppID) throws(StorageError) -> MassExtensionOrder? {
        guard let campaign = row.campaignID, let product = row.productID else { return nil }
        return try massExtensionOrder(of: campaign, for: product, app: app)
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
