public import SubscriptionCore
public import SubscriptionStorage

extension ExtensionCampaign {
    /// The products of which the dry run found nobody who can be extended; nil until it is finished.
    public var productsWithoutEligible: [ProductID]? {
        finishedCounts.map { counts in terms.productIDs.filter { counts.products[$0.rawValue] == nil } }
    }

    /// The storefronts in which the dry run found nobody who can be extended; nil until it is finished.
    public var storefrontsWithoutEligible: [String]? {
        finishedCounts.map { counts in (terms.storefronts ?? []).filter { counts.storefronts[$0] == nil } }
    }

    /// The subscriptions that cannot be extended by product, and then by the first obstacle; nil without a dry run, and
    /// in one of an earlier version.
    public var ineligibleProducts: [String: [String: Int]]? { completeCounts?.ineligibleProducts }

    /// The same by storefront.
    public var ineligibleStorefronts: [String: [String: Int]]? { completeCounts?.ineligibleStorefronts }

    /// The counts of the dry run, if they have each ineligible subscription by product too.
    private var completeCounts: CampaignCounts? {
        guard let counts = dryRun?.counts else { return nil }
        let byProduct = counts.ineligibleProducts.values.reduce(0) { $0 + $1.values.reduce(0, +) }
        return byProduct == counts.ineligible.values.reduce(0, +) ? counts : nil
    }

    private var finishedCounts: CampaignCounts? { dryRun.flatMap { $0.finishedAt == nil ? nil : $0.counts } }

    /// Where Apple's counts of the orders differ from each other, or from the results of the members, and how many
    /// members Apple confirmed although neither an announcement nor the ledger shows their extension.
    ///
    /// The members are compared when Apple has completed every order that it accepted, and no member waits for one.
    ///
    /// - Parameter orders: All orders of the campaign.
    /// - Returns: A code and a message for each difference.
    public func disagreements(with orders: [MassExtensionOrder]) -> [StoredFailure] {
        var found = orders.compactMap(\.failure).filter { $0.code == MassExtensionOrder.countsDiffer }
        if let unseen = members[RenewalExtension.unseenResult] { found.append(.notSeen(unseen)) }
        let accepted = orders.filter(\.wasAccepted)
        let isOver = orders.allSatisfy { !$0.isOpen } && accepted.allSatisfy { $0.state == .complete }
        guard !accepted.isEmpty, isOver, isEnlisted, count(of: [.ordered]) == 0 else { return found }
        let extended = members["extended:order"] ?? 0
        if let apples = accepted.sum(\.succeeded), apples != extended {
            found.append(.extendedDiffer(apples: apples, ours: extended))
        }
        // The members of a refused order are not in Apple's counts.
        let others = memberCount - extended
        if accepted.count == orders.count, let apples = accepted.sum(\.failed), apples != others {
            found.append(.failedDiffer(apples: apples, ours: others))
        }
        return found
    }
}

extension [MassExtensionOrder] {
    /// The sum of one of Apple's counts; nil if Apple did not say all of them.
    fileprivate func sum(_ name: KeyPath<MassExtensionOrder, Int?>) -> Int? {
        let counts = compactMap { $0[keyPath: name] }
        return counts.count == count ? counts.reduce(0, +) : nil
    }
}

extension StoredFailure {
    fileprivate static func notSeen(_ count: Int) -> StoredFailure {
        StoredFailure(
            code: RenewalExtension.notSeen,
            message: "Apple answered that it extended \(count) of the members, but no announcement came, and the ends "
                + "of their periods did not change within an hour. Recover notifications, and look at these members."
        )
    }

    fileprivate static func extendedDiffer(apples: Int, ours: Int) -> StoredFailure {
        StoredFailure(
            code: "extension_extended_differ",
            message: "Apple counts \(apples) extended by its orders, the members' results \(ours). "
                + "Somebody was extended who is no member, or announcements are missing: recover notifications."
        )
    }

    fileprivate static func failedDiffer(apples: Int, ours: Int) -> StoredFailure {
        StoredFailure(
            code: "extension_failed_differ",
            message: "Apple counts \(apples) not extended by its orders, the members' results \(ours). "
                + "Apple counted somebody who is no member, or did not count a member. Or others extended a member by "
                + "as many days while the order was open, and that counts as the order's. Members that an order did "
                + "not extend are asked about alone."
        )
    }
}
