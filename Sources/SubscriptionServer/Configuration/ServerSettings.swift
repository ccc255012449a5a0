import AppStoreSigning
import Foundation
import Logging
import SubscriptionCore
import SubscriptionOperations
package import SubscriptionStorage

/// Makes the server's configuration from the settings and checks their meaning.
struct ServerSettings {
    private(set) var problems: [ConfigurationProblem] = []
    private(set) var warnings: [String] = []
    private let settings: [SettingKey: EffectiveSetting]

    init(_ settings: [EffectiveSetting]) {
        self.settings = Dictionary(uniqueKeysWithValues: settings.map { ($0.key, $0) })
    }

    /// The times after the end of a period, separated by commas.
    private mutating func pollingTimes() -> [Int64] {
        let parts = text(.pollingAfterEnd).split(separator: ",").map { part in
            Int64(part.trimmingCharacters(in: .whitespaces)).flatMap {
                (60_000...2_592_000_000).contains($0) ? $0 : nil
            }
        }
        let times = parts.compactMap(\.self)
        guard times.count == parts.count, !times.isEmpty, times == times.sorted() else {
            report(
                .pollingAfterEnd,
                "\"\(text(.pollingAfterEnd))\" is not a list of times. Give whole numbers of milliseconds from 60000 "
                    + "to 2592000000 in ascending order, separated by commas, such as 300000, 3600000"
            )
            return PollingSettings.afterEndDefault
        }
        return times
    }

    mutating func server() -> ServerConfiguration {
        let roots = TrustedRootSettings(list(.trustedRoots))
        for problem in roots.problems { report(.trustedRoots, problem) }
        warnings += roots.warnings
        var server = ServerConfiguration(
            host: text(.host),
            port: integer(.port),
            database: text(.databaseURL),
            apps: apps(),
            roots: roots.roots,
            scopedRoots: roots.scopedRoots,
            appStoreKeys: appStoreKeys(),
            policy: AccessPolicy(
                renewalLeewayMilliseconds: Int64(integer(.renewalLeeway)),
                developerShare: DeveloperShare(percent: integer(.developerShare)),
                accountToken: AccountTokenRule(rawValue: text(.accountToken)) ?? .owner,
                anonymousPrefix: text(.anonymousPrefix).isEmpty ? nil : text(.anonymousPrefix)
            ),
            databaseOptions: databaseOptions(),
            limits: ServerLimits(
                requestsMax: integer(.requestsMax),
                bodyBytesInProgressMax: integer(.bodyBytesInProgressMax),
                notificationsMax: integer(.notificationsMax),
                notificationBytesInProgressMax: integer(.notificationBytesInProgressMax),
                notificationBytesMax: integer(.notificationBytesMax),
                connectionsMax: integer(.connectionsMax),
                connectionsPerAddressMax: integer(.connectionsPerAddressMax),
                bodyMillisecondsMax: integer(.bodyTimeMax),
                bodyBytesPerSecondMin: integer(.bodyRateMin),
                idleMillisecondsMax: integer(.idleTimeMax)
            )
        )
        server.rateLimits = rateLimits()
        server.tokensForPublishableKeys = truth(.tokensForPublishableKeys)
        server.appStoreLimits = AppStoreLimits(
            lookupsMax: integer(.appStoreLookupsMax),
            lookupMillisecondsMax: integer(.appStoreTimeMax)
        )
        server.appStoreServers = integer(.appStoreServers)
        server.verifiesReceipts = truth(.appStoreVerifyReceipt)
        if server.verifiesReceipts, !server.appStoreKeys.isEmpty, text(.appStoreSharedSecret).isEmpty {
            warnings.append("app_store.verify_receipt needs shared_secret for receipts of subscriptions.")
        }
        server.recovery = RecoverySettings(
            isAutomatic: truth(.recoveryEnabled),
            sweepMilliseconds: Int64(integer(.recoverySweep)),
            comparisonMilliseconds: Int64(integer(.recoveryComparison)),
            firstMilliseconds: Int64(integer(.recoveryFirst)),
            overlapMilliseconds: Int64(integer(.recoveryOverlap)),
            quietCount: integer(.recoveryQuiet),
            lowCount: integer(.recoveryLowCount),
            lowPercent: integer(.recoveryLowPercent)
        )
        server.polling = PollingSettings(
            isAutomatic: truth(.pollingEnabled),
            beforeEndMilliseconds: Int64(integer(.pollingBeforeEnd)),
            afterEndMilliseconds: pollingTimes(),
            billingRetryMilliseconds: Int64(integer(.pollingBillingRetry)),
            queriesPerSecond: integer(.pollingRate)
        )
        server.approvesOwnCampaigns = truth(.campaignsApproveOwn)
        server.operators.sessionMilliseconds = Int64(integer(.operatorsSession))
        server.webhooks.holdMilliseconds = integer(.webhooksOvertake) == 0 ? nil : Int64(integer(.webhooksOvertake))
        server.webhooks.logMilliseconds = Int64(integer(.webhooksLog))
        server.webhooks.timeout = .milliseconds(integer(.webhooksTimeMax))
        server.allowsPrivateWebhooks = truth(.webhooksAllowPrivate)
        server.consumption = consumption()
        server.storeURLs = list(.storeURL)
        for url in server.storeURLs where !StoreLink.isAddress(url) {
            report(
                .storeURL,
                "\"\(url)\" is not an address of a store. Allowed: http://HOST:PORT, as perennial store prints it"
            )
        }
        let secretKeys = list(.developmentSecretKey)
        if secretKeys.count > server.storeURLs.count {
            let rest = server.storeURLs.isEmpty ? "is not used" : "has a key that is not used"
            warnings.append("dev_secret_key \(rest): each key needs a local store (store.url).")
        }
        server.developmentSecretKeys = Array(secretKeys.prefix(server.storeURLs.count))
        for key in server.developmentSecretKeys where !DevelopmentKeys.isKey(key) {
            report(.developmentSecretKey, "it must be sk_ and at least 16 more characters")
        }
        if text(.host).isEmpty { report(.host, "an address is needed, such as 127.0.0.1") }
        do throws(StartError) {
            try DatabaseAddress.check(server.database)
        } catch {
            report(.databaseURL, "\(error)")
        }
        return server
    }

