import Synchronization

/// Bearer tokens that were accepted, so that the signature of one that comes again is not checked again.
///
/// They are compared as bytes (decision 16). A client may use a token for many calls, and checking its signature costs
/// more than making the answer's.
final class AcceptedTokens: Sendable {
    /// The most tokens that are kept; beyond them all are forgotten.
    private static let countMax = 256

    private let lifetimes = Mutex<[[UInt8]: Range<Int64>]>([:])

    /// Whether the token was accepted before, and an instant lies between its issue and its end, seconds since 1970.
    func contains(_ token: String, at now: Int64) -> Bool {
        lifetimes.withLock { $0[Array(token.utf8)]?.contains(now) ?? false }
    }

    /// Remembers a token that was accepted.
    func insert(_ token: String, issuedAt: Int64, expiresAt: Int64) {
        guard issuedAt < expiresAt else { return }
        lifetimes.withLock { lifetimes in
            if lifetimes.count >= Self.countMax { lifetimes.removeAll(keepingCapacity: true) }
            lifetimes[Array(token.utf8)] = issuedAt..<expiresAt
        }
    }
}
