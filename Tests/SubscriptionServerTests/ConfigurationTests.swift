import AppStoreSigning
import Foundation
import SubscriptionOperations
import SubscriptionServer
import Testing

/// Settings from the command line, the environment, the file and the defaults, in this order of precedence.
@Suite struct `The server's configuration` {
    @Test(arguments: SettingKey.all)
    func `documents each key above its value in the defaults file`(key: SettingKey) throws {
        let lines = EffectiveConfiguration.defaults.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " } }
        let documented = try #require(lines.firstIndex { $0 == "# \(key.documentation)" })
        let name = try #require(key.name.split(separator: ".").last)
        #expect(lines[documented + 1].hasPrefix("\(name): "))
        #expect(lines[documented - 1].hasPrefix("# "), "the documentation is above the key")
    }

    @Test
    func `has valid defaults, each for a known key`() {
        let effective = EffectiveConfiguration(commandLine: [:], environment: [:], file: nil)
        #expect(effective.problems == [])
        #expect(effective.settings.map(\.key) == SettingKey.all)
        #expect(effective.settings.allSatisfy { $0.origin == "default" })
        #expect(effective.server.host == "127.0.0.1" && effective.server.port == 8080)
        #expect(effective.server.database == "sqlite:perennial.db")
        #expect(effective.server.databaseOptions == DatabaseOptions())
        #expect(effective.server.policy == ServerConfiguration().policy)
        #expect(effective.server.limits == ServerLimits())
        #expect(effective.server.rateLimits == RateLimits())
        #expect(effective.log == LogSettings())
    }

    /// Each value differs from all others and from the defaults, so that no two can be confused.
    @Test func `gives recovery and status polling their own values`() throws {
        let values = [
            "recovery.enabled": "false",
            "recovery.sweep_interval_ms": "61001",
            "recovery.comparison_interval_ms": "72002",
            "recovery.first_window_ms": "83003",
            "recovery.overlap_ms": "94004",
            "recovery.quiet_notifications": "105",
            "recovery.low_rate_notifications": "106",
            "recovery.low_rate_percent": "17",
            "polling.enabled": "false",
            "polling.before_end_ms": "116006",
            "polling.after_end_ms": "127007, 138008",
            "polling.billing_retry_interval_ms": "149009",
            "polling.queries_per_second": "16",
        ]
        let keys = SettingKey.all.filter { $0.name.hasPrefix("recovery.") || $0.name.hasPrefix("polling.") }
        #expect(Set(keys.map(\.name)) == Set(values.keys), "a new setting needs a value here")
        let environment = Dictionary(uniqueKeysWithValues: keys.map { ($0.variable, values[$0.name] ?? "") })
        let effective = EffectiveConfiguration(commandLine: [:], environment: environment, file: nil)
        #expect(effective.problems == [])
        let recovery = RecoverySettings(
            isAutomatic: false,
            sweepMilliseconds: 61_001,
            comparisonMilliseconds: 72_002,
            firstMilliseconds: 83_003,
            overlapMilliseconds: 94_004,
            quietCount: 105,
            lowCount: 106,
            lowPercent: 17
        )
        #expect(effective.server.recovery == recovery)
        let polling = PollingSettings(
            isAutomatic: false,
            beforeEndMilliseconds: 116_006,
            afterEndMilliseconds: [127_007, 138_008],
            billingRetryMilliseconds: 149_009,
            queriesPerSecond: 16
        )
        #expect(effective.server.polling == polling)
    }

    @Test(arguments: SettingKey.all)
    func `takes each key from command line, environment, file and defaults, in this order`(
        key: SettingKey
    ) throws {
        let file = try TemporaryFile(Self.file(key, Self.samples(of: key)[0].text))
        defer { file.remove() }
        let samples = Self.samples(of: key)
        let inFile = Self.effective(key, file: file.path)
        #expect(inFile?.value == samples[0].value)
        #expect(inFile?.origin.hasPrefix("\(file.path):") == true)
        let inEnvironment = Self.effective(key, environment: [key.variable: samples[1].plain], file: file.path)
        #expect(inEnvironment?.value == samples[1].value)
        #expect(inEnvironment?.origin == key.variable)
        guard let option = key.option else { return }
        let all = EffectiveConfiguration(
            commandLine: [key: samples[2].value],
            environment: [key.variable: samples[1].plain],
            file: file.path
        )
        let onCommandLine = all.settings.first { $0.key == key }
        #expect(onCommandLine?.value == samples[2].value)
        #expect(onCommandLine?.origin == option)
    }

