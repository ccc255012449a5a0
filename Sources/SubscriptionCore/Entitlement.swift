/// What a customer may use, until when, and because of what.
public struct Entitlement: Hashable, Sendable, Codable {
    /// What gives it.
    public enum Source: String, Hashable, Sendable, Codable, CaseIterable {
        /// A subscription.
        case subscription
        /// A one-time purchase.
        case purchase
        /// An operator's grant.
        case grant
    }

    /// Why the customer may not use it.
    public enum InactiveReason: String, Hashable, Sendable, Codable, CaseIterable {
        /// The paid time ended.
        case expired
        /// The money was given back.
        case refunded
        /// Access was revoked without a refund: sharing ended, or another customer owns the purchase now.
        case revoked
        /// The renewal failed, and the store still tries to charge.
        case billingRetry = "billing_retry"
        /// An operator's grant ended, or was taken back.
        case grantEnded = "grant_ended"
        /// This version does not know the kind of product, so it gives no access.
        case unknownProductType = "unknown_product_type"
        /// The customer changed to a product that does not give it.
        case planChanged = "plan_changed"
        /// The developer removed the product from the entitlement.
        case definitionChanged = "definition_changed"
    }

    /// The entitlement.
    public var id: EntitlementID
    /// Whether the customer may use it now.
    public var isActive: Bool
    /// Why the customer may not use it; nil while it is active.
    public var inactiveReason: InactiveReason?
    /// When the paid time ends, or when access ended; absent where it never ends.
    public var expiresAt: Timestamp?
    /// When the grace period ends, the store's or the developer's own, while it runs.
    public var graceExpiresAt: Timestamp?
    /// The product that gives it; absent for a grant.
    public var productID: ProductID?
    /// The purchase that gives it; absent for a grant.
    public var purchaseID: OriginalTransactionID?
    /// The grant that gives it; absent for a purchase.
    public var grantID: GrantID?
    /// Whether it continues after ``expiresAt``: the subscription renews with a product that gives it.
    public var willRenew: Bool
    /// Whether the last charge failed.
    public var hasBillingIssue: Bool
    /// What gives it.
    public var source: Source

    /// Makes an entitlement from its parts, such as they were stored.
    package init(
        id: EntitlementID,
        isActive: Bool,
        inactiveReason: InactiveReason? = nil,
        expiresAt: Timestamp?,
        graceExpiresAt: Timestamp?,
        productID: ProductID?,
        purchaseID: OriginalTransactionID?,
        grantID: GrantID? = nil,
        willRenew: Bool,
        hasBillingIssue: Bool,
        source: Source
    ) {
        self.id = id
        self.isActive = isActive
        self.inactiveReason = inactiveReason
        self.expiresAt = expiresAt
        self.graceExpiresAt = graceExpiresAt
        self.productID = productID
        self.purchaseID = purchaseID
        self.grantID = grantID
        self.willRenew = willRenew
        self.hasBillingIssue = hasBillingIssue
        self.source = source
    }

    /// When access ends as known now, including the grace period; the maximum timestamp if it never ends.
    package var accessEndsAt: Timestamp {
        let paid = expiresAt ?? Timestamp(milliseconds: .max)
        return max(paid, graceExpiresAt ?? paid)
    }

    /// The entitlement as reported at a time: an inactive entitlement does not end after that time.
    ///
    /// The clocks of the store and of this machine may differ, so the date of a refund can be slightly in the future.
    package func reported(at now: Timestamp) -> Entitlement {
        guard !isActive, let expiresAt, expiresAt > now else { return self }
        var copy = self
        copy.expiresAt = now
        return copy
    }
}

/// Which products give an entitlement.
public struct EntitlementDefinition: Hashable, Sendable, Codable {
    /// The entitlement.
    public var id: EntitlementID
    /// The products that give it, without repeats, in order.
    public var productIDs: [ProductID]
    /// How long the entitlement stays active after the paid period while the store retries the charge and no grace
    /// period of the store's own is running.
    ///
    /// - Units: days of 24 hours; 0 is not at all.
    public var billingRetryGraceDays: Int

