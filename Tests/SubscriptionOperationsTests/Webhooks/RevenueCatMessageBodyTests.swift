import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// Whole messages, and the facts that are read for them.
@Suite struct `The body of a RevenueCat message` {
    private typealias Sample = RevenueCatSamples

    /// The fields of the customer u_1, up to the product.
    private static func head(_ type: String, at time: Int64) -> String {
        """
        {"event":{"type":"\(type)","id":"msg_1","app_id":"com.example.app","event_timestamp_ms":\(time),\
        "app_user_id":"u_1","original_app_user_id":"u_1","aliases":["u_1","device-1"],\
        "subscriber_attributes":{"plan":{"value":"early","updated_at_ms":1770000000000}},
        """
    }

    private static func facts(_ periods: [TransactionFact]) -> RevenueCatFacts {
        var facts = Sample.facts(periods)
        let attribute = CustomerProfile.Attribute(value: "early", setAt: Sample.day(0))
        facts.customer?.profile = CustomerProfile(aliases: [CustomerID("device-1")], attributes: ["plan": attribute])
        return facts
    }

    private static func trial() -> TransactionFact {
        Sample.period {
            $0.offer = Offer(kind: .introductory, payment: .freeTrial)
            $0.price = Money(milliunits: 0, currency: "EUR")
            $0.storefront = "DEU"
        }
    }

    @Test func `has all fields of a free trial`() {
        let free = Money(milliunits: 0, currency: "EUR")
        let event = Sample.event(.started, "1000", money: (free, free))
        let text = Sample.text(Sample.message(Sample.record(event), Self.facts([Self.trial()])))
        let expected = """
            \(Self.head("INITIAL_PURCHASE", at: 1_770_000_001_000))\
            "product_id":"pro.monthly","entitlement_ids":["pro"],"entitlement_id":null,"period_type":"TRIAL",\
            "purchased_at_ms":1770000000000,"expiration_at_ms":1772592000000,"store":"APP_STORE",\
            "transaction_id":"1000","original_transaction_id":"1000","is_family_share":false,"country_code":"DE",\
            "offer_code":null,"presented_offering_id":null,"renewal_number":1,"price":0,\
            "price_in_purchased_currency":0,"currency":"EUR","tax_percentage":null,"commission_percentage":null,\
            "takehome_percentage":null,"environment":"PRODUCTION"},"api_version":"1.0"}
            """
        #expect(text == expected)
    }

    @Test func `has the price of a conversion only in the currency that was paid`() {
        let converted = Sample.period("1001", day: 30) {
            $0.price = Money(milliunits: 7_990, currency: "EUR")
            $0.storefront = "DEU"
        }
        let money = (Money(milliunits: 7_990, currency: "EUR"), Money(milliunits: 5_593, currency: "EUR"))
        let event = Sample.event(.renewed, "1001", day: 30, money: money)
        let text = Sample.text(Sample.message(Sample.record(event), Self.facts([Self.trial(), converted])))
        let expected = """
            \(Self.head("RENEWAL", at: 1_772_592_001_000))\
            "product_id":"pro.monthly","entitlement_ids":["pro"],"entitlement_id":null,"period_type":"NORMAL",\
            "purchased_at_ms":1772592000000,"expiration_at_ms":1775184000000,"store":"APP_STORE",\
            "transaction_id":"1001","original_transaction_id":"1000","is_family_share":false,"country_code":"DE",\
            "offer_code":null,"presented_offering_id":null,"renewal_number":2,"is_trial_conversion":true,"price":null,\
            "price_in_purchased_currency":7.99,"currency":"EUR","tax_percentage":null,"commission_percentage":0.3,\
            "takehome_percentage":0.7,"environment":"PRODUCTION"},"api_version":"1.0"}
            """
        #expect(text == expected)
    }

