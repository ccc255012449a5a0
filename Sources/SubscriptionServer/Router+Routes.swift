package import Hummingbird
package import Logging
package import SubscriptionStorage

/// Builds the server's routes: public ones for Apple and for operation; the others require a key.
///
/// - Parameters:
///   - services: The use cases.
///   - clock: The route for the clock of a followed store; nil without one.
///   - developmentKeys: Keys for this run only, in addition to the stored ones.
///   - logger: The log for failed requests.
package func buildRouter(
    services: Services,
    clock: ClockController?,
    developmentKeys: [APIKeyRecord] = [],
    logger: Logger
) -> Router<ServerRequestContext> {
    let router = Router(context: ServerRequestContext.self)
    router.add(middleware: ObservationMiddleware(metrics: services.metrics.requests, logger: logger))
    router.add(middleware: UpgradeMiddleware())
    router.add(middleware: ErrorMiddleware(logger: logger, time: services.time))

    // The router tries the routes in order, so the most frequent ones come first.
    let notifications = NotificationsController(
        ingestion: services.ingestion,
        lookup: services.lookup,
        database: services.database,
        bodyBytesMax: services.limits.notificationBytesMax
    )
    // Routes for operation are not limited, and Apple's requests have their own limit, so other clients cannot block
    // them.
    let taken = AdmissionMiddleware(
        gate: services.notificationAdmission,
        bodyBytesMax: services.limits.notificationBytesMax
    )
    let rates = services.requestLimits
    notifications.addPublicRoutes(
        to: router.group("v1").add(middleware: NotificationLimitMiddleware(limits: rates)).add(middleware: taken)
    )

    let authorized = router.group("v1")
        .add(
            middleware: AdmissionMiddleware(gate: services.admission, bodyBytesMax: TransactionsController.bodyBytesMax)
        )
        .add(middleware: RefusedKeyMiddleware(limits: rates, keys: services.keys, operators: services.operators))
        .add(
            middleware: KeyMiddleware(
                keys: services.keys,
                operators: services.operators,
                developmentKeys: developmentKeys,
                time: services.requestTime
            )
        )
        .add(middleware: KeyLimitMiddleware(limits: rates))
        .add(middleware: ScopeMiddleware())
    let keyed = authorized.group().add(middleware: IdempotencyMiddleware(idempotency: services.idempotency))
    CustomersController(reading: services.reading, timeline: services.timeline, refresh: services.refresh)
        .addRoutes(to: keyed)
    notifications.addRoutes(to: keyed)
    NotificationVersionsController(versions: services.notificationVersions).addRoutes(to: keyed)
    TransactionsController(ingestion: services.ingestion, lookup: services.lookup, reading: services.reading)
        .addRoutes(to: keyed)
    EntitlementsController(administration: services.administration, database: services.database)
        .addRoutes(to: keyed)
    let lookups = LookupController(
        purchases: services.purchases,
        lookup: services.lookup,
        orders: services.orders,
        reading: services.reading
    )
    lookups.addRoutes(to: keyed)
    ProductsController(administration: services.products).addRoutes(to: keyed)
    ExportController(exporting: services.exporting).addRoutes(to: keyed)
    TransfersController(transferring: services.transferring).addRoutes(to: keyed)
    AppController(administration: services.apps).addRoutes(to: keyed)
    AttributesController(attributes: services.attributes).addRoutes(to: keyed)
    ErasureController(erasure: services.erasure).addRoutes(to: keyed)
    let tokens = EntitlementTokensController(
        tokens: services.tokens,
        allowsPublishableKeys: services.tokensForPublishableKeys
    )
    tokens.addRoutes(to: keyed)
    AliasesController(aliasing: services.aliasing).addRoutes(to: keyed)
    GrantsController(granting: services.granting).addRoutes(to: keyed)
    EventsController(feed: services.events).addRoutes(to: keyed)
    RecoveryController(windows: services.recoveryWindows).addRoutes(to: keyed)
    // An extension is stored for ever under its `Idempotency-Key`, so its response is not stored again.
    ExtensionsController(extending: services.extending).addRoutes(
        to: authorized.group()
            .add(middleware: IdempotencyMiddleware(idempotency: services.idempotency, storesResponses: false))
    )
    ExtensionCampaignsController(campaigns: services.campaigns).addRoutes(to: keyed)
    ConsumptionController(reporting: services.consumptionReporting, requests: services.refundRequests)
        .addRoutes(to: keyed)
    PurchaseCallsController(accountTokens: services.accountTokens, finishing: services.finishing)
        .addRoutes(to: keyed)
    AuditController(audit: services.audit).addRoutes(to: keyed)
    APIKeysController(keys: services.apiKeys, time: services.requestTime).addRoutes(to: keyed)
    WebhookEndpointsController(endpoints: services.webhookEndpoints, deliveries: services.webhookDeliveries)
        .addRoutes(to: keyed)
    WebhookDeliveriesController(deliveries: services.webhookDeliveries).addRoutes(to: keyed)
    RefundsController(reading: services.refunds, rates: services.refundRates, time: services.time)
        .addRoutes(to: keyed)

    let unkeyed = router.group("v1")
        .add(
            middleware: AdmissionMiddleware(gate: services.admission, bodyBytesMax: TransactionsController.bodyBytesMax)
        )
    let sessions = OperatorSessionsController(signIn: services.signIn, operators: services.operators)
    // A password costs a tenth of a second of a processor.
    sessions.addSignIn(to: unkeyed.group().add(middleware: AddressLimitMiddleware(limits: rates, cost: 20)))
    sessions.addRoutes(to: unkeyed.group().add(middleware: AddressLimitMiddleware(limits: rates)))

    HealthController(services: services).addRoutes(to: router)
    MetricsController(services: services).addRoutes(to: router)
    DocumentController().addRoutes(to: router)
    AboutController().addRoutes(to: router)
    tokens.addPublicRoutes(to: router.group().add(middleware: AddressLimitMiddleware(limits: rates)))
    clock?.addRoutes(to: router)
    router.add(middleware: MethodMiddleware(routes: router.routes))
    return router
}
