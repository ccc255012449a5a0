package import SubscriptionCore
package import SubscriptionStorage

/// What a RevenueCat message contains beside the event.
///
/// It is read when the message is made, so it may be newer than the event; the event's own times, amounts and
/// identifiers are used first.
package struct RevenueCatFacts: Hashable, Sendable {
    /// The customer of the event.
    package var customer: CustomerRecord?
    /// The facts of the purchase.
    package var ledger: PurchaseLedger?
    /// The app's entitlement definitions.
    package var definitions: [EntitlementDefinition]
    /// The operator's grant that the event is about.
    package var grant: Grant?
    /// The other events of the same commit about the same purchase, of all customers; read only where they matter.
    package var companions: [EventRecord]
    /// The customer from whom the same commit took the purchase.
    package var formerOwner: CustomerRecord?
    /// Whether the same commit made the customer the first one of the purchase.
    package var isFirstClaim = false

    /// Makes facts from their parts.
    package init(
        customer: CustomerRecord? = nil,
        ledger: PurchaseLedger? = nil,
        definitions: [EntitlementDefinition] = [],
        grant: Grant? = nil,
        companions: [EventRecord] = [],
        formerOwner: CustomerRecord? = nil
    ) {
        self.customer = customer
        self.ledger = ledger
        self.definitions = definitions
        self.grant = grant
        self.companions = companions
        self.formerOwner = formerOwner
    }
}

extension StorageReading {
    /// The facts for the RevenueCat message of an event; empty if there is no such message.
    ///
    /// - Throws: ``StorageError``.
    package func revenueCatFacts(for record: EventRecord, of app: AppID) throws(StorageError) -> RevenueCatFacts {
        var facts = RevenueCatFacts()
        let event = record.event
        guard let name = record.customerID, let rule = event.kind.revenueCatRule else { return facts }
        facts.customer = try customer(named: name, of: app)
        facts.definitions = try entitlementDefinitions(of: app)
        if let grantID = event.entitlement?.grantID {
            let grants = try grants(of: facts.customer?.id ?? name, app: app)
            facts.grant = grants.first { $0.state.grant.id == grantID }?.state.grant
        }
        guard let purchase = event.purchaseID else { return facts }
        facts.ledger = try ledger(of: purchase, app: app)
        guard rule.needsCommit else { return facts }
        if rule == .accessGiven, let claim = try claims(on: purchase, app: app).first {
            // The claim is stored at the time of the commit.
            facts.isFirstClaim = claim.customerID == facts.customer?.id && claim.claimedAt == record.recordedAt
        }
        facts.companions = try companions(of: record, on: purchase, app: app)
        if let former = facts.formerOwnerName(of: record) {
            facts.formerOwner =
                try customer(named: former, of: app)
                ?? CustomerRecord(id: former, firstSeenAt: record.recordedAt, stateVersion: 0)
        }
        return facts
    }

    /// The other events of a commit about a purchase, near an event.
    ///
    /// The events of a commit follow one another and have the same time.
    private func companions(
        of record: EventRecord,
        on purchase: OriginalTransactionID,
        app: AppID
    ) throws(StorageError) -> [EventRecord] {
        // A commit about one purchase has fewer events. In a larger one, the worst effect is a second EXPIRATION.
        let reach = 64
        let first = max(0, record.sequence - 1 - Int64(reach))
        return try events(of: app, after: first, limit: 2 * reach + 1).filter {
            $0.sequence != record.sequence && $0.recordedAt == record.recordedAt && $0.event.purchaseID == purchase
        }
    }
}

extension RevenueCatRule {
    /// Whether the translation depends on the other events of the commit.
    fileprivate var needsCommit: Bool { self == .ended || self == .accessGiven || self == .accessEnded }
}

// MARK: Companions

extension RevenueCatFacts {
    /// Whether the same commit has an event of a kind about the purchase for the same customer.
    func isRecordedWith(_ kind: SubscriptionEvent.Kind, _ record: EventRecord) -> Bool {
        companions.contains { $0.event.kind == kind && $0.customerID == record.customerID }
    }

    /// Whether the same commit reported the charge of a period.
    func isNew(_ period: TransactionFact) -> Bool {
        companions.contains { $0.event.kind.isPeriodCharge && $0.event.transactionID == period.id }
    }

    /// The customer who lost an entitlement of the purchase when the customer of the event got it; nil if there is
    /// none.
    func formerOwnerName(of record: EventRecord) -> CustomerID? {
        let event = record.event
        guard event.kind.revenueCatRule == .accessGiven, let id = event.entitlement?.id else { return nil }
        let loss = companions.first { $0.event.kind == .entitlementWithdrawn && $0.isOfOther(than: record, about: id) }
        return loss?.customerID
    }

    /// Whether the event is the first one of its customer about a purchase that had no customer before.
    ///
    /// The store often reports a purchase before the app submits it. Then the event of the charge names no customer.
    func isLateFirstPurchase(_ record: EventRecord) -> Bool {
        guard isFirstClaim, record.event.kind == .entitlementGranted else { return false }
        return !companions.contains {
            $0.customerID == record.customerID
                && ($0.event.kind.isCharge || $0.event.kind == .entitlementGranted && $0.sequence < record.sequence)
        }
    }