    @Test func `has the refunded amount and the time of the refund`() {
        let refunded = Sample.period("1001", day: 30) {
            $0.revocation = Revocation(at: Sample.day(31), kind: .refund)
        }
        let money = (Money(milliunits: -9_990, currency: "USD"), Money(milliunits: -6_993, currency: "USD"))
        let event = Sample.event(.refunded, "1001", day: 31, money: money)
        let text = Sample.text(Sample.message(Sample.record(event), Self.facts([Sample.period(), refunded])))
        let expected = """
            \(Self.head("CANCELLATION", at: 1_772_678_401_000))\
            "product_id":"pro.monthly","entitlement_ids":["pro"],"entitlement_id":null,"period_type":"NORMAL",\
            "purchased_at_ms":1772592000000,"expiration_at_ms":1772678400000,"store":"APP_STORE",\
            "transaction_id":"1001","original_transaction_id":"1000","is_family_share":false,"country_code":"US",\
            "offer_code":null,"presented_offering_id":null,"renewal_number":2,"price":-9.99,\
            "price_in_purchased_currency":-9.99,"currency":"USD","tax_percentage":null,"commission_percentage":0.3,\
            "takehome_percentage":0.7,"cancel_reason":"CUSTOMER_SUPPORT","environment":"PRODUCTION"},\
            "api_version":"1.0"}
            """
        #expect(text == expected)
    }

    @Test func `has the next product and no price if the customer changes to it later`() {
        let event = Sample.event(.planChangeScheduled, day: 5, product: Sample.yearly)
        let text = Sample.text(Sample.message(Sample.record(event), Self.facts([Sample.period()])))
        let expected = """
            \(Self.head("PRODUCT_CHANGE", at: 1_770_432_001_000))\
            "product_id":"pro.monthly","entitlement_ids":["pro"],"entitlement_id":null,"period_type":"NORMAL",\
            "purchased_at_ms":1770000000000,"expiration_at_ms":1772592000000,"store":"APP_STORE",\
            "transaction_id":"1000","original_transaction_id":"1000","is_family_share":false,"country_code":"US",\
            "offer_code":null,"presented_offering_id":null,"renewal_number":1,"new_product_id":"pro.yearly","price":0,\
            "price_in_purchased_currency":0,"currency":"USD","tax_percentage":null,"commission_percentage":null,\
            "takehome_percentage":null,"environment":"PRODUCTION"},"api_version":"1.0"}
            """
        #expect(text == expected)
    }

    @Test func `has a grant in place of a transaction`() {
        var facts = Self.facts([])
        facts.grant = Grant(
            id: GrantID("gr_1"),
            entitlementID: Sample.pro,
            reason: nil,
            grantedAt: Sample.day(0),
            expiresAt: Sample.day(30)
        )
        var event = Sample.event(.entitlementGranted, entitlement: Sample.active(from: .grant))
        event.purchaseID = nil
        event.productID = nil
        let text = Sample.text(Sample.message(Sample.record(event), facts))
        let expected = """
            \(Self.head("NON_RENEWING_PURCHASE", at: 1_770_000_001_000))\
            "product_id":"rc_promo_pro_custom","entitlement_ids":["pro"],"entitlement_id":null,\
            "period_type":"PROMOTIONAL","purchased_at_ms":1770000000000,"expiration_at_ms":1772592000000,\
            "store":"PROMOTIONAL","transaction_id":"gr_1","original_transaction_id":"gr_1","is_family_share":false,\
            "country_code":null,"offer_code":null,"presented_offering_id":null,"renewal_number":null,"price":0,\
            "price_in_purchased_currency":0,"currency":null,"tax_percentage":null,"commission_percentage":null,\
            "takehome_percentage":null,"environment":"PRODUCTION"},"api_version":"1.0"}
            """
        #expect(text == expected)
    }

    @Test func `has the end of the grace period`() {
        let renewal = Sample.renewal {
            $0.isInBillingRetry = true
            $0.graceExpiresAt = Sample.day(46)
        }
        let facts = Sample.facts([Sample.period()], renewal: renewal)
        let text = Sample.text(Sample.message(Sample.record(Sample.event(.enteredGracePeriod, day: 30)), facts))
        #expect(text.contains(#""grace_period_expiration_at_ms":1773974400000"#))
    }

