import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

/// Announcements that another extension got first. RENEWAL_EXTENDED does not say whose it is.
extension StorageWriting {
    /// Takes back what completed a request while its call was open, because Apple answered that it did nothing.
    ///
    /// - Parameter known: The newest extensions of the subscription.
    func noteWithoutEffect(
        _ row: inout RenewalExtension,
        among known: [RenewalExtension],
        app: AppID
    ) throws(StorageError) {
        try separateAnnouncement(of: row.id, among: known, app: app)
        row.noteWithoutEffect()
    }

    /// Stores an announcement that completed a request or a member as an extension that nobody asked this server for.
    ///
    /// - Parameter known: The newest extensions of the subscription.
    func separateAnnouncement(
        of id: RenewalExtensionID,
        among known: [RenewalExtension],
        app: AppID
    ) throws(StorageError) {
        guard let row = known.first(where: { $0.id == id }), let signedAt = row.announcedAt else { return }
        let others = Set(known.map(\.id.rawValue))
        let announcements = try PurchaseHistory.inputs(about: row.purchaseID, app: app, storage: self)
            .filter { $0.type == NotificationType.renewalExtended.rawValue && $0.signedAt == signedAt }
        guard let announcement = announcements.last(where: { !others.contains($0.id.rawValue) }) else { return }
        var own = RenewalExtension(
            id: RenewalExtensionID(rawValue: announcement.id.rawValue),
            purchaseID: row.purchaseID,
            origin: .apple,
            createdAt: signedAt,
            state: .extended,
            transactionID: row.transactionID,
            previousEnd: row.previousEnd
        )
        (own.newEnd, own.announcedAt) = (row.newEnd, signedAt)
        try save(own, of: app)
    }

    /// Gives an extension the announcement of the end that Apple answered, if another one of the same period has it.
    ///
    /// The other one ends without an answer again, or disappears if it was nothing but the announcement. In the sandbox
    /// several extensions may have the same end.
    ///
    /// - Throws: ``StorageError``.
    func takeAnsweredAnnouncement(for row: inout RenewalExtension, app: AppID) throws(StorageError) {
        guard app.environment == .production, row.state == .extended, row.announcedAt == nil, let end = row.newEnd,
            row.previousEnd.map({ $0 < end }) ?? false
        else { return }
        let (id, period) = (row.id, row.transactionID)
        let known = try renewalExtensions(of: row.purchaseID, app: app, limit: Extending.listedMax)
        let found = known.first { other in
            other.id != id && other.origin != .order && other.transactionID == period && other.state == .extended
                && other.announcedAt != nil && other.newEnd == end
        }
        guard var other = found else { return }
        row.announcedAt = other.announcedAt
        row.noteEnd(end)
        if other.origin == .apple { return try removeExtension(other, app: app) }
        (other.announcedAt, other.newEnd) = (nil, nil)
        other.noteUnknown(RenewalExtension.unconfirmed)
        try save(other, of: app)
    }

    /// Gives a member the announcement of its order that was stored as an extension of its own, because the server did
    /// not know yet that Apple had the order, or the announcements arrived in another order.
    ///
    /// An announcement of more days than the order's may contain the order's and an extension whose announcement was
    /// lost. Then the member ends without an answer.
    ///
    /// - Parameters:
    ///   - order: The order of the member; nil if there is none.
    ///   - known: The newest extensions of the subscription.
    /// - Returns: Whether the member has a result. Then it must not be asked about alone.
    /// - Throws: ``StorageError``.
    func takeOrderAnnouncement(
        for row: inout RenewalExtension,
        of order: MassExtensionOrder?,
        among known: [RenewalExtension],
        app: AppID
    ) throws(StorageError) -> Bool {
        guard row.mayBeExtendedByOrder, let order, order.wasAccepted else { return false }
        let end = order.completedAt?.adding(milliseconds: MassExtensionOrder.announcedWithin)
        var mayBeExtended = false
        for other in known.reversed() where other.id != row.id {
            guard let announced = AnnouncedExtension(other, known: known, app: app),
                row.belongs(to: order, at: announced.signedAt), end.map({ announced.signedAt <= $0 }) ?? true
            else { continue }
            if announced.period.fits(row) {
                row.noteAnnouncement(announced)
                try removeExtension(other, app: app)
                return true
            }
            mayBeExtended = mayBeExtended || announced.period.mayContain(row)
        }
        if mayBeExtended { row.noteUnknown(RenewalExtension.extendedWithOthers) }
        return mayBeExtended
    }

    private func removeExtension(_ row: RenewalExtension, app: AppID) throws(StorageError) {
        try remove(RenewalExtension.self, TableLookup(of: app, equal: [.text(row.id)]))
    }
}