    @Test(arguments: [
        ("server:\n  prot: 80\n", "config_key_unknown", "server.prot", 2, "server.port"),
        ("databse:\n  url: x\n", "config_key_unknown", "databse", 1, "database.url"),
        ("server:\n  port: eighty\n", "config_value_invalid", "server.port", 2, "from 0 to 65535"),
        ("server:\n  port: 65536\n", "config_value_invalid", "server.port", 2, "from 0 to 65535"),
        ("server:\n  port: -1\n", "config_value_invalid", "server.port", 2, "from 0 to 65535"),
        ("server:\n  port: [1]\n", "config_value_invalid", "server.port", 2, "from 0 to 65535"),
        ("server:\n  port:\n    x: 1\n", "config_value_invalid", "server.port", 2, "from 0 to 65535"),
        ("server: 80\n", "config_value_invalid", "server", 1, "is a section"),
        ("apps: com.example.app\n", "config_value_invalid", "apps", 1, "List of texts"),
        ("apps: [com.example.app:x]\n", "config_value_invalid", "apps", 1, "BUNDLE_ID"),
        ("apps: [com.example.app:1, com.example.app:2]\n", "config_value_invalid", "apps", 1, "twice"),
        ("database:\n  migrate: perhaps\n", "config_value_invalid", "database.migrate", 2, "true or false"),
        ("app_store:\n  servers: 0\n", "config_value_invalid", "app_store.servers", 2, "from 1 to 1000"),
        ("log:\n  format: xml\n", "config_value_invalid", "log.format", 2, "auto, text, json"),
        ("database:\n  url: mysql://h/d\n", "config_value_invalid", "database.url", 2, "sqlite:PATH"),
        (
            "rate_limits:\n  trusted_proxies: [10.0.0.0/8, nonsense]\n", "config_value_invalid",
            "rate_limits.trusted_proxies", 2, "nonsense"
        ),
        (
            "rate_limits:\n  trusted_proxies: [0.0.0.0/0]\n", "config_value_invalid", "rate_limits.trusted_proxies", 2,
            "10.0.0.0/8"
        ),
        ("trusted_roots: [no-such.pem]\n", "config_value_invalid", "trusted_roots", 1, "no-such.pem"),
    ])
    func `reports an error in a file with its key, its line and the allowed values`(
        text: String,
        code: String,
        key: String,
        line: Int,
        hint: String
    ) throws {
        let file = try TemporaryFile(text)
        defer { file.remove() }
        let effective = EffectiveConfiguration(commandLine: [:], environment: [:], file: file.path)
        let problem = try #require(effective.problems.first)
        #expect(effective.problems.count == 1)
        #expect(problem.code.rawValue == code && problem.key == key)
        #expect(problem.location == "\(file.path):\(line)")
        #expect(problem.message.contains(hint))
    }

    @Test
    func `reports all errors together, including unknown keys`() throws {
        let file = try TemporaryFile("server:\n  port: abc\n  hots: x\ndatabase:\n  url: mysql://x\n")
        defer { file.remove() }
        let effective = EffectiveConfiguration(commandLine: [:], environment: [:], file: file.path)
        #expect(Set(effective.problems.map(\.key)) == ["server.hots", "server.port", "database.url"])
    }

    #if PostgreSQL
        @Test(arguments: ["postgres://h/d?foo=1", "postgres://u%zz@h/d", "postgres://[::1/d"])
        func `rejects an invalid PostgreSQL address without repeating it`(
            url: String
        ) throws {
            let environment = ["PERENNIAL_DATABASE_URL": url]
            let effective = EffectiveConfiguration(commandLine: [:], environment: environment, file: nil)
            let problem = try #require(effective.problems.first)
            #expect(problem.message.contains("storage_address_malformed") && !problem.message.contains(url))
        }
    #endif