    /// Makes a definition.
    public init(id: EntitlementID, productIDs: [ProductID], billingRetryGraceDays: Int = 0) {
        self.id = id
        self.productIDs = productIDs
        self.billingRetryGraceDays = billingRetryGraceDays
    }
}

/// The rule that turns purchases, and an operator's grants, into entitlements.
///
/// With definitions, a purchase gives the entitlements that list its product. Without definitions, each subscription
/// group and each non-consumable product is an entitlement of its own.
public struct EntitlementRule: Sendable {
    private let entitlementsByProduct: [ProductID: [EntitlementDefinition]]?

    /// Makes the rule of an app.
    public init(definitions: [EntitlementDefinition]) {
        guard !definitions.isEmpty else {
            entitlementsByProduct = nil
            return
        }
        var byProduct: [ProductID: [EntitlementDefinition]] = [:]
        for definition in definitions {
            for product in definition.productIDs { byProduct[product, default: []].append(definition) }
        }
        entitlementsByProduct = byProduct
    }

    /// The current and former entitlements by identifier, each from its best source.
    public func entitlements(
        from purchases: [PurchaseState],
        grants: [GrantState] = []
    ) -> [EntitlementID: Entitlement] {
        var best: [EntitlementID: Entitlement] = [:]
        for candidate in grants.map(Entitlement.init(grant:)) where candidate.isBetter(than: best[candidate.id]) {
            best[candidate.id] = candidate
        }
        for purchase in purchases {
            for candidate in entitlements(from: purchase) where candidate.isBetter(than: best[candidate.id]) {
                best[candidate.id] = candidate
            }
        }
        return best
    }

    /// The definitions that list a product.
    func definitions(of product: ProductID) -> [EntitlementDefinition] {
        entitlementsByProduct?[product] ?? []
    }

    /// Why a product gives an entitlement, or none.
    public func step(from product: ProductID) -> Explanation.Step {
        let text: String
        switch entitlementsByProduct {
        case nil: text = "No entitlement is defined, so each group and each non-consumable product is one."
        case let byProduct? where byProduct[product] == nil: text = "No entitlement is defined to come with it."
        case _?: text = "The entitlement is defined to come with it."
        }
        return Explanation.Step(.rule(product), text)
    }

    /// Whether a purchase gives no access because no entitlement lists its product.
    ///
    /// The app itself consumes consumables, so most of them are in no entitlement.
    public func leavesUnassigned(_ purchase: PurchaseState) -> Bool {
        guard purchase.givesAccess else { return false }
        if case .oneTime(let state) = purchase, state.kind == .consumable { return false }
        return entitlements(from: purchase).allSatisfy { $0.inactiveReason == .planChanged }
    }

    private func entitlements(from purchase: PurchaseState) -> [Entitlement] {
        switch purchase {
        case .subscription(let state):
            given(by: state)
                + state.formerProducts.flatMap { former in
                    identifiers(of: former.id, otherwise: nil).map { Entitlement(id: $0, former: former, of: state) }
                }
        case .oneTime(let state):
            identifiers(of: state.productID, otherwise: state.kind == .nonConsumable ? state.productID.rawValue : nil)
                .map { Entitlement(id: $0, purchase: state) }
        }
    }

    /// The entitlements of the product of the current or last period.
    private func given(by state: SubscriptionState) -> [Entitlement] {
        let next = state.nextProductID.map { Set(identifiers(of: $0, in: state)) } ?? []
        return identifiers(of: state.productID, in: state).map { id in
            Entitlement(
                id: id,
                subscription: state,
                ownGraceEnd: runningGraceEnd(of: id, in: state),
                willRenew: state.autoRenew && next.contains(id)
            )
        }
    }