    private mutating func rateLimits() -> RateLimits {
        var proxies: [NetworkBlock] = []
        for text in list(.trustedProxies) {
            guard let proxy = NetworkBlock(text) else {
                report(
                    .trustedProxies,
                    "\"\(text)\" is not allowed. Allowed: an address, or a network such as 10.0.0.0/8 or fd00::/8"
                )
                continue
            }
            proxies.append(proxy)
        }
        return RateLimits(
            requestsPerSecond: integer(.requestRate),
            burst: integer(.requestBurst),
            addressRequestsPerSecond: integer(.addressRate),
            addressBurst: integer(.addressBurst),
            refusedNotificationsPerMinute: integer(.refusedNotificationRate),
            trustedProxies: proxies
        )
    }

    private mutating func consumption() -> ConsumptionConfiguration {
        var consumption = ConsumptionConfiguration()
        consumption.version = integer(.consumptionVersion)
        if !text(.consumptionPolicyFile).isEmpty {
            do throws(ConsumptionPolicyFile.Problem) {
                consumption.policy = try ConsumptionPolicyFile.policy(path: text(.consumptionPolicyFile))
            } catch {
                report(.consumptionPolicyFile, "\(error)")
            }
        }
        guard !text(.consumptionHookURL).isEmpty else { return consumption }
        consumption.hook = ConsumptionConfiguration.Hook(
            url: text(.consumptionHookURL),
            secret: text(.consumptionHookSecret),
            milliseconds: integer(.consumptionHookTimeMax)
        )
        if !ConsumptionConfiguration.isHookURL(text(.consumptionHookURL)) {
            report(.consumptionHookURL, "it must begin with https://, or with http:// on this machine")
        }
        if !ConsumptionHook.isSecret(text(.consumptionHookSecret)) {
            report(.consumptionHookSecret, "it must be whsec_ and 24 to 64 bytes in base64")
        }
        return consumption
    }

    func log() -> LogSettings {
        // The values were checked before.
        LogSettings(
            format: LogSettings.Format(rawValue: text(.logFormat)) ?? .auto,
            level: Logger.Level(rawValue: text(.logLevel)) ?? .notice
        )
    }

