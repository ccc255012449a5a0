import LocalAppStore

extension StoreCoordinator {
    /// Up to this many notifications are signed on one thread.
    private static let aloneMax = 8

    /// The number of notifications per signing task: a few milliseconds of work.
    private static let signedTogether = 32

    /// Moves the engine to a time and processes what is due there.
    ///
    /// Many announcements, for example after thousands of renewals, are signed on all cores. Content, identifiers,
    /// dates and order are fixed before signing, so the distribution has no effect on the result.
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
