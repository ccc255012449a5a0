import AppStoreModel
import AppStoreSigning
import Crypto
import PerennialPrimitives
public import SubscriptionCore
public import SubscriptionStorage

/// Signs a customer's entitlements, so that others can verify them without a request (JWS with ES256, RFC 7515).
public struct EntitlementTokens: Sendable {
    /// The maximum lifetime of a token.
    public static let lifetimeMilliseconds: Int64 = 15 * 60 * 1000
    /// How long a public key is published after the end of the last token that it signed, for clocks that differ.
    public static let keyRetentionMilliseconds: Int64 = 5 * 60 * 1000

    /// A signed statement.
    public struct Token: Hashable, Sendable {
        /// The compact JWS.
        public var text: String
        /// When it expires, in whole seconds; never after an entitlement in it.
        public var expiresAt: Timestamp
    }

    private let database: any SubscriptionDatabase
    private let reading: CustomerReading
    private let time: any TimeSource

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, reading: CustomerReading, time: any TimeSource) {
        self.database = database
        self.reading = reading
        self.time = time
    }

    /// A token with the customer's current entitlements.
    ///
    /// - Parameters:
    ///   - name: The customer.
    ///   - app: The app of the caller's key.
    ///   - subject: The subject in the token; nil for the customer's own identifier.
    ///   - who: The person who gets the token, for the audit log; nil for a backend or an app, which get them all the
    ///     time.
    /// - Throws: ``OperationError`` `clock_disputed`, `customer_not_found`, or storage's codes.
    public func token(
        for name: CustomerID,
        app: AppID,
        subject: CustomerID? = nil,
        by who: Operator? = nil
    ) async throws(OperationError) -> Token {
        guard time.dispute == nil else { throw .clockDisputed }
        let view = try await reading.customer(name, of: app)
        let (id, key) = try await signingKey()
        let expiresAt = view.tokenEnd(lifetimeMilliseconds: Self.lifetimeMilliseconds)
        var header = JSONObject()
        header["alg"] = .string("ES256")
        header["kid"] = .string(id)
        header["typ"] = .string("JWT")
        let claims = JSONObject(claimsOf: view, app: app, subject: subject ?? view.customer.id, expiresAt: expiresAt)
        let signed = [header, claims].map { Self.segment($0.serialize()) }.joined(separator: ".")
        if let who { try await audit(by: who, for: name, app: app, expiresAt: expiresAt) }
        do {
            let signature = try key.signature(for: Array(signed.utf8)).rawRepresentation
            return Token(text: signed + "." + Self.segment(Array(signature)), expiresAt: expiresAt)
        } catch {
            throw .signingKeyUnusable
        }
    }

    /// The public keys of tokens that may still be valid, newest first.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func publicKeys() async throws(OperationError) -> [SigningKeyRecord] {
        let shownMilliseconds = Self.lifetimeMilliseconds + Self.keyRetentionMilliseconds
        let oldest = time.now().adding(milliseconds: -shownMilliseconds)
        return try await keys().filter { $0.retiredAt.map { $0 > oldest } ?? true }
    }

    /// Makes a new key for all future tokens. Existing tokens stay valid until they expire.
    ///
    /// - Parameters:
    ///   - database: The database with the keys.
    ///   - now: When the old keys are retired.
    ///   - who: The operator, for each app's audit log.
    /// - Returns: The name of the new key.
    /// - Throws: ``StorageError``.
    public static func rotate(
        in database: any SubscriptionDatabase,
        at now: Timestamp,
        by who: Operator
    ) async throws(StorageError) -> String {
        let new = makeKey(at: now)
        try await database.write { storage throws(StorageError) in
            for var key in try storage.signingKeys() where key.retiredAt == nil {
                key.retiredAt = now
                key.privateKey = nil
                try storage.save(key)
            }
            try storage.save(new)
            for app in try storage.apps().map(\.id) {
                try storage.audit(.signingKeyRotated, .signingKey(new.id), by: who, app: app, at: now)
            }
        }
        return new.id
    }

    /// Records that a person gets a token.
    private func audit(
        by who: Operator,
        for name: CustomerID,
        app: AppID,
        expiresAt: Timestamp
    ) async throws(OperationError) {
        let now = time.now()
        let result: Result<Void, OperationError>
        do {
            result = try await database.write { storage throws(StorageError) in
                // The customer may have been erased meanwhile.
                guard let customer = try storage.customer(named: name, of: app) else {
                    return .failure(.customerNotFound)
                }
                let after = AuditedValue(["expires_at": .integer(expiresAt.milliseconds)])
                let target = AuditedTarget.customer(customer.id)
                try storage.audit(.entitlementTokenIssued, target, by: who, app: app, at: now, after: after)
                return .success(())
            }
        } catch {
            throw OperationError(error)
        }
        try result.get()
    }

    /// A part of a compact JWS.
    private static func segment(_ bytes: [UInt8]) -> String {
        String(decoding: Base64.encode(bytes, .url), as: UTF8.self)
    }

    /// The newest active key; a new one is made if there is none.
    private func signingKey() async throws(OperationError) -> (id: String, key: P256.Signing.PrivateKey) {
        var record = try await keys().first { $0.privateKey != nil }
        if record == nil {
            let new = Self.makeKey(at: time.now())
            do {
                record = try await database.write { storage throws(StorageError) -> SigningKeyRecord in
                    if let key = try storage.signingKeys().last(where: { $0.privateKey != nil }) { return key }
                    try storage.save(new)
                    return new
                }
            } catch {
                throw OperationError(error)
            }
        }
        guard let record, let bytes = record.privateKey else { throw .signingKeyUnusable }
        do {
            return (record.id, try P256.Signing.PrivateKey(rawRepresentation: bytes))
        } catch {
            throw .signingKeyUnusable
        }
    }

    /// All keys, newest first.
    private func keys() async throws(OperationError) -> [SigningKeyRecord] {
        do {
            return try await database.read { storage throws(StorageError) in try storage.signingKeys().reversed() }
        } catch {
            throw OperationError(error)
        }
    }

    private static func makeKey(at now: Timestamp) -> SigningKeyRecord {
        let key = P256.Signing.PrivateKey()
        let point = Array(key.publicKey.rawRepresentation)
        return SigningKeyRecord(
            id: SHA256.hash(data: point).prefix(8).hexadecimal,
            privateKey: Array(key.rawRepresentation),
            publicKey: point,
            createdAt: now
        )
    }
}

