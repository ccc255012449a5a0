package import AppStoreSigning
package import SubscriptionCore
package import SubscriptionOperations
package import SubscriptionStorage

/// The use cases of a server.
package struct Services: Sendable {
    /// The database.
    package let database: any SubscriptionDatabase
    /// The clock.
    package let time: any TimeSource
    /// The clock for waiting requests.
    package let waiting: any Clock<Duration>
    /// Real time, for everything that no store's clock drives.
    package let requestTime: any TimeSource
    /// The API keys, as requests use them.
    package let keys: KnownKeys
    /// Makes, rotates, revokes and lists API keys.
    package let apiKeys: APIKeys
    /// The keys and sessions of people who operate the server.
    package let operators: KnownOperators
    /// Signs people in.
    package let signIn: OperatorSignIn
    /// Ingests signed data.
    package let ingestion: Ingestion
    /// Ingests purchases from unsigned hints.
    package let lookup: PurchaseLookup
    /// Reads what a customer may use.
    package let reading: CustomerReading
    /// Finds purchases and customers.
    package let purchases: PurchaseReading
    /// Asks Apple about order numbers.
    package let orders: OrderLookup
    /// Reads a customer's timeline.
    package let timeline: CustomerTimeline
    /// Exports a customer's data.
    package let exporting: CustomerExporting
    /// Transfers purchases between customers.
    package let transferring: Transferring
    /// Changes an app's settings.
    package let apps: AppAdministration
    /// Changes customers' attributes.
    package let attributes: CustomerAttributes
    /// Erases customers.
    package let erasure: Erasure
    /// Signs entitlement tokens.
    package let tokens: EntitlementTokens
    /// Whether apps may request them.
    package let tokensForPublishableKeys: Bool
    /// Adds aliases.
    package let aliasing: Aliasing
    /// Changes entitlement definitions.
    package let administration: EntitlementAdministration
    /// Manages the list of products.
    package let products: ProductAdministration
    /// Grants entitlements.
    package let granting: Granting
    /// Processes each request with an idempotency key once.
    package let idempotency: Idempotency
    /// Reads the event feed.
    package let events: EventFeed
    /// Processes due purchases.
    package let duePurchases: DuePurchases
    /// Compares Apple's notification history with what is held.
    package let recovery: Recovery
    /// Asks Apple for the status of subscriptions that are due.
    package let polling: StatusPolling
    /// Extends the period of one subscription.
    package let extending: Extending
    /// Finds out whether extensions without an answer were made.
    package let extensionChecks: ExtensionChecks
    /// Sets account tokens of purchases through Apple.
    package let accountTokens: AccountTokenSetting
    /// Finishes transactions through Apple.
    package let finishing: TransactionFinishing
    /// Reads the audit log.
    package let audit: AuditReading
    /// Drafts, approves, starts and reads extension campaigns.
    package let campaigns: ExtensionCampaigns
    /// Does the work of open extension campaigns.
    package let campaignRunner: CampaignRunner
    /// Takes what the developer's backend reports about the consumption of purchases.
    package let consumptionReporting: ConsumptionReporting
    /// Answers refund requests.
    package let consumptionAnswering: ConsumptionAnswering
    /// Reads refund requests.
    package let refundRequests: RefundRequests
    /// Reads refunds.
    package let refunds: RefundReading
    /// Counts refunds by product, storefront or reason.
    package let refundRates: RefundRates
    /// Fills the tables of refunds with earlier ones.
    package let refundFilling: RefundFilling
    /// Makes, changes and reads webhook endpoints.
    package let webhookEndpoints: WebhookEndpoints
    /// Reads deliveries of webhooks and sends them again.
    package let webhookDeliveries: WebhookDeliveries
    /// Sends webhooks.
    package let webhookDispatcher: WebhookDispatcher
    /// Asks Apple about one customer.
    package let refresh: CustomerRefresh
    /// Which versions of Apple's notifications arrive.
    package let notificationVersions: NotificationVersions
    /// Requests and reads recovery windows.
    package let recoveryWindows: RecoveryWindows
    /// Reads what decides whether the server is ready.
    package let readiness: DatabaseProbe<StoredReadiness>
    /// Reads the figures from the database for `/metrics`.
    package let storedFigures: DatabaseProbe<StoredFigures>
    /// The metrics.
    package let metrics = ServerMetrics()
    /// The limits.
    package let limits: ServerLimits
    /// The rate limits.
    package let requestLimits: RequestLimits
    /// Limits concurrent requests, except Apple's.
    package let admission: AdmissionGate
    /// Limits concurrent requests of Apple.
    package let notificationAdmission: AdmissionGate

    /// Makes the use cases.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - verifier: The verifier with the trusted roots and the configured apps.
    ///   - policy: The developer's policy.
    ///   - time: The clock.
    ///   - requestTime: Real time, for the lifetime of stored responses.
    ///   - receiptRoots: The trusted roots of receipts.
    ///   - scopedReceiptRoots: Further roots for the receipts of one app in one environment.
    ///   - appStore: The clients of the App Store Server API.
    ///   - recoverySettings: When Apple's notification history is compared.
    ///   - pollingSettings: When Apple is asked for the status of subscriptions.
    ///   - waiting: The clock for waiting requests.
    ///   - limits: The limits.
    ///   - rateLimits: The rate limits.
    ///   - uptime: Real time for the rate limits, in nanoseconds. It never goes back.
    ///   - tokensForPublishableKeys: Whether apps may request entitlement tokens.
    ///   - consumption: How refund requests are answered.
    ///   - webhooks: How webhooks are delivered.
    ///   - webhookTransport: Sends webhooks. The caller shuts it down.
    ///   - approvesOwnCampaigns: Whether the key that drafted an extension campaign may approve it.
    ///   - operatorSettings: How people sign in.
    ///   - passwords: Hashes their passwords.
    package init(
        database: any SubscriptionDatabase,
        verifier: SignedDataVerifier,
        policy: AccessPolicy,
        time: any TimeSource,
        receiptRoots: [ReceiptRoot] = [.appleRootCA],
        scopedReceiptRoots: [AppID: [ReceiptRoot]] = [:],
        appStore: AppStoreAccess = AppStoreAccess(),
        recovery recoverySettings: RecoverySettings = RecoverySettings(),
        polling pollingSettings: PollingSettings = PollingSettings(),
        requestTime: any TimeSource = SystemTimeSource(),
        consumption: ConsumptionSettings = ConsumptionSettings(),
        webhooks: WebhookSettings = WebhookSettings(),
        webhookTransport: any WebhookTransport,
        waiting: any Clock<Duration> = ContinuousClock(),
        limits: ServerLimits = ServerLimits(),
        rateLimits: RateLimits = RateLimits(),
        uptime: @escaping @Sendable () -> Int64 = RequestLimits.uptime,
        tokensForPublishableKeys: Bool = false,
        approvesOwnCampaigns: Bool = false,
        operators operatorSettings: OperatorSettings = OperatorSettings(),
        passwords: PasswordHashing = PasswordHashing()
    ) {
        let database: any SubscriptionDatabase = MeasuredDatabase(database, factory: metrics.registry)
        self.database = database
        self.limits = limits
        requestLimits = RequestLimits(rateLimits, metrics: metrics.rateLimits, now: uptime)
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
        self.requestTime = requestTime
        keys = KnownKeys(database: database, realTime: requestTime)
        apiKeys = APIKeys(database: database, time: requestTime)
        operators = KnownOperators(database: database, realTime: requestTime)
        signIn = OperatorSignIn(
            database: database,
            hashing: passwords,
            settings: operatorSettings,
            time: time,
            realTime: requestTime,
            waiting: waiting
        )
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
        orders = OrderLookup(lookup: lookup, database: database)
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
        recovery = Recovery(
            database: database,
            ingestion: ingestion,
            verifier: verifier,
            access: appStore,
            policy: policy,
            settings: recoverySettings,
            time: time,
            metrics: metrics.intake,
            recoveryMetrics: metrics.recovery
        )
        polling = StatusPolling(
            database: database,
            verifier: verifier,
            access: appStore,
            policy: policy,
            settings: pollingSettings,
            time: time,
            metrics: metrics.intake,
            pollingMetrics: metrics.polling
        )
        extending = Extending(database: database, access: appStore, policy: policy, time: time)
        extensionChecks = ExtensionChecks(
            database: database,
            verifier: verifier,
            access: appStore,
            policy: policy,
            time: time,
            metrics: metrics.intake
        )
        accountTokens = AccountTokenSetting(
            database: database,
            verifier: verifier,
            access: appStore,
            policy: policy,
            time: time,
            metrics: metrics.intake
        )
        finishing = TransactionFinishing(database: database, access: appStore, time: time)
        audit = AuditReading(database: database)
        campaigns = ExtensionCampaigns(
            database: database,
            access: appStore,
            policy: policy,
            approvesOwn: approvesOwnCampaigns,
            time: time
        )
        campaignRunner = CampaignRunner(database: database, access: appStore, policy: policy, time: time)
        consumptionReporting = ConsumptionReporting(database: database, time: time)
        consumptionAnswering = ConsumptionAnswering(
            database: database,
            access: appStore,
            settings: consumption,
            time: time,
            metrics: metrics.consumption
        )
        refundRequests = RefundRequests(database: database)
        refunds = RefundReading(database: database)
        refundRates = RefundRates(database: database)
        refundFilling = RefundFilling(database: database)
        webhookEndpoints = WebhookEndpoints(
            database: database,
            transport: webhookTransport,
            settings: webhooks,
            time: time,
            realTime: requestTime
        )
        webhookDeliveries = WebhookDeliveries(endpoints: webhookEndpoints)
        webhookDispatcher = WebhookDispatcher(
            database: database,
            reading: reading,
            transport: webhookTransport,
            settings: webhooks,
            time: time,
            realTime: requestTime,
            metrics: metrics.webhooks
        )
        refresh = CustomerRefresh(
            database: database,
            verifier: verifier,
            access: appStore,
            policy: policy,
            time: time,
            metrics: metrics.intake
        )
        notificationVersions = NotificationVersions(database: database, access: appStore, time: time)
        recoveryWindows = RecoveryWindows(database: database, access: appStore, time: time, recovery: recovery)
    }
}

extension Services {
    /// What is done in the background when it is due, in this order: what Apple sent comes before what the
    /// server asks.
    package var settledWork: [any SettledWork] {
        [recovery, polling, extensionChecks, campaignRunner, consumptionAnswering, refundFilling]
    }
}
