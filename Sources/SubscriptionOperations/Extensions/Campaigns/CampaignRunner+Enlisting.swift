import SubscriptionCore
import SubscriptionStorage

extension CampaignRunner {
    /// Stores a planned extension for each subscription that can be extended, or has an obstacle that may be over soon.
    func enlist(_ work: CampaignWork) async throws(StorageError) {
        var goesOn = true
        while goesOn, !Task.isCancelled {
            let campaign = try await database.read { storage throws(StorageError) in
                try storage.extensionCampaign(work.id, of: work.app)
            }
            guard let campaign, campaign.state == .running, !campaign.isEnlisted else { return }
            let through = campaign.enlistedThrough
            let page = try await candidates(for: campaign.terms, after: through, app: work.app)
            let now = time.now()
            goesOn = try await change(work) { campaign, storage, app throws(StorageError) in
                guard campaign.state == .running, campaign.enlistedThrough == through, !campaign.isEnlisted else {
                    return false
                }
                for candidate in page.candidates {
                    var planned: RenewalExtension?
                    if candidate.obstacle?.passes ?? true { planned = campaign.member(candidate, at: now) }
                    campaign.enlisted.add(candidate, isMember: planned != nil)
                    guard var member = planned else { continue }
                    campaign.count(&member)
                    try storage.save(member, of: app)
                }
                campaign.enlistedThrough = page.last ?? through
                campaign.isEnlisted = page.last == nil
                if campaign.isEnlisted { for order in campaign.orders { try storage.save(order, of: app) } }
                return !campaign.isEnlisted
            }
        }
    }
}

extension ExtensionCampaign {
    /// A planned extension of a candidate; nil if it has no period.
    fileprivate func member(_ candidate: CampaignCandidate, at now: Timestamp) -> RenewalExtension? {
        guard let transaction = candidate.transactionID else { return nil }
        var member = RenewalExtension(
            id: RenewalExtensionID(rawValue: "\(id.rawValue)-\(candidate.purchaseID.rawValue)"),
            purchaseID: candidate.purchaseID,
            origin: .request,
            createdAt: now,
            state: terms.method == .mass ? .ordered : .planned,
            transactionID: transaction,
            previousEnd: candidate.periodEnd
        )
        if terms.method == .mass { member.origin = .order }
        member.productID = candidate.productID
        (member.days, member.reason, member.campaignID) = (terms.days, terms.reason, id)
        return member
    }
}
