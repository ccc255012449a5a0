import SubscriptionCore
import SubscriptionStorage

extension CampaignRunner {
    /// Ends the planned members of a cancelled campaign: Apple is not asked about them any more.
    func endPlanned(_ work: CampaignWork) async throws(StorageError) {
        let now = time.now()
        while !Task.isCancelled {
            let planned = try await database.read { storage throws(StorageError) -> [RenewalExtension] in
                guard try storage.extensionCampaign(work.id, of: work.app)?.state == .cancelled else { return [] }
                return try storage.members(of: work.id, in: .planned, app: work.app, limit: Self.pageSize)
            }
            guard !planned.isEmpty else { return }
            let goesOn = try await change(work) { campaign, storage, app throws(StorageError) in
                try storage.lockPurchases(of: planned, app: app)
                let orders =
                    try campaign.terms.method == .mass ? storage.massExtensionOrders(of: work.id, app: app) : []
                for member in planned {
                    guard var row = try storage.renewalExtension(member.id, of: app), row.state == .planned else {
                        continue
                    }
                    let order = orders.first { $0.productID == member.productID }
                    let known = try storage.renewalExtensions(of: row.purchaseID, app: app, limit: Extending.listedMax)
                    var hasResult = try storage.takeOrderAnnouncement(for: &row, of: order, among: known, app: app)
                    if !hasResult, row.origin == .order {
                        let ledger = try storage.ledger(of: row.purchaseID, app: app)
                        let others = known.filter { $0.id != member.id }
                        hasResult = row.noteLateResult(ledger, others: others, app: app, at: now)
                    }
                    if !hasResult { row.noteCancel(wasOrdered: order?.wasAccepted ?? false) }
                    // The end by a cancel is no progress, so there is no event about it.
                    campaign.count(&row)
                    try storage.save(row, of: app)
                }
                return true
            }
            guard goesOn else { return }
        }
    }
}
