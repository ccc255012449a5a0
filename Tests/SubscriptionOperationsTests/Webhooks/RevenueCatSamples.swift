import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// Events, facts and messages for tests of the RevenueCat shape, dated by day: a period has 30 days.
enum RevenueCatSamples {
    static let purchase = OriginalTransactionID("1000")
    static let monthly = ProductID("pro.monthly")
    static let yearly = ProductID("pro.yearly")
    static let pro = EntitlementID("pro")
    static let customer = CustomerID("u_1")
    static let definitions = [EntitlementDefinition(id: pro, productIDs: [monthly, yearly])]

    static func day(_ day: Int) -> Timestamp { SampleInputs.now.adding(milliseconds: Int64(day) * 86_400_000) }

    /// A period that begins on a day.
    static func period(
        _ id: String = "1000",
        day start: Int = 0,
        _ change: (inout TransactionFact) -> Void = { _ in }
    ) -> TransactionFact {
        var fact = TransactionFact(
            id: TransactionID(id),
            originalID: purchase,
            productID: monthly,
            kind: .autoRenewable,
            purchasedAt: day(start),
            originallyPurchasedAt: day(0),
            signedAt: day(start),
            evidence: EvidenceID("transaction:\(id)"),
            groupID: SubscriptionGroupID("21000001"),
            expiresAt: day(start + 30),
            isRenewal: id != "1000",
            price: Money(milliunits: 9_990, currency: "USD"),
            storefront: "USA"
        )
        change(&fact)
        return fact
    }

    /// A one-time purchase.
    static func lifetime() -> TransactionFact {
        period {
            $0.productID = ProductID("lifetime")
            $0.kind = .nonConsumable
            $0.groupID = nil
            $0.expiresAt = nil
        }
    }

    /// A renewal record.
    static func renewal(_ change: (inout RenewalFact) -> Void = { _ in }) -> RenewalFact {
        var fact = RenewalFact(
            originalID: purchase,
            productID: monthly,
            nextProductID: monthly,
            autoRenew: true,
            signedAt: day(0),
            evidence: EvidenceID("renewal")
        )
        change(&fact)
        return fact
    }

    /// The facts of the customer and of the purchase.
    static func facts(
        _ periods: [TransactionFact],
        renewal: RenewalFact? = nil,
        definitions: [EntitlementDefinition] = definitions,
        companions: [EventRecord] = []
    ) -> RevenueCatFacts {
        var ledger = PurchaseLedger(originalID: purchase)
        for period in periods { ledger.join(.transaction(period)) }
        if let renewal { ledger.join(.renewal(renewal)) }
        return RevenueCatFacts(
            customer: CustomerRecord(id: customer, firstSeenAt: day(0), stateVersion: 1),
            ledger: ledger,
            definitions: definitions,
            companions: companions
        )
    }

    /// An event, with what was paid and the developer's share of it.
    static func event(
        _ kind: SubscriptionEvent.Kind,
        _ transaction: String? = nil,
        day happened: Int = 0,
        product: ProductID = monthly,
        money: (Money, Money)? = nil,
        entitlement: Entitlement? = nil,
        details: [String: String]? = nil
    ) -> SubscriptionEvent {
        SubscriptionEvent(
            kind: kind,
            occurredAt: day(happened),
            purchaseID: purchase,
            productID: product,
            transactionID: transaction.map { TransactionID($0) },
            price: money?.0,
            proceeds: money?.1,
            entitlement: entitlement,
            details: details
        )
    }

    /// An entitlement that ended.
    static func ended(
        _ reason: Entitlement.InactiveReason,
        from source: Entitlement.Source = .subscription,
        day end: Int = 10
    ) -> Entitlement {
        Entitlement(
            id: pro,
            isActive: false,
            inactiveReason: reason,
            expiresAt: day(end),
            graceExpiresAt: nil,
            productID: source == .grant ? nil : monthly,
            purchaseID: source == .grant ? nil : purchase,
            grantID: source == .grant ? GrantID("gr_1") : nil,
            willRenew: false,
            hasBillingIssue: false,
            source: source
        )
    }

    /// An entitlement that is active.
    static func active(from source: Entitlement.Source = .subscription, day end: Int = 30) -> Entitlement {
        var entitlement = ended(.expired, from: source, day: end)
        entitlement.isActive = true
        entitlement.inactiveReason = nil
        return entitlement
    }

    /// An event as it is recorded, a second later.
    static func record(
        _ event: SubscriptionEvent,
        of customer: CustomerID? = customer,
        sequence: Int64 = 7
    ) -> EventRecord {
        EventRecord(
            sequence: sequence,
            customerID: customer,
            stateVersion: 1,
            recordedAt: event.occurredAt.adding(milliseconds: 1_000),
            event: event
        )
    }

    /// The message of an event.
    static func message(_ record: EventRecord, _ facts: RevenueCatFacts) -> RevenueCatMessage? {
        RevenueCatMessage(record, id: "msg_1", app: SampleInputs.app, facts: facts)
    }

    /// The body as text.
    static func text(_ message: RevenueCatMessage?) -> String { String(decoding: message?.body ?? [], as: UTF8.self) }

    /// The type, and the reason if there is one.
    static func summary(_ message: RevenueCatMessage?) -> String? {
        guard let message else { return nil }
        let text = text(message)
        guard let name = text.firstRange(of: "_reason\":\"") else { return message.type }
        return "\(message.type) \(text[name.upperBound...].prefix { $0 != "\"" })"
    }
}
