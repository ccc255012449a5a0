import Logging
import SubscriptionCore

extension SettingKey {
    /// Every setting, in the order of the file of defaults.
    package static let all: [SettingKey] = [
        host, port, databaseURL, migrates,
        sqliteReaders, sqliteBusyTimeout, sqliteBytesMax,
        postgreSQLWriters, postgreSQLReaders, postgreSQLWaiting, postgreSQLAttempts,
        postgreSQLConnectTimeout, postgreSQLStatementTimeout, postgreSQLLockTimeout,
        apps, trustedRoots, appStoreKeyID, appStoreIssuerID, appStoreKeyFile, appStoreKeys, appStoreSharedSecret,
        appStoreVerifyReceipt, appStoreLookupsMax, appStoreTimeMax, appStoreServers,
        recoveryEnabled, recoverySweep, recoveryComparison, recoveryFirst, recoveryOverlap, recoveryQuiet,
        recoveryLowCount, recoveryLowPercent,
        pollingEnabled, pollingBeforeEnd, pollingAfterEnd, pollingBillingRetry, pollingRate, campaignsApproveOwn,
        operatorsSession,
        webhooksAllowPrivate, webhooksOvertake, webhooksLog, webhooksTimeMax,
        consumptionPolicyFile, consumptionVersion, consumptionHookURL, consumptionHookSecret, consumptionHookTimeMax,
        renewalLeeway, accountToken, anonymousPrefix,
        developerShare, tokensForPublishableKeys, requestsMax, bodyBytesInProgressMax, notificationsMax,
        notificationBytesInProgressMax,
        notificationBytesMax, connectionsMax, connectionsPerAddressMax, bodyTimeMax, bodyRateMin, idleTimeMax,
        requestRate, requestBurst, addressRate, addressBurst, refusedNotificationRate, trustedProxies,
        logFormat, logLevel, storeURL, developmentSecretKey,
    ]

