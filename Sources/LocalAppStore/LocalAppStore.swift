import AppStoreModel
public import AppStoreSigning
public import AppStoreTestAuthorities

/// A local App Store for one app: it sells, renews, bills and refunds on a virtual clock, and tells about it as Apple
/// does.
///
/// A value without I/O, clock or chance of its own: time moves by ``step(to:)``, UUIDs come from a seed. The same
/// seed, catalogue and calls give the same payloads; only the signatures on them differ.
///
/// A driver repeats three things: ask ``nextDue(atOrBefore:)``, ``step(to:)`` there, and deliver what
/// ``dueDeliveries()`` lists.
/// It can be encoded; decoded, it signs again after ``setSigner(_:receipts:)``, since keys are no part of it.
public struct LocalAppStore: Sendable, Codable {
    /// What is fixed for the life of the store.
    public let configuration: Configuration

    /// What the app sells.
    public private(set) var catalog: Catalog

    /// What the developer set for the app.
    public private(set) var settings: StoreSettings

    /// The virtual instant, milliseconds since 1970-01-01T00:00:00Z.
    public internal(set) var now: Int64

    /// Where notifications go; without one, none are sent.
    public internal(set) var notificationURL: String?

    /// The keys whose signatures apps may show with an offer.
    var signatureKeys: [InAppPurchasePublicKey] = []

    /// What goes wrong on demand.
    public internal(set) var faults = FaultPlan()

    var ledger = Ledger()
    var identifiers: IdentifierSource
    var schedule = DueQueue<ScheduledEvent>()
    var announcements: [Announcement] = []
    var notificationLog = NotificationLog()
    var deliveries: DeliverySchedule
    /// Synthetic customers that still decide something.
    var customers = RecordList<SyntheticShopper>()
    /// Whether what happens goes into the ledger only, without a notification.
    var isSilent = false
    var rateLimiter = RateLimiter()
    var massExtensions = MassExtensionLog()
    var externalPurchases = ExternalPurchaseLedger()
    var retention = RetentionLibrary()
    var customerGroups = CustomerGroupList()
    /// What goes wrong with the deliveries that are under way, by the notification's place.
    var faultsUnderWay: [Int: DeliveryFault] = [:]
    var signer: StoreSigner

    /// Opens a store with no accounts.
    ///
    /// - Parameters:
    ///   - configuration: The app, the environment and the seed.
    ///   - catalog: What is sold.
    ///   - signer: Signs every payload.
    ///   - receipts: Makes app receipts; without one, the store has none.
    ///   - now: The instant at which the store opens, milliseconds since 1970.
    public init(
        configuration: Configuration,
        catalog: Catalog,
        signer: JWSSigner,
        receipts: TestReceiptAuthority? = nil,
        now: Int64
    ) {
        self.configuration = configuration
        self.catalog = catalog
        self.settings = configuration.settings ?? catalog.settings
        self.signer = StoreSigner(signer, receipts: receipts)
        self.now = now
        identifiers = IdentifierSource(seed: configuration.seed)
        deliveries = DeliverySchedule(environment: configuration.environment)
        self.catalog = catalog.paced(by: pace)
    }

    /// Signs every payload from now on; a decoded store needs it before anything else.
    ///
    /// - Parameters:
    ///   - signer: Signs every payload.
    ///   - receipts: Makes app receipts; without one, the store has none.
    public mutating func setSigner(_ signer: JWSSigner, receipts: TestReceiptAuthority? = nil) {
        let developerNow = self.signer.developerNow
        self.signer = StoreSigner(signer, receipts: receipts)
        self.signer.developerNow = developerNow
    }

    /// Makes app receipts; without one, there are none.
    var receipts: TestReceiptAuthority? { signer.receipts }

    /// The store in numbers.
    public var status: StoreStatus {
        StoreStatus(
            now: now,
            seed: configuration.seed,
            environment: configuration.environment,
            profile: configuration.profile,
            accounts: ledger.accounts.count,
            subscriptions: ledger.subscriptions.count,
            transactions: ledger.transactions.count,
            notifications: notificationLog.records.count
        )
    }

    /// Sells from another catalogue from now on.
    ///
    /// Running periods stay as they were sold; renewals follow the new terms, and a subscription whose product is
    /// gone ends at its next renewal. Settings stay.
    public mutating func replaceCatalog(_ catalog: Catalog) {
        self.catalog = catalog.paced(by: pace)
        ledger.noteRenewalTermsChanged()
    }

