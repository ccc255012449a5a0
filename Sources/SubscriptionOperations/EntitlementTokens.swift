import AppStoreModel
import AppStoreSigning
import Crypto
import PerennialPrimitives
public import SubscriptionCore
public import SubscriptionStorage

/// Signs what a customer may use, so that others check it without asking the server (JWS with ES256, RFC 7515).
public struct EntitlementTokens: Sendable {
    /// How long a token is valid at most.
    public static let lifetimeMilliseconds: Int64 = 15 * 60 * 1000
    /// How long a public key is shown after the last token that it signed has ended, for clocks that differ.
    public static let afterlifeMilliseconds: Int64 = 5 * 60 * 1000

    /// A signed statement.
    public struct Token: Hashable, Sendable {
        /// The compact JWS.
        public var text: String
        /// When it ends, in whole seconds: never after an entitlement that it names.
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

    /// What a customer may use now, signed.
    ///
    /// - Parameters:
    ///   - name: The customer.
    ///   - app: The app of the caller's key.
    ///   - subject: Who the token says that it is about; the customer's own identifier without it.
    /// - Throws: ``OperationError`` `clock_disputed`, `customer_not_found`, or storage's codes.
    public func token(
        for name: CustomerID,
        app: AppID,
        subject: CustomerID? = nil
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
        let shownMilliseconds = Self.lifetimeMilliseconds + Self.afterlifeMilliseconds
        let oldest = time.now().adding(milliseconds: -shownMilliseconds)
        return try await keys().filter { $0.retiredAt.map { $0 > oldest } ?? true }
    }

    /// Makes a new key for all tokens from now on. Those that are signed stay valid until they end.
    ///
    /// - Parameters:
    ///   - database: Where the keys are kept.
    ///   - now: When the old ones sign nothing any more.
    ///   - who: Who makes it. Each app's audit log has it.
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

    /// A part of a compact JWS.
    private static func segment(_ bytes: [UInt8]) -> String {
        String(decoding: Base64.encode(bytes, .url), as: UTF8.self)
    }

    /// The newest key that signs; made where there is none.
    private func signingKey() async throws(OperationError) -> (id: String, key: P256.Signing.PrivateKey) {
        var record = try await keys().first { $0.privateKey != nil }
        if record == nil {
            let new = Self.makeKey(at: time.now())
            do {
                record = try await database.write { storage throws(StorageError) -> SigningKeyRecord in
                    if let held = try storage.signingKeys().last(where: { $0.privateKey != nil }) { return held }
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
    /// The end of a token: the lifetime, or the first end of an entitlement that it names.
    ///
    /// Where access goes on behind the paid time without a known end, such as in the leeway for a late renewal, the
    /// instant counts at which the clock changes the subscription.
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
        "The key that signs entitlement tokens cannot be used. Make a new one: perennial keys rotate.",
        kind: .unavailable,
        isRetryable: false
    )
}
