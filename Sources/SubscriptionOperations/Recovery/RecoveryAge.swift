package import SubscriptionCore
package import SubscriptionStorage

/// How far an app's notifications have been compared with Apple's whole history.
package struct RecoveryAge: Hashable, Sendable {
    /// The app.
    package let app: AppID
    /// The end of the last finished comparison; nil if there is none.
    package let comparedUntil: Timestamp?
    /// Whether that is so long ago that an operator must look.
    package let isLate: Bool
}

extension Recovery {
    /// The ages of all apps that this server can compare.
    ///
    /// - Throws: ``StorageError``.
    package func ages(
        in storage: any StorageReading,
        at now: Timestamp
    ) throws(StorageError) -> [RecoveryAge] {
        var ages: [RecoveryAge] = []
        for app in try storage.apps() where access.hasEntry(of: app.id) {
            let until = try storage.recoveryProgress(of: app.id).comparedUntil
            // The first comparison of an app has as much time as any other, from the start of the server.
            let isLate = settings.isLate(until ?? startedAt, at: now)
            ages.append(RecoveryAge(app: app.id, comparedUntil: until, isLate: isLate))
        }
        return ages
    }
}

extension RecoverySettings {
    /// Whether a comparison is missing: the last one is older than twice the time between two of them.
    ///
    /// - Parameter comparedUntil: The end of the last finished comparison.
    package func isLate(_ comparedUntil: Timestamp, at now: Timestamp) -> Bool {
        guard isAutomatic, comparisonMilliseconds > 0 else { return false }
        return now > comparedUntil.adding(milliseconds: 2 * comparisonMilliseconds)
    }
}
