import AppStoreModel
public import AppStoreSigning
public import AppStoreTestAuthorities

/// A local App Store for one app. It sells, renews, bills and refunds on a virtual clock, and sends notifications as
/// Apple does.
///
/// It is a value without I/O, clock or randomness. ``step(to:)`` moves the time, and UUIDs come from a seed. Equal
/// seeds, catalogues and calls give equal payloads; only the signatures differ.
///
/// A driver repeats three steps: call ``nextDue(atOrBefore:)``, then ``step(to:)``, and deliver the result of
/// ``dueDeliveries()``. The value is codable without its keys; after decoding, call ``setSigner(_:receipts:)``.
public struct LocalAppStore: Sendable, Codable {
    /// The fixed configuration of the store.
    public let configuration: Configuration

    /// The products of the app.
    public private(set) var catalog: Catalog

    /// The developer's settings of the app.
    public private(set) var settings: StoreSettings

    /// The virtual time, milliseconds since 1970-01-01T00:00:00Z.
    public internal(set) var now: Int64

    /// The URL of notifications; without one, none are sent.
    public internal(set) var notificationURL: String?

    /// The keys whose offer signatures are accepted.
    var signatureKeys: [InAppPurchasePublicKey] = []

    /// The injected faults.
    public internal(set) var faults = FaultPlan()

    var ledger = Ledger()
    var identifiers: IdentifierSource
    var schedule = DueQueue<ScheduledEvent>()
    var announcements: [Announcement] = []
    var notificationLog = NotificationLog()
    var deliveries: DeliverySchedule
    /// Synthetic customers with pending decisions.
    var customers = RecordList<SyntheticShopper>()
    /// Whether events go into the ledger without a notification.
    var isSilent = false
    var rateLimiter = RateLimiter()
    var massExtensions = MassExtensionLog()
    var externalPurchases = ExternalPurchaseLedger()
    var retention = RetentionLibrary()
    var customerGroups = CustomerGroupList()
    /// The faults of the current deliveries, by the notification's position.
    var faultsUnderWay: [Int: DeliveryFault] = [:]
    var signer: StoreSigner

    /// Creates a store without accounts.
    ///
    /// - Parameters:
    ///   - configuration: The app, the environment and the seed.
    ///   - catalog: The products.
    ///   - signer: Signs every payload.
    ///   - receipts: Creates app receipts; without it, the store has none.
    ///   - now: The start time, milliseconds since 1970.
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
        self.catalog = catalog.applying(pace)
    }

    /// Sets the signer; a decoded store needs it before any other call.
    ///
    /// - Parameters:
    ///   - signer: Signs every payload.
    ///   - receipts: Creates app receipts; without it, the store has none.
    public mutating func setSigner(_ signer: JWSSigner, receipts: TestReceiptAuthority? = nil) {
        let developerNow = self.signer.developerNow
        self.signer = StoreSigner(signer, receipts: receipts)
        self.signer.developerNow = developerNow
    }

    /// Creates app receipts; without it, there are none.
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

    /// Replaces the catalogue.
    ///
    /// Current periods stay unchanged, and renewals follow the new terms. A subscription whose product was removed ends
    /// at its next renewal. Settings stay unchanged.
    public mutating func replaceCatalog(_ catalog: Catalog) {
        self.catalog = catalog.applying(pace)
        ledger.noteRenewalTermsChanged()
    }

    /// Changes the settings; a running grace period keeps its end.
    ///
    /// - Throws: `storefront_unknown`.
    public mutating func replaceSettings(_ settings: StoreSettings) throws(StoreError) {
        _ = try Self.storefront(named: settings.defaultStorefront, path: "defaultStorefront")
        self.settings = settings
        catalog = catalog.applying(pace)
    }

    /// Sets the notification URL, or removes it; pending notifications go to the new URL.
    ///
    /// - Parameters:
    ///   - url: An absolute HTTP or HTTPS URL; `nil` cancels all pending deliveries.
    ///   - version: The version of later notifications; unchanged if absent. Pending notifications keep their
    ///     version.
    /// - Throws: `url_invalid`.
    public mutating func setNotificationEndpoint(
        url: String?,
        version: NotificationVersion? = nil
    ) throws(StoreError) {
        if let start = url?.prefix("https://".count).lowercased(), start != "https://", !start.hasPrefix("http://") {
            throw StoreError(.urlInvalid, "The URL must begin with http:// or https://.", path: "url")
        }
        if configuration.environment == .production, let url, !url.lowercased().hasPrefix("https://"),
            OutgoingURL(url)?.isLoopback != true
        {
            let message = "In production the URL must begin with https://; http:// is possible to this machine only."
            throw StoreError(.urlInvalid, message, path: "url")
        }
        notificationURL = url
        if let version { settings.notificationVersion = version }
        guard url == nil else { return }
        deliveries.giveUp()
        faultsUnderWay.removeAll()
    }

    /// Resumes from a state after which further reads may have been answered.
    ///
    /// Those reads were signed with the current time as their date; new content gets a later one.
    package mutating func resumeAfterCrash() { ledger.assumeEverythingSigned(at: now) }

    /// Uses the notification endpoint of another store, for example when a snapshot replaces the running one.
    package mutating func takeNotificationEndpoint(from other: LocalAppStore) {
        notificationURL = other.notificationURL
        guard notificationURL == nil else { return }
        deliveries.giveUp()
        faultsUnderWay.removeAll()
    }

    /// The next time at which an event or a delivery is due.
    ///
    /// It is the current time while due deliveries have not been recorded.
    ///
    /// - Parameter limit: The latest time of interest, milliseconds since 1970.
    public func nextDue(atOrBefore limit: Int64) -> Int64? {
        let candidates = [schedule.first?.dueAt, deliveries.nextDue].compactMap(\.self)
        guard let next = candidates.min(), max(next, now) <= limit else { return nil }
        return max(next, now)
    }

    /// Moves the clock to a time and processes every event until then, each at its own time.
    ///
    /// - Parameter time: Milliseconds since 1970, not before ``now``.
    /// - Throws: `clock_backwards`, `signing_failed`.
    public mutating func step(to time: Int64) throws(StoreError) {
        try play(to: time)
        try settle()
    }

    /// As ``step(to:)``, but the announcements must then be signed and completed.
    ///
    /// - Throws: `clock_backwards`.
    package mutating func play(to time: Int64) throws(StoreError) {
        guard time >= now else {
            throw StoreError(.clockBackwards, "The clock stands at \(now) and cannot go back to \(time).")
        }
        while let entry = schedule.pop(dueAtOrBefore: time) {
            guard isCurrent(entry.item) else { continue }
            now = max(now, entry.dueAt)
            run(entry.item)
        }
        now = time
    }

    /// Completes a call that changed the ledger: signs the announcements, and drops scheduled events that are no longer
    /// valid.
    ///
    /// - Parameter signed: The announcements that are already signed; the others are signed here.
    /// - Throws: `signing_failed`; unsigned announcements stay, and the next call signs them.
    package mutating func settle(with signed: [SignedNotification] = []) throws(StoreError) {
        while let entry = schedule.first, !isCurrent(entry.item) { schedule.removeFirst() }
        try signAnnouncements(but: signed)
    }

    static func storefront(named country: String, path: String) throws(StoreError) -> Storefront {
        guard let storefront = Storefront.named(country) else {
            let message = "\"\(country)\" is no storefront of this store; use ISO 3166-1 alpha-3, for example \"USA\"."
            throw StoreError(.storefrontUnknown, message, path: path)
        }
        return storefront
    }
}
