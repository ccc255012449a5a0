import PerennialPrimitives
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// People who operate the server, as the commands change them.
@Suite struct `The administration of operators` {
    private static let password = "correct horse battery"
    private static let who = Operator("perennial operators")
    private static let production = AppRecord(bundleID: "com.example.app", environment: .production, appleID: 1)
    private static let sandbox = AppRecord(bundleID: "com.example.app", environment: .sandbox, appleID: nil)

    private let database = InMemoryDatabase()
    private let time = FollowedTimeSource(Timestamp(milliseconds: 1_770_000_000_000))
    private let operators: OperatorAdministration

    init() async throws {
        operators = OperatorAdministration(
            database: database,
            hashing: PasswordHashing(cost: PasswordCost(logRounds: 4, blockSize: 8, parallelism: 1)),
            time: time
        )
        try await database.write { storage throws(StorageError) in
            try storage.save(Self.production)
            try storage.save(Self.sandbox)
        }
    }

    private func actions(_ app: AppRecord) async throws -> [String] {
        let entries = try await database.read { storage throws(StorageError) in
            try storage.auditEntries(of: app.id, limit: 100)
        }
        for entry in entries { #expect(entry.target == "operator:anna" && entry.actor == Self.who.name) }
        return entries.map(\.action).sorted()
    }

    private func addAnna(apps: [AppID]? = nil) async throws -> OperatorAdministration.Enrolment {
        try await operators.add("anna", role: .support, apps: apps, password: Self.password, by: Self.who)
    }

    @Test func `adds a person with a password and the secret of one-time codes`() async throws {
        let enrolment = try await addAnna()
        let account = try await operators.view(of: "ANNA").account
        #expect(account.name == "anna" && account.role == .support && account.apps == nil)
        #expect(account.id.rawValue.hasPrefix("opr_"))
        let secret = try #require(account.totpSecret)
        #expect(enrolment.secret == Base32.encode(secret) && enrolment.address.contains(enrolment.secret))
        let verifier = try #require(PasswordVerifier(text: account.password ?? ""))
        #expect(try verifier.matches(Self.password))
        #expect(account.password?.contains(Self.password) == false)
        for app in [Self.production, Self.sandbox] { #expect(try await actions(app) == ["operator.created"]) }
    }

    @Test func `adds a person with a key, of which only the digest is stored`() async throws {
        let draft = OperatorAdministration.KeyDraft(label: "CI", lifetime: 86_400_000)
        let key = try await operators.add("anna", role: .admin, apps: nil, key: draft, by: Self.who)
        let view = try await operators.view(of: "anna")
        #expect(view.account.password == nil && view.account.totpSecret == nil)
        let stored = try #require(view.keys.first)
        #expect(key.hasPrefix("ok_") && key.utf8.count == 51)
        #expect(stored.digest == KeyIssuing.digest(key) && stored.hint == String(key.suffix(4)))
        #expect(stored.kind == .key && stored.label == "CI")
        #expect(stored.expiresAt == time.now().adding(milliseconds: 86_400_000))
    }

    @Test func `refuses names that are taken in any case, and what is against its rules`() async throws {
        _ = try await addAnna()
        let draft = OperatorAdministration.KeyDraft()
        await #expect(throws: Self.error("operator_exists")) {
            _ = try await operators.add("Anna", role: .viewer, apps: nil, key: draft, by: Self.who)
        }
        await #expect(throws: Self.error("operator_name_invalid")) {
            _ = try await operators.add(" ", role: .viewer, apps: nil, key: draft, by: Self.who)
        }
        await #expect(throws: Self.error("app_not_configured")) {
            let apps = [AppID(bundleID: "com.example.other", environment: .production)]
            _ = try await operators.add("ben", role: .viewer, apps: apps, key: draft, by: Self.who)
        }
        await #expect(throws: Self.error("operator_password_invalid")) {
            _ = try await operators.add("ben", role: .viewer, apps: nil, password: "too short", by: Self.who)
        }
        await #expect(throws: Self.error("operator_not_found")) { try await operators.remove("ben", by: Self.who) }
        #expect(try await operators.all().count == 1)
    }

    @Test func `writes an entry for each app before or after a change`() async throws {
        _ = try await addAnna(apps: [Self.sandbox.id])
        let change = OperatorAdministration.Change(role: .admin, apps: [Self.production.id])
        try await operators.change("anna", change, by: Self.who)
        let account = try await operators.view(of: "anna").account
        #expect(account.role == .admin && account.apps == [Self.production.id])
        #expect(try await actions(Self.sandbox) == ["operator.changed", "operator.created"])
        #expect(try await actions(Self.production) == ["operator.changed"])
        try await operators.change("anna", .init(apps: .some(nil)), by: Self.who)
        #expect(try await operators.view(of: "anna").account.apps == nil)
    }

    @Test func `writes no entry if nothing changes`() async throws {
        _ = try await addAnna()
        try await operators.change("anna", .init(role: .support, isDisabled: false), by: Self.who)
        try await operators.unlock("anna", by: Self.who)
        #expect(try await actions(Self.production) == ["operator.created"])
        for _ in 0..<2 {
            try await operators.change("anna", .init(isDisabled: true), by: Self.who)
            time.advance(to: time.now().adding(milliseconds: 1))
        }
        #expect(try await actions(Self.production) == ["operator.changed", "operator.created"])
        try await database.write { storage throws(StorageError) in
            guard var account = try storage.operatorAccount(named: "anna") else { return }
            account.failures = 1
            try storage.save(account)
        }
        for _ in 0..<2 { try await operators.unlock("anna", by: Self.who) }
        let expected = ["operator.changed", "operator.created", "operator.unlocked"]
        #expect(try await actions(Self.production) == expected)
    }

    @Test func `ends sessions when a person is disabled or reset, and everything when removed`() async throws {
        let first = try await addAnna()
        _ = try await operators.addKey(.init(), to: "anna", by: Self.who)
        for step in 0..<2 {
            let id = try await operators.view(of: "anna").account.id
            let session = OperatorKey(
                digest: [UInt8(step)],
                operatorID: id,
                kind: .session,
                hint: "\(step)",
                createdAt: time.now(),
                expiresAt: time.now().adding(milliseconds: 1)
            )
            try await database.write { storage throws(StorageError) in try storage.insert(session) }
            if step == 0 {
                try await operators.change("anna", .init(isDisabled: true), by: Self.who)
                #expect(try await operators.view(of: "anna").account.disabledAt == time.now())
                try await operators.change("anna", .init(isDisabled: false), by: Self.who)
            } else {
                let second = try await operators.reset("anna", password: Self.password + "!", by: Self.who)
                #expect(second != first)
            }
            let view = try await operators.view(of: "anna")
            #expect(view.keys.map(\.kind) == [.key] && view.account.disabledAt == nil)
        }
        let id = try await operators.view(of: "anna").account.id
        try await operators.remove("anna", by: Self.who)
        let left = try await database.read { storage throws(StorageError) in try storage.operatorKeys(of: id) }
        #expect(left.isEmpty)
        #expect(
            try await actions(Self.production) == [
                "operator.changed", "operator.changed", "operator.created", "operator.removed", "operator.reset",
                "operator_key.created",
            ]
        )
    }

    @Test func `revokes a key by its last characters, and nothing if several end alike`() async throws {
        _ = try await addAnna()
        let text = try await operators.addKey(.init(), to: "anna", by: Self.who)
        let id = try await operators.view(of: "anna").account.id
        // Its last characters are no hexadecimal digits, so no random key has them.
        let other = OperatorKey(digest: [9], operatorID: id, kind: .key, hint: "else", createdAt: time.now())
        try await database.write { storage throws(StorageError) in try storage.insert(other) }
        let revoked = try await operators.revokeKey(String(text.suffix(4)), of: "anna", by: Self.who)
        #expect(revoked.digest == KeyIssuing.digest(text))
        await #expect(throws: Self.error("operator_key_not_found")) {
            _ = try await operators.revokeKey(text, of: "anna", by: Self.who)
        }
        let twins = (0..<2).map { number in
            OperatorKey(digest: [UInt8(number)], operatorID: id, kind: .key, hint: "same", createdAt: time.now())
        }
        try await database.write { storage throws(StorageError) in for key in twins { try storage.insert(key) } }
        await #expect(throws: Self.error("operator_key_ambiguous")) {
            _ = try await operators.revokeKey("same", of: "anna", by: Self.who)
        }
        #expect(try await operators.view(of: "anna").keys.count == 3)
    }

    private static func error(_ code: String) -> OperatorError { OperatorError(code: code, message: "") }
}