    @Test
    func `reads the App Store key of each named app, with its three parts`() throws {
        let key = try TemporaryFile(InAppPurchaseKey.generate().pem)
        defer { key.remove() }
        let app = "apps: [com.example.a:1, com.example.b]\napp_store:\n  key_id: ABC\n  issuer_id: I\n"
        let whole = try TemporaryFile(app + "  private_key_file: \(key.path)\n  shared_secret: s3cret\n")
        defer { whole.remove() }
        let effective = EffectiveConfiguration(commandLine: [:], environment: [:], file: whole.path)
        #expect(effective.problems == [] && effective.warnings == [])
        #expect(effective.server.appStoreKeys.map(\.bundleID) == ["com.example.a", "com.example.b"])
        #expect(
            effective.server.appStoreKeys.allSatisfy { $0.keys.map(\.keyId) == ["ABC"] && $0.sharedSecret == "s3cret" }
        )
        for (lines, wrong) in [("", "app_store.private_key_file"), ("  private_key_file: /none\n", "is not there")] {
            let part = try TemporaryFile(app + lines)
            defer { part.remove() }
            let problems = EffectiveConfiguration(commandLine: [:], environment: [:], file: part.path).problems
            #expect(problems.count == 1)
            #expect(problems.first?.description.contains(wrong) == true)
        }
    }

    @Test func `takes the number of servers that share Apple's rate limits`() {
        let environment = ["PERENNIAL_APP_STORE_SERVERS": "3"]
        let effective = EffectiveConfiguration(commandLine: [:], environment: environment, file: nil)
        #expect(effective.problems == [] && effective.server.appStoreServers == 3)
        #expect(EffectiveConfiguration(commandLine: [:], environment: [:], file: nil).server.appStoreServers == 1)
    }

    @Test(arguments: [("", 1), ("  shared_secret: abc\n", 0)])
    func `warns if verifyReceipt is to be asked without the shared secret`(line: String, warnings: Int) throws {
        let key = try TemporaryFile(InAppPurchaseKey.generate().pem)
        defer { key.remove() }
        let text = """
            apps: [com.example.a:1]
            app_store:
              key_id: K1
              issuer_id: I
              private_key_file: \(key.path)
              verify_receipt: true

            """
        let file = try TemporaryFile(text + line)
        defer { file.remove() }
        let effective = EffectiveConfiguration(commandLine: [:], environment: [:], file: file.path)
        #expect(effective.problems == [] && effective.server.verifiesReceipts)
        #expect(effective.warnings.count { $0.contains("app_store.verify_receipt") } == warnings)
        #expect(effective.warnings.count == warnings)
    }

    @Test
    func `reads several keys, in order, and own keys of an app`() throws {
        let key = try TemporaryFile(InAppPurchaseKey.generate().pem)
        defer { key.remove() }
        let text = """
            apps: [com.example.a:1, com.example.b]
            app_store:
              key_id: K1
              issuer_id: I
              private_key_file: \(key.path)
              keys: ["K2:I:\(key.path)", "com.example.b=K3:J:\(key.path)"]

            """
        let file = try TemporaryFile(text)
        defer { file.remove() }
        let effective = EffectiveConfiguration(commandLine: [:], environment: [:], file: file.path)
        #expect(effective.problems == [] && effective.warnings == [])
        let keys = effective.server.appStoreKeys
        #expect(keys.map(\.bundleID) == ["com.example.a", "com.example.b"])
        #expect(keys.map { $0.keys.map(\.keyId) } == [["K1", "K2"], ["K3"]])
        #expect(keys.map { $0.keys.map(\.issuerId) } == [["I", "I"], ["J"]])
    }

    @Test(
        arguments: [
            ("K1:I:/none", "is not there"), ("K1:I", "is not a key"), ("=K1:I:F", "is not a key"),
            ("K1::F", "is not a key"), ("com.example.c=K1:I:KEY", "is not in the setting apps"),
        ]
    )
    func `says what is wrong with a further key`(text: String, problem: String) throws {
        let key = try TemporaryFile(InAppPurchaseKey.generate().pem)
        defer { key.remove() }
        let given = text.replacingOccurrences(of: "KEY", with: key.path)
        let file = try TemporaryFile("apps: [com.example.a:1]\napp_store:\n  keys: [\"\(given)\"]\n")
        defer { file.remove() }
        let effective = EffectiveConfiguration(commandLine: [:], environment: [:], file: file.path)
        #expect(effective.problems.map(\.key) == ["app_store.keys"])
        #expect(effective.problems.first?.message.contains(problem) == true)
    }

    @Test(arguments: ["a: b: c\n", "- 1\n", "server:\n  port: 1\nserver:\n  port: 2\n", "\t{", "\"sk_secret0123456789"])
    func `rejects a file that is not YAML sections without repeating it`(text: String) throws {
        let file = try TemporaryFile(text)
        defer { file.remove() }
        let problems = EffectiveConfiguration(commandLine: [:], environment: [:], file: file.path).problems
        #expect(problems.map(\.code) == [.malformed])
        #expect(problems.allSatisfy { !$0.description.contains("sk_secret") })
    }

    @Test
    func `rejects a missing file and accepts an empty one`() throws {
        let gone = EffectiveConfiguration(commandLine: [:], environment: [:], file: "/no/such/file.yaml")
        #expect(gone.problems.map(\.code) == [.unreadable])
        let named = EffectiveConfiguration(commandLine: [:], environment: ["PERENNIAL_CONFIG": "/no/such"], file: nil)
        #expect(named.problems.map(\.code) == [.unreadable])
        for text in ["", "# nothing\n", "server:\n", "api:\n  key_id: x\n"] {
            let file = try TemporaryFile(text)
            defer { file.remove() }
            #expect(EffectiveConfiguration(commandLine: [:], environment: [:], file: file.path).problems == [])
        }
    }

    @Test
    func `reports an invalid value even if another source overrides it`() throws {
        let file = try TemporaryFile("server:\n  port: x\n")
        defer { file.remove() }
        let environment = ["PERENNIAL_SERVER_PORT": "99"]
        let effective = EffectiveConfiguration(commandLine: [:], environment: environment, file: file.path)
        #expect(effective.problems.map(\.key) == ["server.port"])
    }

    @Test(arguments: [
        ("PERENNIAL_PORT", "9090", "PERENNIAL_SERVER_PORT"), ("PERENNIAL_DATABASE", "x", "PERENNIAL_DATABASE_URL"),
        ("PERENNIAL_DATABSE_URL", "x", "PERENNIAL_DATABASE_URL"),
    ])
    func `reports an unused variable with the intended one`(name: String, value: String, meant: String) {
        let warnings = EffectiveConfiguration(commandLine: [:], environment: [name: value], file: nil).warnings
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains(name) == true && warnings.first?.contains(meant) == true)
    }

    @Test
    func `ignores the variables that Kubernetes sets for a service named perennial`() {
        let environment = [
            "PERENNIAL_PORT": "tcp://10.0.0.1:80", "PERENNIAL_SERVICE_HOST": "10.0.0.1",
            "PERENNIAL_PORT_80_TCP": "tcp://10.0.0.1:80",
        ]
        let effective = EffectiveConfiguration(commandLine: [:], environment: environment, file: nil)
        #expect(effective.problems == [] && effective.warnings == [])
    }

    @Test(arguments: [
        ("sqlite:/var/lib/p.db", "sqlite:/var/lib/p.db"), ("postgres://u@h:1/d", "postgres://u@h:1/d"),
        ("postgres://u:p4ss@h/d", "postgres://u:***@h/d"), ("postgresql://u:p@ss@h/d", "***"),
        ("postgres://u@h/d?password=p4ss", "postgres://u@h/d?***"), ("p4ss", "***"),
    ])
    func `shows an address without its password`(address: String, shown: String) throws {
        let setting = try #require(Self.effective(.all[2], environment: ["PERENNIAL_DATABASE_URL": address], file: nil))
        #expect(setting.key.name == "database.url")
        #expect(setting.shown == .text(shown))
    }

    private static func effective(
        _ key: SettingKey,
        environment: [String: String] = [:],
        file: String?
    ) -> EffectiveSetting? {
        EffectiveConfiguration(commandLine: [:], environment: environment, file: file).settings.first { $0.key == key }
    }

    /// Up to three allowed values: as YAML, as an environment variable, and parsed.
    private static func samples(of key: SettingKey) -> [(text: String, plain: String, value: SettingValue)] {
        switch key.kind {
        case .text: ["one", "two", "three"].map { ($0, $0, .text($0)) }
        case .choice(let choices): choices.prefix(3).map { ($0, $0, .text($0)) }
        case .integer(let range):
            [range.lowerBound, range.upperBound, (range.lowerBound + range.upperBound) / 2]
                .map { ("\($0)", "\($0)", .integer($0)) }
        case .truth: [false, true, false].map { ("\($0)", "\($0)", .truth($0)) }
        case .list: [("[a, b]", "a,b", .list(["a", "b"])), ("[c]", "c", .list(["c"])), ("[]", "", .list([]))]
        }
    }

    private static func file(_ key: SettingKey, _ value: String) -> String {
        let parts = key.name.split(separator: ".")
        let sections = parts.dropLast().enumerated().map { depth, part in
            String(repeating: "  ", count: depth) + part + ":\n"
        }
        return sections.joined() + String(repeating: "  ", count: parts.count - 1) + "\(parts.last ?? ""): \(value)\n"
    }
}

/// A temporary file for one test.
private struct TemporaryFile {
    let path: String

    init(_ text: String) throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString).yaml").path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
