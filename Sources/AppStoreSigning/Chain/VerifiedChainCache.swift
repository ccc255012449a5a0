import Synchronization

/// Certificate chains that have been verified, found again by the bytes of the JWS header that carried them.
///
/// The App Store signs months of data with one chain, and verifying a chain costs more than ten payload signatures.
/// A hit is one comparison of bytes. Only verified chains are kept, so what strangers send cannot push them out; the
/// number is bounded, and the least recently used goes first. Safe to share between verifiers, tasks and threads.
///
/// A header is kept once a signature fits that covers it. The chain alone is kept by its certificates, also without: it
/// is public, so anybody can send it again in a header of another form, and would make the server verify it each time.
public final class VerifiedChainCache: Sendable {
    /// What has happened so far.
    package struct Statistics: Hashable, Sendable {
        /// How many lookups found a chain.
        package let hits: Int
        /// How many lookups found none.
        package let misses: Int
        /// How many chains are held.
        package let count: Int

        /// Counts by hand, for comparison.
        package init(hits: Int, misses: Int, count: Int) {
            self.hits = hits
            self.misses = misses
            self.count = count
        }
    }

    private struct Entry {
        let bytes: [UInt8]
        /// The roots that were trusted when the chain was verified: for others it says nothing.
        let roots: [TrustedRoot]
        let header: VerifiedHeader

        func isAbout(_ other: ArraySlice<UInt8>, _ otherRoots: [TrustedRoot]) -> Bool {
            bytes[...].hasSameBytes(as: other) && roots == otherRoots
        }
    }

    private struct Chain {
        /// Base64, leaf first.
        let certificates: [String]
        let roots: [TrustedRoot]
        let chain: VerifiedChain
    }

    private struct State {
        /// Most recently used first.
        var entries: [Entry] = []
        /// Most recently used first.
        var chains: [Chain] = []
        var verified = 0
        var hits = 0
        var misses = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// Makes an empty cache.
    ///
    /// - Parameter capacity: How many chains are kept. The App Store uses one or two at a time.
    public init(capacity: Int = 32) {
        self.capacity = max(1, capacity)
    }

    /// What is known of a header whose chain was verified against the given roots.
    func header(_ bytes: ArraySlice<UInt8>, trusting roots: [TrustedRoot]) -> VerifiedHeader? {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.isAbout(bytes, roots) }) else {
                state.misses += 1
                return nil
            }
            state.hits += 1
            if index > 0 {
                state.entries.insert(state.entries.remove(at: index), at: 0)
            }
            return state.entries[0].header
        }
    }

    /// Keeps what was found out about a header, in place of what was kept for the same bytes and roots.
    func insert(_ header: VerifiedHeader, for bytes: ArraySlice<UInt8>, trusting roots: [TrustedRoot]) {
        state.withLock { state in
            state.entries.removeAll { $0.isAbout(bytes, roots) }
            state.entries.insert(Entry(bytes: Array(bytes), roots: roots, header: header), at: 0)
            if state.entries.count > capacity {
                state.entries.removeLast()
            }
        }
    }

    /// What is known of a chain that was verified against the given roots.
    func chain(_ certificates: [String], trusting roots: [TrustedRoot]) -> VerifiedChain? {
        state.withLock { state in
            let index = state.chains.firstIndex { $0.certificates == certificates && $0.roots == roots }
            guard let index else { return nil }
            if index > 0 { state.chains.insert(state.chains.remove(at: index), at: 0) }
            return state.chains[0].chain
        }
    }

    /// Keeps a chain that was verified.
    func insert(_ chain: VerifiedChain, of certificates: [String], trusting roots: [TrustedRoot]) {
        state.withLock { state in
            state.verified += 1
            state.chains.removeAll { $0.certificates == certificates && $0.roots == roots }
            state.chains.insert(Chain(certificates: certificates, roots: roots, chain: chain), at: 0)
            if state.chains.count > capacity { state.chains.removeLast() }
        }
    }

    /// How many chains were verified so far.
    package var verifiedCount: Int { state.withLock { $0.verified } }

    /// What has happened so far.
    package var statistics: Statistics {
        state.withLock { state in
            Statistics(hits: state.hits, misses: state.misses, count: state.entries.count)
        }
    }
}