    private func databaseOptions() -> DatabaseOptions {
        var options = DatabaseOptions()
        options.migrates = truth(.migrates)
        options.sqlite = DatabaseOptions.SQLite(
            readers: integer(.sqliteReaders),
            busyTimeoutMilliseconds: integer(.sqliteBusyTimeout),
            fileBytesMax: integer(.sqliteBytesMax) == 0 ? nil : Int64(integer(.sqliteBytesMax))
        )
        options.postgreSQL = DatabaseOptions.PostgreSQL(
            writers: integer(.postgreSQLWriters),
            readers: integer(.postgreSQLReaders),
            waiting: integer(.postgreSQLWaiting),
            attempts: integer(.postgreSQLAttempts),
            connectTimeoutMilliseconds: integer(.postgreSQLConnectTimeout),
            statementTimeoutMilliseconds: integer(.postgreSQLStatementTimeout),
            lockTimeoutMilliseconds: integer(.postgreSQLLockTimeout)
        )
        return options
    }

    private mutating func apps() -> [AppRecord] {
        var records: [AppRecord] = []
        var bundles: Set<String> = []
        for text in list(.apps) {
            if let bundle = text.split(separator: ":").first, !bundles.insert(String(bundle)).inserted {
                report(.apps, "\(bundle) is in it twice; an app has one Apple ID")
            }
            if let named = AppRecord.records(named: text) {
                records += named
            } else {
                report(.apps, "\"\(text)\" is not allowed. Allowed: BUNDLE_ID, or BUNDLE_ID:APPLE_ID")
            }
        }
        return records
    }

    /// The keys for the App Store Server API of each configured app, for both environments.
    private mutating func appStoreKeys() -> [AppStoreKey] {
        let further = AppStoreKeySettings(list(.appStoreKeys))
        for problem in further.problems { report(.appStoreKeys, problem) }
        let shared = [firstAppStoreKey()].compactMap(\.self) + further.keys
        guard !shared.isEmpty || !further.keysByApp.isEmpty else { return [] }
        let bundles = Set(list(.apps).compactMap { $0.split(separator: ":").first.map(String.init) })
        if bundles.isEmpty { warnings.append("app_store is not used: it needs apps in the setting apps.") }
        for bundle in further.keysByApp.keys.sorted() where !bundles.contains(bundle) {
            report(.appStoreKeys, "\"\(bundle)\" is not in the setting apps")
        }
        let secret = text(.appStoreSharedSecret)
        return bundles.sorted().compactMap { bundle in
            let keys = further.keysByApp[bundle] ?? shared
            guard !keys.isEmpty else { return nil }
            return AppStoreKey(bundleID: bundle, keys: keys, sharedSecret: secret.isEmpty ? nil : secret)
        }
    }

    /// The key of the three settings for one key.
    private mutating func firstAppStoreKey() -> InAppPurchaseKey? {
        let needed: [SettingKey] = [.appStoreKeyID, .appStoreIssuerID, .appStoreKeyFile]
        let missing = needed.filter { text($0).isEmpty }
        guard missing.count < needed.count else { return nil }
        for key in missing { report(key, "it is required with the other settings of the key; set all three, or none") }
        guard missing.isEmpty else { return nil }
        do throws(AppStoreKeySettings.Problem) {
            return try AppStoreKeySettings.key(
                file: text(.appStoreKeyFile),
                keyID: text(.appStoreKeyID),
                issuerID: text(.appStoreIssuerID)
            )
        } catch {
            report(.appStoreKeyFile, error.message)
            return nil
        }
    }

    private mutating func report(_ key: SettingKey, _ message: String) {
        problems.append(
            ConfigurationProblem(
                code: .valueInvalid,
                key: key.name,
                location: settings[key]?.origin ?? "default",
                message: message
            )
        )
    }

    private func text(_ key: SettingKey) -> String {
        guard case .text(let text)? = settings[key]?.value else { return "" }
        return text
    }

    private func integer(_ key: SettingKey) -> Int {
        guard case .integer(let number)? = settings[key]?.value else { return 0 }
        return number
    }

    private func truth(_ key: SettingKey) -> Bool {
        settings[key]?.value == .truth(true)
    }

    private func list(_ key: SettingKey) -> [String] {
        guard case .list(let texts)? = settings[key]?.value else { return [] }
        return texts
    }
}

extension AppRecord {
    /// The records of an app in the form `BUNDLE_ID[:APPLE_ID]`, one for each of its environments.
    package static func records(named text: String) -> [AppRecord]? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bundleID = parts.first.map(String.init), !bundleID.isEmpty else { return nil }
        let sandbox = AppRecord(bundleID: bundleID, environment: .sandbox, appleID: nil)
        guard parts.count == 2 else { return [sandbox] }
        guard let appleID = Int64(parts[1]), appleID > 0 else { return nil }
        return [AppRecord(bundleID: bundleID, environment: .production, appleID: appleID), sandbox]
    }
}
