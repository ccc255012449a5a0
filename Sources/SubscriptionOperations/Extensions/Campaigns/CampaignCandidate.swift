public import SubscriptionCore
import SubscriptionStorage

/// A subscription that a campaign is about, and whether it can be extended.
public struct CampaignCandidate: Hashable, Sendable {
    /// The subscription.
    public var purchaseID: OriginalTransactionID
    /// The product of the period that the campaign is about.
    public var productID: ProductID
    /// The storefront, as an ISO 3166-1 alpha-3 country; nil if it is not known.
    public var storefront: String?
    /// The transaction of the period that is extended; nil if there is none.
    public var transactionID: TransactionID?
    /// The end of that period.
    public var periodEnd: Timestamp?
    /// The price of the next renewal; nil if the subscription does not renew.
    public var renewalPrice: Money?
    /// What is against it; nil if it can be extended.
    public var obstacle: OperationError?
}

/// A page of candidates.
public struct CampaignCandidates: Hashable, Sendable {
    /// The candidates, by identifier.
    public var candidates: [CampaignCandidate] = []
    /// The last subscription that was looked at; nil if there are no more.
    public var last: OriginalTransactionID?
}

extension ExtensionCampaign.Terms {
    /// A subscription as a candidate; nil if the campaign is not about it.
    ///
    /// With a window, it is about who was subscribed in it; without one, about who is subscribed now.
    ///
    /// - Parameter extensions: The extensions of the subscription; nil if there are none or if they are not known yet.
    func candidate(
        _ ledger: PurchaseLedger,
        at now: Timestamp,
        policy: AccessPolicy,
        extensions: [RenewalExtension] = []
    ) -> CampaignCandidate? {
        guard case .subscription(let state)? = ledger.state(at: now, policy: policy) else { return nil }
        var (product, storefront) = (state.productID, state.storefront)
        if let window {
            guard let period = ledger.period(between: window.from, and: window.to) else { return nil }
            (product, storefront) = (period.productID, period.storefront)
        } else if state.status == .expired || state.status == .revoked {
            return nil
        }
        guard productIDs.contains(product) else { return nil }
        if let storefronts, !(storefront.map(storefronts.contains) ?? false) { return nil }
        let period = ledger.extendablePeriod(at: now)
        return CampaignCandidate(
            purchaseID: ledger.originalID,
            productID: product,
            storefront: storefront,
            transactionID: period?.id,
            periodEnd: period?.end,
            renewalPrice: state.nextPeriod.price,
            obstacle: ledger.obstacles(known: extensions, at: now, policy: policy).first
        )
    }
}

extension CampaignCounts {
    /// Counts a candidate.
    ///
    /// - Parameter isMember: Whether it waits for the end of its obstacle as a member, which counts as eligible.
    mutating func add(_ candidate: CampaignCandidate, isMember: Bool = false) {
        let (product, storefront) = (candidate.productID.rawValue, candidate.storefront ?? "unknown")
        if let obstacle = candidate.obstacle, !isMember {
            ineligible[obstacle.code, default: 0] += 1
            ineligibleProducts[product, default: [:]][obstacle.code, default: 0] += 1
            ineligibleStorefronts[storefront, default: [:]][obstacle.code, default: 0] += 1
            return
        }
        eligible += 1
        products[product, default: 0] += 1
        storefronts[storefront, default: 0] += 1
        if let price = candidate.renewalPrice { renewals[price.currency, default: 0] += Int(price.milliunits) }
    }
}

extension StorageReading {
    /// The candidates among some subscriptions, by identifier.
    ///
    /// - Parameters:
    ///   - id: The last subscription that was looked at before; nil for the first ones.
    ///   - limit: The number of purchases that are looked at.
    /// - Throws: ``StorageError``.
    func campaignCandidates(
        for terms: ExtensionCampaign.Terms,
        after id: OriginalTransactionID?,
        limit: Int,
        at now: Timestamp,
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) -> CampaignCandidates {
        let rows = try purchaseRows(of: app, after: id, limit: limit)
        var page = CampaignCandidates(last: rows.count == limit ? rows.last?.id : nil)
        var ledgers: [PurchaseLedger] = []
        for row in rows where row.isReadable {
            guard let candidate = terms.candidate(row.ledger, at: now, policy: policy) else { continue }
            page.candidates.append(candidate)
            ledgers.append(row.ledger)
        }
        // Only of those that may be extended, the extensions so far decide.
        let possible = page.candidates.indices.filter { page.candidates[$0].obstacle == nil }
        let known = try renewalExtensions(
            of: possible.map { page.candidates[$0].purchaseID },
            app: app,
            limit: Extending.listedMax
        )
        for (position, extensions) in zip(possible, known) where !extensions.isEmpty {
            let candidate = terms.candidate(ledgers[position], at: now, policy: policy, extensions: extensions)
            page.candidates[position].obstacle = candidate?.obstacle
        }
        return page
    }
}