    private func identifiers(of product: ProductID, in state: SubscriptionState) -> [EntitlementID] {
        identifiers(of: product, otherwise: state.groupID?.rawValue ?? product.rawValue)
    }

    private func identifiers(of product: ProductID, otherwise undefined: String?) -> [EntitlementID] {
        if let entitlementsByProduct { return (entitlementsByProduct[product] ?? []).map(\.id) }
        return undefined.map { [EntitlementID($0)] } ?? []
    }
}

extension Entitlement {
    fileprivate init(
        id: EntitlementID,
        subscription state: SubscriptionState,
        ownGraceEnd: Timestamp?,
        willRenew: Bool
    ) {
        let isActive = state.givesAccess || ownGraceEnd != nil
        self.init(
            id: id,
            isActive: isActive,
            inactiveReason: isActive ? nil : InactiveReason(state),
            expiresAt: isActive
                ? state.periodEndsAt : min(state.periodEndsAt, state.endedEarlyAt ?? state.periodEndsAt),
            graceExpiresAt: ownGraceEnd ?? state.graceExpiresAt,
            productID: state.productID,
            purchaseID: state.id,
            willRenew: willRenew,
            hasBillingIssue: state.billingIssue != nil,
            source: .subscription
        )
    }

    /// The entitlement of a former product of the subscription.
    fileprivate init(id: EntitlementID, former product: SubscriptionState.FormerProduct, of state: SubscriptionState) {
        self.init(
            id: id,
            isActive: false,
            inactiveReason: .planChanged,
            expiresAt: product.endedAt,
            graceExpiresAt: nil,
            productID: product.id,
            purchaseID: state.id,
            willRenew: false,
            hasBillingIssue: false,
            source: .subscription
        )
    }

    fileprivate init(id: EntitlementID, purchase state: OneTimePurchaseState) {
        self.init(
            id: id,
            isActive: state.givesAccess,
            inactiveReason: state.givesAccess ? nil : InactiveReason(state),
            expiresAt: state.revokedAt,
            graceExpiresAt: nil,
            productID: state.productID,
            purchaseID: state.id,
            willRenew: false,
            hasBillingIssue: false,
            source: .purchase
        )
    }

    fileprivate init(grant state: GrantState) {
        self.init(
            id: state.grant.entitlementID,
            isActive: state.isActive,
            inactiveReason: state.isActive ? nil : .grantEnded,
            expiresAt: state.grant.endsAt,
            graceExpiresAt: nil,
            productID: nil,
            purchaseID: nil,
            grantID: state.grant.id,
            willRenew: false,
            hasBillingIssue: false,
            source: .grant
        )
    }

    /// Active before inactive, then the later end, then purchases before grants, then the smaller identifier. The order
    /// is total, so the choice is deterministic.
    fileprivate func isBetter(than other: Entitlement?) -> Bool {
        guard let other else { return true }
        if isActive != other.isActive { return isActive }
        if accessEndsAt != other.accessEndsAt { return accessEndsAt > other.accessEndsAt }
        if let purchaseID, let otherID = other.purchaseID { return purchaseID < otherID }
        if let grantID, let otherID = other.grantID { return grantID < otherID }
        return purchaseID != nil
    }
}

extension Entitlement.InactiveReason {
    /// Why a subscription gives no access.
    fileprivate init(_ state: SubscriptionState) {
        switch state.status {
        case .inBillingRetry: self = .billingRetry
        case .revoked: self = state.endReason == .sharingEnded ? .revoked : .refunded
        case .active, .inGracePeriod, .expired: self = .expired
        }
    }

    /// Why a one-time purchase gives no access. A shared purchase ends without a refund to the customer.
    fileprivate init(_ state: OneTimePurchaseState) {
        guard state.revokedAt != nil else {
            self = .unknownProductType
            return
        }
        self = state.ownership == .purchased ? .refunded : .revoked
    }
}
