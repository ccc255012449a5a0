import AppStoreSigning
import Synchronization

/// The keys whose tokens the store accepts at the moment.
final class ClientKeyring: Sendable {
    /// The check of tokens by one set of keys.
    ///
    /// A change of the keys replaces all of it, so that a token that was accepted before is checked again.
    struct TokenCheck: Sendable {
        let verifier: BearerTokenVerifier
        let accepted = AcceptedTokens()
    }

    private let current: Mutex<TokenCheck>

    init(_ keys: [InAppPurchaseKey]) { current = Mutex(TokenCheck(verifier: BearerTokenVerifier(keys: keys))) }

    /// The check by the current keys.
    var check: TokenCheck { current.withLock { $0 } }

    /// Accepts the tokens of these keys and no others.
    func replace(with keys: [InAppPurchaseKey]) {
        let check = TokenCheck(verifier: BearerTokenVerifier(keys: keys))
        current.withLock { $0 = check }
    }
}