    @Test func `of a test looks like a purchase`() {
        let message = RevenueCatMessage(test: "msg_1", app: SampleInputs.app, at: SampleInputs.now)
        #expect(message.type == "TEST")
        let text = Sample.text(message)
        #expect(text.contains(#""app_user_id":"test_user""#))
        #expect(text.contains(#""environment":"PRODUCTION""#))
    }

    // MARK: Facts

    /// The messages of all events in a database, in order.
    private static func messages(in database: InMemoryDatabase) async throws -> [RevenueCatMessage?] {
        try await database.read { storage throws(StorageError) in
            var messages: [RevenueCatMessage?] = []
            for record in try storage.events(of: SampleInputs.app, after: 0, limit: 100) {
                let facts = try storage.revenueCatFacts(for: record, of: SampleInputs.app)
                messages.append(RevenueCatMessage(record, id: "msg_1", app: SampleInputs.app, facts: facts))
            }
            return messages
        }
    }

    @Test func `is made of stored facts`() async throws {
        let database = InMemoryDatabase()
        try await database.write { storage throws(StorageError) in
            let customer = CustomerRecord(
                id: Sample.customer,
                firstSeenAt: Sample.day(0),
                stateVersion: 1,
                profile: CustomerProfile(aliases: [CustomerID("device-1")])
            )
            try storage.save(customer, of: SampleInputs.app)
            try storage.save(.transaction(Sample.period()), of: SampleInputs.app)
            let events = [Sample.event(.started, "1000"), Sample.event(.seatsChanged, "1000")]
            try storage.append(events, customer: customer, recordedAt: Sample.day(0), app: SampleInputs.app)
        }
        let messages = try await Self.messages(in: database)
        #expect(messages.map { $0?.type } == ["INITIAL_PURCHASE", nil])
        let text = Sample.text(messages.first ?? nil)
        #expect(text.contains(#""aliases":["u_1","device-1"]"#))
        // Without definitions, the group is the entitlement.
        #expect(text.contains(#""entitlement_ids":["21000001"]"#))
    }

    @Test func `reports a transfer once, to the new owner`() async throws {
        let database = InMemoryDatabase()
        let old = CustomerRecord(
            id: CustomerID("u_0"),
            firstSeenAt: Sample.day(0),
            stateVersion: 1,
            profile: CustomerProfile(aliases: [CustomerID("device-0")])
        )
        let new = CustomerRecord(id: Sample.customer, firstSeenAt: Sample.day(0), stateVersion: 1)
        try await database.write { storage throws(StorageError) in
            try storage.save(old, of: SampleInputs.app)
            try storage.save(new, of: SampleInputs.app)
            try storage.save(.transaction(Sample.period()), of: SampleInputs.app)
            let loss = Sample.event(.entitlementWithdrawn, day: 10, entitlement: Sample.ended(.revoked))
            try storage.append([loss], customer: old, recordedAt: Sample.day(10), app: SampleInputs.app)
            let gain = Sample.event(.entitlementGranted, day: 10, entitlement: Sample.active())
            try storage.append([gain], customer: new, recordedAt: Sample.day(10), app: SampleInputs.app)
        }
        let messages = try await Self.messages(in: database)
        #expect(messages.map { $0?.type } == [nil, "TRANSFER"])
        let expected = """
            {"event":{"type":"TRANSFER","id":"msg_1","app_id":"com.example.app","event_timestamp_ms":1770864000000,\
            "app_user_id":"u_1","transferred_from":["u_0","device-0"],"transferred_to":["u_1"],\
            "subscriber_attributes":{},"store":"APP_STORE","environment":"PRODUCTION"},"api_version":"1.0"}
            """
        #expect(Sample.text(messages.last ?? nil) == expected)
    }
}