    /// Changes the settings; a grace period that runs already keeps its end.
    ///
    /// - Throws: `storefront_unknown`.
    public mutating func replaceSettings(_ settings: StoreSettings) throws(StoreError) {
        _ = try Self.storefront(named: settings.defaultStorefront, path: "defaultStorefront")
        self.settings = settings
        catalog = catalog.paced(by: pace)
    }

    /// Sends notifications to a URL from now on, or to nobody; what was still to be sent goes to the new URL.
    ///
    /// - Parameters:
    ///   - url: An absolute HTTP or HTTPS URL; `nil` gives up every delivery still to come.
    ///   - version: The version of notifications from now on; as before when absent. What is still to be sent keeps its
    ///     version.
    /// - Throws: `url_invalid`.
    public mutating func setNotificationEndpoint(
        url: String?,
        version: NotificationVersion? = nil
    ) throws(StoreError) {
        if let start = url?.prefix("https://".count).lowercased(), start != "https://", !start.hasPrefix("http://") {
            let message = "The URL must begin with http:// or https://."
            throw StoreError(.urlInvalid, kind: .invalid, message: message, path: "url")
        }
        if configuration.environment == .production, let url, !url.lowercased().hasPrefix("https://"),
            OutgoingURL(url)?.isLoopback != true
        {
            let message = "In production the URL must begin with https://; http:// is possible to this machine only."
            throw StoreError(.urlInvalid, kind: .invalid, message: message, path: "url")
        }
        notificationURL = url
        if let version { settings.notificationVersion = version }
        guard url == nil else { return }
        deliveries.giveUp()
        faultsUnderWay.removeAll()
    }

    /// Goes on from a state after which reads may have been answered that it does not know of.
    ///
    /// What they signed had the present instant as its date; new content gets a later one.
    package mutating func resumeAfterCrash() { ledger.assumeEverythingSigned(at: now) }

    /// Tells whom another store tells, as when a saved store takes the place of the running one.
    package mutating func takeNotificationEndpoint(from other: LocalAppStore) {
        notificationURL = other.notificationURL
        guard notificationURL == nil else { return }
        deliveries.giveUp()
        faultsUnderWay.removeAll()
    }

    /// The next instant at which anything happens: an event in the life of a subscription, or a delivery.
    ///
    /// It is the present instant while deliveries that are due now have not been recorded.
    ///
    /// - Parameter limit: The last instant of interest, milliseconds since 1970.
    public func nextDue(atOrBefore limit: Int64) -> Int64? {
        let candidates = [schedule.first?.dueAt, deliveries.nextDue].compactMap(\.self)
        guard let next = candidates.min(), max(next, now) <= limit else { return nil }
        return max(next, now)
    }

    /// Moves the clock to an instant and lets every event happen that is due until then, each at its own instant.
    ///
    /// - Parameter time: Milliseconds since 1970, not before ``now``.
    /// - Throws: `clock_backwards`, `signing_failed`.
    public mutating func step(to time: Int64) throws(StoreError) {
        try play(to: time)
        try settle()
    }

    /// As ``step(to:)``, but what is announced has to be signed and settled yet.
    ///
    /// - Throws: `clock_backwards`.
    package mutating func play(to time: Int64) throws(StoreError) {
        guard time >= now else {
            let message = "The clock stands at \(now) and cannot go back to \(time)."
            throw StoreError(.clockBackwards, kind: .conflict, message: message)
        }
        while let entry = schedule.pop(dueAtOrBefore: time) {
            guard isCurrent(entry.item) else { continue }
            now = max(now, entry.dueAt)
            run(entry.item)
        }
        now = time
    }

    /// Ends a call that changed the ledger: signs what was announced, and drops scheduled events that no longer count.
    ///
    /// - Parameter signed: What was announced and is signed already; the rest is signed here.
    /// - Throws: `signing_failed`; what could not be signed stays announced and is signed by the next call.
    package mutating func settle(with signed: [SignedNotification] = []) throws(StoreError) {
        while let entry = schedule.first, !isCurrent(entry.item) { schedule.removeFirst() }
        try signAnnouncements(but: signed)
    }

    static func storefront(named country: String, path: String) throws(StoreError) -> Storefront {
        guard let storefront = Storefront.named(country) else {
            let message = "\"\(country)\" is no storefront of this store; use ISO 3166-1 alpha-3, for example \"USA\"."
            throw StoreError(.storefrontUnknown, kind: .invalid, message: message, path: path)
        }
        return storefront
    }
}
