import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore
import NIOCore

/// The developer's configuration: the products, and the settings of the app.
struct StoreCatalogController: Sendable {
    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.get("/_store/catalog", catalog)
        routes.put("/_store/catalog", replaceCatalog)
        routes.get("/_store/settings", settings)
        routes.put("/_store/settings", changeSettings)
    }

    @Sendable private func catalog(_ request: Request, _ context: StoreContext) async throws -> Response {
        let source = await coordinator.read { $0.catalog.source }
        return Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: source))
        )
    }

    @Sendable private func replaceCatalog(_ request: Request, _ context: StoreContext) async throws -> Response {
        let catalog = try Catalog(storekit: await request.bodyBytes())
        await coordinator.read { $0.replaceCatalog(catalog) }
        return .json([
            "productIds": .array(catalog.productIds.map { .string($0) }),
            "ignored": .array(catalog.ignored.map { .string($0) }),
        ])
    }

    @Sendable private func settings(_ request: Request, _ context: StoreContext) async throws -> Response {
        .json(await coordinator.read { $0.settingsJSON })
    }

    /// Omitted members keep their value.
    @Sendable private func changeSettings(_ request: Request, _ context: StoreContext) async throws -> Response {
        let change = try SettingsChange(await request.fields(SettingsChange.members))
        let json = try await coordinator.read { store in
            try store.replaceSettings(change.applied(to: store.settings))
            return store.settingsJSON
        }
        return .json(json)
    }
}

/// The body of `PUT /_store/settings`.
struct SettingsChange: Hashable, Sendable {
    static let members: Set<String> = [
        "gracePeriod", "gracePeriodScope", "defaultStorefront", "notificationVersion", "rateLimits",
        "sandboxRenewalRate", "massExtensionDelay", "massExtensionDuration", "extensionLimit",
        "delaysOriginalPurchaseDate", "retentionMessagingAccess", "realtimeDeadlineMilliseconds",
        "renewalLeadMilliseconds",
    ]

    private var gracePeriod: StoreSettings.GracePeriod?
    private var gracePeriodScope: StoreSettings.GracePeriodScope?
    private var defaultStorefront: String?
    private var rateLimits: RateLimitPolicy?
    private var sandboxRenewalRate: SandboxRenewalRate?
    private var massExtensionDelay: CalendarPeriod?
    private var massExtensionDuration: CalendarPeriod?
    private var extensionLimit: StoreSettings.ExtensionLimit?
    private var delaysOriginalPurchaseDate: Bool?
    private var notificationVersion: NotificationVersion?
    private var retentionMessagingAccess: Bool?
    private var realtimeDeadlineMilliseconds: Int64?
    private var renewalLeadMilliseconds: Int64?
    /// Whether the body has the member; `null` is the default of the profile.
    private var hasRenewalLead: Bool

    init(_ fields: RequestFields) throws(StoreCallError) {
        gracePeriod = try fields.choice("gracePeriod", of: StoreSettings.GracePeriod.self)
        gracePeriodScope = try fields.choice("gracePeriodScope", of: StoreSettings.GracePeriodScope.self)
        defaultStorefront = try fields.string("defaultStorefront")
        rateLimits = try fields.choice("rateLimits", of: RateLimitPolicy.self)
        massExtensionDelay = try fields.duration("massExtensionDelay")
        massExtensionDuration = try fields.duration("massExtensionDuration")
        extensionLimit = try fields.choice("extensionLimit", of: StoreSettings.ExtensionLimit.self)
        delaysOriginalPurchaseDate = try fields.bool("delaysOriginalPurchaseDate")
        sandboxRenewalRate = try fields.choice("sandboxRenewalRate", of: SandboxRenewalRate.self)
        notificationVersion = try fields.choice("notificationVersion", of: NotificationVersion.self)
        retentionMessagingAccess = try fields.bool("retentionMessagingAccess")
        realtimeDeadlineMilliseconds = try fields.integer(
            "realtimeDeadlineMilliseconds",
            in: StoreSettings.realtimeDeadlineRange
        )
        renewalLeadMilliseconds = try fields.integer("renewalLeadMilliseconds", in: StoreSettings.renewalLeadRange)
        hasRenewalLead = fields.has("renewalLeadMilliseconds")
    }

    func applied(to settings: StoreSettings) -> StoreSettings {
        var settings = settings
        if let gracePeriod { settings.gracePeriod = gracePeriod }
        if let gracePeriodScope { settings.gracePeriodScope = gracePeriodScope }
        if let defaultStorefront { settings.defaultStorefront = defaultStorefront }
        if let rateLimits { settings.rateLimits = rateLimits }
        if let sandboxRenewalRate { settings.sandboxRenewalRate = sandboxRenewalRate }
        if let massExtensionDelay { settings.massExtensionDelay = massExtensionDelay }
        if let massExtensionDuration { settings.massExtensionDuration = massExtensionDuration }
        if let extensionLimit { settings.extensionLimit = extensionLimit }
        if let delaysOriginalPurchaseDate { settings.delaysOriginalPurchaseDate = delaysOriginalPurchaseDate }
        if let notificationVersion { settings.notificationVersion = notificationVersion }
        if let retentionMessagingAccess { settings.retentionMessagingAccess = retentionMessagingAccess }
        if let realtimeDeadlineMilliseconds { settings.realtimeDeadlineMilliseconds = realtimeDeadlineMilliseconds }
        if hasRenewalLead { settings.renewalLeadMilliseconds = renewalLeadMilliseconds }
        return settings
    }
}
