public import AppStoreModel
public import AppStoreSigning
public import AppStoreTestAuthorities
import PerennialPrimitives
import Synchronization

/// An App Store for unit tests: it mints signed data in one line each, and gives the verifier that accepts it.
///
/// ```swift
/// let kit = try AppStoreTestKit()
/// let purchase = try kit.transaction(productId: "pro.monthly")
/// let renewed = try kit.notification(.didRenew, about: kit.renewal(of: purchase))
/// let answer = kit.verifier.verifyNotification(renewed.jws)
/// ```
///
/// What it mints passes the same checks as the App Store's data: a chain of three certificates with Apple's marker
/// extensions, under a root of its own. Nothing of it is accepted by a verifier that does not trust that root.
///
/// Payloads repeat exactly: the time stands still until ``advance(by:)``, and identifiers are counted. Each signature
/// is dated a millisecond after the one before, so that newer facts can be told from older ones. The signatures
/// themselves differ from run to run, since ECDSA draws random numbers; so do certificates, unless keys are given.
public final class AppStoreTestKit: Sendable {
    /// Where the time stands in a new kit: 2026-01-01T09:00:00Z.
    ///
    /// - Units: milliseconds since 1970-01-01T00:00:00Z.
    public static let defaultTime: Int64 = 1_767_258_000_000

    /// The app of a kit for which no other is given: in the sandbox.
    public static let defaultApp = AppIdentity(
        bundleId: "com.example.app",
        appAppleId: 1_234_567_890,
        environment: .sandbox
    )

    /// The app that everything is about.
    public let app: AppIdentity

    /// Signs what is minted as JWS.
    public let authority: TestAuthority

    /// A key of the app's developer, for bearer tokens and signatures; new in each kit.
    public let developerKey: InAppPurchaseKey

    private let chainCache = VerifiedChainCache()
    private let state: Mutex<State>

    private struct State {
        var now: Int64
        var signatures: Int64 = 0
        var counted: [Counter: Int64] = [:]
        var receiptAuthority: TestReceiptAuthority?
    }

    /// Makes a kit.
    ///
    /// - Parameters:
    ///   - app: The app that everything is about.
    ///   - now: Where the time stands, in milliseconds since 1970.
    ///   - keys: New keys by default; with kept ones, the root stays the same over runs.
    ///   - receiptKeys: Made when the first receipt is minted, by default, since RSA keys take a while.
    /// - Throws: `certificate_not_made` when certificates cannot be made from the keys.
    public init(
        app: AppIdentity = AppStoreTestKit.defaultApp,
        now: Int64 = AppStoreTestKit.defaultTime,
        keys: TestAuthorityKeys = TestAuthorityKeys(),
        receiptKeys: TestReceiptKeys? = nil
    ) throws(SigningError) {
        self.app = app
        self.authority = try TestAuthority(keys: keys)
        self.developerKey = .generate()
        var receiptAuthority: TestReceiptAuthority?
        if let receiptKeys { receiptAuthority = try TestReceiptAuthority(keys: receiptKeys) }
        self.state = Mutex(State(now: now, receiptAuthority: receiptAuthority))
    }

    /// The root of the JWS, to be configured in a verifier of yours.
    public var trustedRoot: TrustedRoot {
        authority.trustedRoot
    }

    /// Accepts what this kit mints for its app.
    public var verifier: SignedDataVerifier {
        SignedDataVerifier(roots: [trustedRoot], apps: [app], chainCache: chainCache)
    }
}

// MARK: - Time

extension AppStoreTestKit {
    /// Where the time stands.
    ///
    /// - Units: milliseconds since 1970-01-01T00:00:00Z.
    public var now: Int64 {
        state.withLock { $0.now }
    }

    /// Moves the time on, or back.
    ///
    /// - Returns: Where it stands now, in milliseconds since 1970.
    @discardableResult
    public func advance(by duration: Duration) -> Int64 {
        state.withLock { state in
            state.now = state.now.adding(duration.milliseconds)
            return state.now
        }
    }
}

extension AppStoreTestKit {
    /// When the next signature is made: now, or later if what it tells of is later; and after the one before.
    func nextSignedDate(notBefore event: Int64 = .min) -> Int64 {
        state.withLock { state in
            defer { state.signatures += 1 }
            return max(state.now, event).adding(state.signatures)
        }
    }
}

// MARK: - Identifiers

extension AppStoreTestKit {
    /// What identifiers are counted for.
    enum Counter: Hashable {
        case transaction
        case webOrderLineItem
        case uuid
    }

    private func next(_ counter: Counter) -> Int64 {
        state.withLock { state in
            state.counted[counter, default: 0] += 1
            return state.counted[counter, default: 0]
        }
    }

    /// The identifier of the next transaction, such as `2000000000000001`.
    func nextTransactionId() -> String {
        String(2_000_000_000_000_000 + next(.transaction))
    }

    /// The identifier of the next purchase of a subscription, such as `2000000100000001`.
    func nextWebOrderLineItemId() -> String {
        String(2_000_000_100_000_000 + next(.webOrderLineItem))
    }

    /// The next UUID, such as `00000000-0000-4000-8000-000000000001`.
    func nextUUID() -> String {
        String(uuid: 0x4000, 0x8000_0000_0000_0000 + UInt64(next(.uuid)))
    }
}

// MARK: - Signing

extension AppStoreTestKit {
    /// Signs a payload as it is.
    ///
    /// - Throws: `signing_failed` when the cryptographic library refuses.
    public func sign<Payload: JSONRepresentable>(_ payload: Payload) throws(SigningError) -> Minted<Payload> {
        Minted(jws: try authority.signer.sign(payload: payload.jsonBytes), payload: payload)
    }

    /// Signs receipts; made at the first use, which takes up to a second.
    ///
    /// - Throws: `key_not_made` or `certificate_not_made` when its keys or certificates cannot be made.
    public func receiptAuthority() throws(SigningError) -> TestReceiptAuthority {
        let made = state.withLock { state in
            Result { () throws(SigningError) in
                if let known = state.receiptAuthority { return known }
                let new = try TestReceiptAuthority()
                state.receiptAuthority = new
                return new
            }
        }
        return try made.get()
    }
}
