package import AppStoreSigning
package import SubscriptionCore
package import SubscriptionOperations
package import SubscriptionStorage

/// The use cases of one server, wired once.
package struct Services: Sendable {
    /// Where everything is kept.
    package let database: any SubscriptionDatabase
    /// Where "now" comes from.
    package let time: any TimeSource
    /// The clock by which requests wait.
    package let waiting: any Clock<Duration>
    /// Who may call.
    package let keys: KnownKeys
    /// Takes signed data in.
    package let ingestion: Ingestion
    /// Takes purchases in that are named, not signed.
    package let lookup: PurchaseLookup
    /// Answers what a customer may use.
    package let reading: CustomerReading
    /// Finds purchases and customers.
    package let purchases: PurchaseReading
    /// Tells a customer's story.
    package let timeline: CustomerTimeline
    /// Gathers what is kept about a customer.
    package let exporting: CustomerExporting
    /// Moves purchases between customers.
    package let transferring: Transferring
    /// Changes what was decided about an app.
    package let apps: AppAdministration
    /// Keeps texts with customers.
    package let attributes: CustomerAttributes
    /// Destroys the link between people and purchases.
    package let erasure: Erasure
    /// Signs what customers may use.
    package let tokens: EntitlementTokens
    /// Whether apps may ask for them.
    package let tokensForPublishableKeys: Bool
    /// Makes one customer of two identifiers.
    package let aliasing: Aliasing
    /// Changes which products give which entitlement.
    package let administration: EntitlementAdministration
    /// Keeps the list of products.
    package let products: ProductAdministration
    /// Gives customers what they did not buy.
    package let granting: Granting
    /// Does each request once.
    package let idempotency: Idempotency
    /// Tells what happened, in order.
    package let events: EventFeed
    /// Follows the clock.
    package let duePurchases: DuePurchases
    /// Asks whether an app is configured.
    package let readiness: DatabaseProbe<Bool>
    /// Asks for what `/metrics` shows of the database.
    package let storedFigures: DatabaseProbe<StoredFigures>
    /// What is measured.
    package let metrics = ServerMetrics()
    /// How much is taken at a time.
    package let limits: ServerLimits
    /// Counts what is under way, without what Apple sends.
    package let admission: AdmissionGate
    /// Counts what is under way of what Apple sends.
    package let notificationAdmission: AdmissionGate

    /// Wires the use cases.
    ///
    /// - Parameters:
    ///   - database: Where everything is kept.
    ///   - verifier: Knows the trusted roots and the configured apps.
    ///   - policy: The developer's choices about access.
    ///   - time: Where "now" comes from.
    ///   - requestTime: People's time, by which answers under a caller's key are kept.
    ///   - receiptRoots: The roots that receipts of old apps may end in.
    ///   - scopedReceiptRoots: Further ones, for the receipts of one app in one environment.
    ///   - appStore: The lines to the App Store Server API.
    ///   - waiting: The clock by which requests wait.
    ///   - limits: How much is taken at a time.
    ///   - tokensForPublishableKeys: Whether apps may ask for entitlement tokens.
    package init(
        database: any SubscriptionDatabase,
        verifier: SignedDataVerifier,
        policy: AccessPolicy,
        time: any TimeSource,
        receiptRoots: [ReceiptRoot] = [.appleRootCA],
        scopedReceiptRoots: [AppID: [ReceiptRoot]] = [:],
        appStore: AppStoreAccess = AppStoreAccess(),
        requestTime: any TimeSource = SystemTimeSource(),
        waiting: any Clock<Duration> = ContinuousClock(),
        limits: ServerLimits = ServerLimits(),
        tokensForPublishableKeys: Bool = false
    ) {
        let database: any SubscriptionDatabase = MeasuredDatabase(database, factory: metrics.registry)
        self.database = database
        self.limits = limits
        self.tokensForPublishableKeys = tokensForPublishableKeys
        admission = AdmissionGate(requestsMax: limits.requestsMax, bytesMax: limits.bodyBytesInProgressMax)
        notificationAdmission = AdmissionGate(
            requestsMax: limits.notificationsMax,
            bytesMax: limits.notificationBytesInProgressMax
        )
        self.time = time
        self.waiting = waiting
        readiness = DatabaseProbe(database, by: waiting)
        storedFigures = DatabaseProbe(database, by: waiting)
        keys = KnownKeys(database: database)
        ingestion = Ingestion(
            database: database,
            verifier: verifier,
            policy: policy,
            time: time,
            metrics: metrics.intake
        )
        lookup = PurchaseLookup(
            database: database,
            verifier: verifier,
            receiptRoots: receiptRoots,
            scopedReceiptRoots: scopedReceiptRoots,
            access: appStore,
            policy: policy,
            time: time,
            metrics: metrics.intake
        )
        reading = CustomerReading(database: database, policy: policy, time: time)
        purchases = PurchaseReading(database: database, policy: policy, time: time)
        timeline = CustomerTimeline(database: database, policy: policy, time: time)
        administration = EntitlementAdministration(database: database, time: time)
        products = ProductAdministration(database: database, time: time)
        granting = Granting(database: database, time: time)
        exporting = CustomerExporting(database: database, policy: policy, time: time)
        transferring = Transferring(database: database, policy: policy, time: time)
        apps = AppAdministration(database: database, time: time)
        attributes = CustomerAttributes(database: database, time: time)
        erasure = Erasure(database: database, policy: policy, time: time)
        tokens = EntitlementTokens(database: database, reading: reading, time: time)
        aliasing = Aliasing(database: database, policy: policy, time: time)
        idempotency = Idempotency(database: database, time: requestTime)
        events = EventFeed(database: database, clock: waiting)
        duePurchases = DuePurchases(database: database, policy: policy)
    }
}
