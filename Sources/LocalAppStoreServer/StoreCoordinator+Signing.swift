import LocalAppStore

extension StoreCoordinator {
    /// Up to so many notifications are signed at once; more are worth the detour over several threads.
    private static let aloneMax = 8

    /// How many notifications one task signs: some milliseconds of work.
    private static let signedTogether = 32

    /// Moves the engine to an instant and lets it do what is due there.
    ///
    /// Where much is announced, as when thousands of subscriptions renew together, it is signed on all cores. Content,
    /// identifiers, dates and order are fixed before that, so that who signs when makes no difference.
    func step(to time: Int64) async throws {
        let unsigned = try play(to: time)
        try settle(unsigned.count > Self.aloneMax ? await sign(unsigned) : [])
    }

    private func sign(_ unsigned: UnsignedNotifications) async throws -> [SignedNotification] {
        try await withThrowingTaskGroup(of: [SignedNotification].self) { group in
            for start in stride(from: 0, to: unsigned.count, by: Self.signedTogether) {
                let part = unsigned.part(start..<min(start + Self.signedTogether, unsigned.count))
                group.addTask { try part.signed() }
            }
            var signed: [SignedNotification] = []
            signed.reserveCapacity(unsigned.count)
            for try await part in group { signed += part }
            return signed
        }
    }
}
