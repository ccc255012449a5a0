package import SubscriptionCore
package import SubscriptionStorage

/// Finds the newest notifications of an app with a few reads, however many there are.
package struct NewestNotifications: Sendable {
    private let app: AppID
    private let limit: Int

    /// Makes a search.
    ///
    /// - Parameter limit: The number of inputs among which notifications are read, up to the newest notification.
    package init(of app: AppID, limit: Int) {
        self.app = app
        self.limit = limit
    }

    /// The newest notifications, the oldest of them first; empty if the app never had one.
    ///
    /// Those that cannot be read are left out.
    ///
    /// - Throws: ``StorageError``.
    package func read(_ storage: any StorageReading) throws(StorageError) -> [EvidenceSummary] {
        guard var last = try first(after: 0, storage) else { return [] }
        var step: Int64 = 1
        while let next = try first(after: last + step, storage) {
            last = next
            step *= 2
        }
        // There is a notification at `last` and none after `end`.
        var end = last + step
        while last < end {
            let middle = last + (end - last) / 2
            if let next = try first(after: middle, storage) { last = next } else { end = middle }
        }
        let found = try storage.evidence(.notification, of: app, after: max(0, last - Int64(limit)), limit: limit)
        return found.compactMap(\.summary)
    }

    private func first(after sequence: Int64, _ storage: any StorageReading) throws(StorageError) -> Int64? {
        try storage.evidence(.notification, of: app, after: sequence, limit: 1).first?.sequence
    }
}
