public import SubscriptionCore

/// Reads signed inputs as they came.
public protocol StoredEvidenceReading {
    /// One signed input, with the bytes as they came.
    func evidence(_ id: EvidenceID, of app: AppID) throws(StorageError) -> EvidenceRecord?

    /// Evidence of a kind after a place in the order of commits, at most `limit`.
    func evidence(
        _ kind: EvidenceRecord.Kind,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [EvidenceSummary]

    /// The evidence about a purchase after a place in the order of commits, at most `limit`.
    func evidence(
        about purchase: OriginalTransactionID,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [PlacedEvidence]

    /// How often each type of notification came that was not known, by type and subtype.
    func unknownNotifications(of app: AppID) throws(StorageError) -> [UnknownNotificationCount]
}

/// Changes signed inputs.
public protocol StoredEvidenceWriting: StoredEvidenceReading {
    /// Keeps a signed input. Returns false, and changes nothing, where its identifier is held already.
    func insert(_ evidence: EvidenceRecord) throws(StorageError) -> Bool

    /// Counts a notification of a type that is not known, once per call.
    func countUnknownNotification(_ evidence: EvidenceRecord) throws(StorageError)
}