extension CustomerView {
    /// The end of a token: its lifetime, or the first end of an entitlement in it.
    ///
    /// If access continues after the paid time without a known end, such as in the leeway for a late renewal, the next
    /// change of the subscription by time counts.
    fileprivate func tokenEnd(lifetimeMilliseconds: Int64) -> Timestamp {
        var end = evaluatedAt.adding(milliseconds: lifetimeMilliseconds)
        for entitlement in entitlements where entitlement.isActive {
            let ends = [entitlement.expiresAt, entitlement.graceExpiresAt].compactMap(\.self)
            let clock = subscriptions.first { $0.id == entitlement.purchaseID }?.nextChangeAt
            let last = ends.max().flatMap { $0 > evaluatedAt ? $0 : nil }
            guard let own = last ?? (ends.isEmpty ? nil : clock ?? evaluatedAt) else { continue }
            end = min(end, own)
        }
        return Timestamp(milliseconds: end.milliseconds / 1000 * 1000)
    }
}

extension JSONObject {
    fileprivate init(claimsOf view: CustomerView, app: AppID, subject: CustomerID, expiresAt: Timestamp) {
        self.init()
        self["iss"] = .string("perennial")
        self["aud"] = .string(app.rawValue)
        self["sub"] = .string(subject.rawValue)
        self["iat"] = .integer(view.evaluatedAt.milliseconds / 1000)
        self["exp"] = .integer(expiresAt.milliseconds / 1000)
        self["state_version"] = .integer(view.customer.stateVersion)
        var active = JSONObject()
        for entitlement in view.entitlements where entitlement.isActive {
            var object = JSONObject()
            object["expires_at"] = entitlement.expiresAt.map { .integer($0.milliseconds) } ?? .null
            object["grace_expires_at"] = entitlement.graceExpiresAt.map { .integer($0.milliseconds) } ?? .null
            object["product_id"] = entitlement.productID.map { .string($0.rawValue) } ?? .null
            active[entitlement.id.rawValue] = .object(object)
        }
        self["entitlements"] = .object(active)
    }
}

extension OperationError {
    fileprivate static let signingKeyUnusable = OperationError(
        "signing_key_unusable",
        "The key that signs entitlement tokens cannot be used. Make a new one: perennial keys rotate-signing.",
        kind: .unavailable,
        isRetryable: false
    )
}