    static let host = SettingKey("server.host", .text, option: "--host")
    static let port = SettingKey("server.port", .integer(0...65_535), option: "--port")
    static let databaseURL = SettingKey("database.url", .text, isSecret: true, option: "--database")
    static let migrates = SettingKey("database.migrate", .truth)
    static let sqliteReaders = SettingKey("database.sqlite.readers", .integer(1...64))
    static let sqliteBusyTimeout = SettingKey("database.sqlite.busy_timeout_ms", .integer(0...600_000))
    static let sqliteBytesMax = SettingKey("database.sqlite.bytes_max", .integer(0...(1 << 47)))
    static let postgreSQLWriters = SettingKey("database.postgresql.writers", .integer(1...256))
    static let postgreSQLReaders = SettingKey("database.postgresql.readers", .integer(1...256))
    static let postgreSQLWaiting = SettingKey("database.postgresql.waiting", .integer(1...100_000))
    static let postgreSQLAttempts = SettingKey("database.postgresql.attempts", .integer(1...100))
    static let postgreSQLConnectTimeout = SettingKey("database.postgresql.connect_timeout_ms", .integer(100...600_000))
    static let postgreSQLStatementTimeout = SettingKey(
        "database.postgresql.statement_timeout_ms",
        .integer(100...600_000)
    )
    static let postgreSQLLockTimeout = SettingKey("database.postgresql.lock_timeout_ms", .integer(100...600_000))
    static let apps = SettingKey("apps", .list, option: "--app")
    static let trustedRoots = SettingKey("trusted_roots", .list, option: "--root")
    static let appStoreKeyID = SettingKey("app_store.key_id", .text)
    static let appStoreIssuerID = SettingKey("app_store.issuer_id", .text)
    static let appStoreKeyFile = SettingKey("app_store.private_key_file", .text)
    static let appStoreKeys = SettingKey("app_store.keys", .list)
    static let appStoreSharedSecret = SettingKey("app_store.shared_secret", .text, isSecret: true)
    static let appStoreVerifyReceipt = SettingKey("app_store.verify_receipt", .truth)
    static let appStoreLookupsMax = SettingKey("app_store.concurrent_lookups", .integer(1...1_000))
    static let appStoreTimeMax = SettingKey("app_store.timeout_ms", .integer(1_000...60_000))
    static let appStoreServers = SettingKey("app_store.servers", .integer(1...1_000))
    static let recoveryEnabled = SettingKey("recovery.enabled", .truth)
    static let recoverySweep = SettingKey("recovery.sweep_interval_ms", .integer(10_000...86_400_000))
    static let recoveryComparison = SettingKey("recovery.comparison_interval_ms", .integer(60_000...2_592_000_000))
    static let recoveryFirst = SettingKey("recovery.first_window_ms", .integer(0...15_552_000_000))
    static let recoveryOverlap = SettingKey("recovery.overlap_ms", .integer(0...86_400_000))
    static let recoveryQuiet = SettingKey("recovery.quiet_notifications", .integer(0...1_000_000))
    static let recoveryLowCount = SettingKey("recovery.low_rate_notifications", .integer(0...1_000_000))
    static let recoveryLowPercent = SettingKey("recovery.low_rate_percent", .integer(0...100))
    static let pollingEnabled = SettingKey("polling.enabled", .truth)
    static let pollingBeforeEnd = SettingKey("polling.before_end_ms", .integer(0...2_592_000_000))
    static let pollingAfterEnd = SettingKey("polling.after_end_ms", .text)
    static let pollingBillingRetry = SettingKey("polling.billing_retry_interval_ms", .integer(60_000...2_592_000_000))
    static let pollingRate = SettingKey("polling.queries_per_second", .integer(0...50))
    static let campaignsApproveOwn = SettingKey("campaigns.approve_own", .truth)
    static let operatorsSession = SettingKey("operators.session_ms", .integer(60_000...2_592_000_000))
    static let webhooksAllowPrivate = SettingKey("webhooks.allow_private_addresses", .truth)
    static let webhooksOvertake = SettingKey("webhooks.overtake_after_ms", .integer(0...604_800_000))
    static let webhooksLog = SettingKey("webhooks.log_ms", .integer(0...31_536_000_000))
    static let webhooksTimeMax = SettingKey("webhooks.timeout_ms", .integer(1_000...30_000))
    static let consumptionPolicyFile = SettingKey("consumption.policy_file", .text)
    static let consumptionVersion = SettingKey("consumption.version", .integer(1...2))
    static let consumptionHookURL = SettingKey("consumption.hook_url", .text)
    static let consumptionHookSecret = SettingKey("consumption.hook_secret", .text, isSecret: true)
    static let consumptionHookTimeMax = SettingKey("consumption.hook_timeout_ms", .integer(100...30_000))
    static let renewalLeeway = SettingKey("access.renewal_leeway_ms", .integer(0...604_800_000))
    static let accountToken = SettingKey(
        "ownership.account_token",
        .choice(AccountTokenRule.allCases.map(\.rawValue))
    )
    static let anonymousPrefix = SettingKey("ownership.anonymous_prefix", .text)
    static let developerShare = SettingKey("revenue.developer_share_percent", .integer(0...100))
    static let tokensForPublishableKeys = SettingKey("entitlement_tokens.publishable_keys", .truth)
    static let requestsMax = SettingKey("limits.requests", .integer(1...1_000_000))
    static let bodyBytesInProgressMax = SettingKey("limits.body_bytes", .integer((1 << 20)...(1 << 40)))
    static let notificationsMax = SettingKey("limits.notifications", .integer(1...1_000_000))
    static let notificationBytesInProgressMax = SettingKey(
        "limits.notification_bytes",
        .integer((1 << 20)...(1 << 40))
    )
    static let notificationBytesMax = SettingKey("limits.notification_size", .integer((64 << 10)...(1 << 20)))
    static let connectionsMax = SettingKey("limits.connections", .integer(1...1_000_000))
    static let connectionsPerAddressMax = SettingKey("limits.connections_per_address", .integer(0...1_000_000))
    static let bodyTimeMax = SettingKey("limits.body_timeout_ms", .integer(100...600_000))
    static let bodyRateMin = SettingKey("limits.body_bytes_per_second", .integer(0...1_000_000))
    static let idleTimeMax = SettingKey("limits.idle_timeout_ms", .integer(1_000...3_600_000))
    static let requestRate = SettingKey("rate_limits.requests_per_second", .integer(0...1_000_000))
    static let requestBurst = SettingKey("rate_limits.burst", .integer(1...1_000_000))
    static let addressRate = SettingKey("rate_limits.address_requests_per_second", .integer(0...1_000_000))
    static let addressBurst = SettingKey("rate_limits.address_burst", .integer(1...1_000_000))
    static let refusedNotificationRate = SettingKey(
        "rate_limits.refused_notifications_per_minute",
        .integer(0...1_000_000)
    )
    static let trustedProxies = SettingKey("rate_limits.trusted_proxies", .list)
    static let logFormat = SettingKey(
        "log.format",
        .choice(LogSettings.Format.allCases.map(\.rawValue)),
        option: "--log-format"
    )
    static let logLevel = SettingKey(
        "log.level",
        .choice(Logger.Level.allCases.map(\.rawValue)),
        option: "--log-level"
    )
    static let storeURL = SettingKey("store.url", .list, option: "--store")
    static let developmentSecretKey = SettingKey("dev_secret_key", .list, isSecret: true)
}