    /// Whether another customer got an entitlement of the purchase when the customer of the event lost it.
    func isPassedOn(_ record: EventRecord) -> Bool {
        guard let id = record.event.entitlement?.id else { return false }
        return companions.contains {
            $0.event.kind.revenueCatRule == .accessGiven && $0.isOfOther(than: record, about: id)
        }
    }
}

extension EventRecord {
    /// Whether it is about the entitlement of another customer.
    fileprivate func isOfOther(than record: EventRecord, about entitlement: EntitlementID) -> Bool {
        customerID != nil && customerID != record.customerID && event.entitlement?.id == entitlement
    }
}

// MARK: Transactions

extension RevenueCatFacts {
    /// The transaction that an event names, or else the period that ran or began when it happened.
    func transaction(of event: SubscriptionEvent) -> TransactionFact? {
        guard let id = event.transactionID else { return period(startedBy: event.occurredAt) }
        return ledger?[id]
    }

    /// The last transaction that began by a time; the first one if none had begun.
    func period(startedBy time: Timestamp) -> TransactionFact? {
        ledger?.timeline.last { $0.purchasedAt <= time } ?? ledger?.timeline.first
    }

    /// The last transaction that began before a time at which a period ended. The next period may begin at that time.
    func period(endedBy time: Timestamp) -> TransactionFact? {
        ledger?.timeline.last { $0.purchasedAt < time } ?? period(startedBy: time)
    }

    /// The transaction before another one.
    func predecessor(of fact: TransactionFact) -> TransactionFact? {
        ledger?.timeline.last { $0.purchasedAt < fact.purchasedAt && !$0.isOfSameCharge(as: fact) }
    }

    /// Whether no later transaction had begun at a time.
    func isLatest(_ fact: TransactionFact, at time: Timestamp) -> Bool {
        guard let ledger else { return true }
        return !ledger.timeline.contains {
            $0.purchasedAt > fact.purchasedAt && $0.purchasedAt <= time && !$0.isOfSameCharge(as: fact)
        }
    }

    /// The number of a period in its subscription, from 1; nil if the first periods are not known.
    func renewalNumber(of fact: TransactionFact) -> Int? {
        guard fact.kind == .autoRenewable, let ledger, ledger.isBeginningKnown else { return nil }
        let charges = ledger.timeline.filter { $0.purchasedAt <= fact.purchasedAt }
        return Set(charges.map { $0.chargeID ?? $0.id.rawValue }).count
    }

    /// Why a subscription ended, by the newest renewal record.
    ///
    /// DEVELOPER_INITIATED for a product that is no longer sold is unverified: of RevenueCat's reasons for the App
    /// Store it is the only one left.
    var endReason: RevenueCatReason {
        guard let renewal = ledger?.renewal else { return .unknown }
        // The time for retries is over, and no signed fact states the result.
        if renewal.isInBillingRetry { return .billingError }
        switch renewal.expirationReason {
        case .cancelled: return .unsubscribe
        case .billingError: return .billingError
        case .priceIncreaseNotAccepted: return .priceIncrease
        case .productUnavailable: return .developerInitiated
        case .other: return .unknown
        case nil: return renewal.autoRenew ? .unknown : .unsubscribe
        }
    }
}

extension TransactionFact {
    /// Whether both are copies of one charge of a subscription.
    fileprivate func isOfSameCharge(as other: TransactionFact) -> Bool {
        id == other.id || (chargeID != nil && chargeID == other.chargeID)
    }
}

// MARK: Entitlements

extension RevenueCatFacts {
    /// The entitlements that a product gives: as defined, or else its group or the product itself.
    func entitlementIDs(of fact: TransactionFact) -> [EntitlementID] {
        guard definitions.isEmpty else {
            return definitions.filter { $0.productIDs.contains(fact.productID) }.map(\.id)
        }
        switch fact.kind {
        case .autoRenewable: return [EntitlementID(fact.groupID?.rawValue ?? fact.productID.rawValue)]
        case .nonConsumable: return [EntitlementID(fact.productID.rawValue)]
        case .consumable, .nonRenewing, .unknown: return []
        }
    }

    /// The ends of the developer's own grace periods after a period, of those entitlements where it is still running.
    func ownGraceEnds(after period: TransactionFact, at time: Timestamp) -> [EntitlementID: Timestamp] {
        guard let end = period.expiresAt else { return [:] }
        let day: Int64 = 24 * 60 * 60 * 1000
        var ends: [EntitlementID: Timestamp] = [:]
        for definition in definitions where definition.productIDs.contains(period.productID) {
            guard definition.billingRetryGraceDays > 0 else { continue }
            let graceEnd = end.adding(milliseconds: Int64(definition.billingRetryGraceDays) * day)
            if graceEnd > time { ends[definition.id] = graceEnd }
        }
        return ends
    }
}
