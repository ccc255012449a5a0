public import SubscriptionCore

/// Reads signed inputs.
public protocol StoredEvidenceReading {
    /// Whether a signed input is stored. Its bytes and its purchase are not read.
    func hasEvidence(_ id: EvidenceID, of app: AppID) throws(StorageError) -> Bool

    /// A signed input with its original bytes.
    func evidence(_ id: EvidenceID, of app: AppID) throws(StorageError) -> EvidenceRecord?

    /// At most `limit` inputs of a kind after a sequence number, whether or not they can be read.
    func evidence(
        _ kind: EvidenceRecord.Kind,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [FoundSummary]

    /// At most `limit` inputs of all kinds after a sequence number, with their bytes.
    func evidence(of app: AppID, after sequence: Int64, limit: Int) throws(StorageError) -> [SequencedEvidence]

    /// At most `limit` inputs about a purchase after a sequence number.
    func evidence(
        about purchase: OriginalTransactionID,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [SequencedEvidence]

    /// A signed input, whether or not it can be read; nil if it is not stored.
    ///
    /// Unlike the other methods, an input that cannot be restored is no failure, so a transaction can go on.
    func foundEvidence(_ id: EvidenceID, of app: AppID) throws(StorageError) -> FoundEvidence?

    /// At most `limit` inputs about a purchase after a sequence number, whether or not they can be read.
    ///
    /// An input that was removed by hand is left out. Only a page without inputs is certainly the last.
    func foundEvidence(
        about purchase: OriginalTransactionID,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [FoundEvidence]

    /// The identifier of the input with a sequence number, whether or not the rest of its row can be read; nil if there
    /// is none, or if the identifier cannot be read.
    func evidenceID(at sequence: Int64, of app: AppID) throws(StorageError) -> EvidenceID?

    /// The number of notifications of each unknown type, and of version 1, by type and subtype.
    func unknownNotifications(of app: AppID) throws(StorageError) -> [UnknownNotificationCount]
}

/// Changes signed inputs.
public protocol StoredEvidenceWriting: StoredEvidenceReading {
    /// Stores a signed input. Returns false without a change if its identifier is already stored, even if its purchase
    /// cannot be read.
    func insert(_ evidence: EvidenceRecord) throws(StorageError) -> Bool

    /// Makes sure that a stored input is found by its purchase, even if the purchase's row was lost.
    func relink(_ sequence: Int64, to purchase: OriginalTransactionID, app: AppID) throws(StorageError)

    /// Counts a notification of an unknown type or of version 1, once per call.
    func countUnknownNotification(
        _ type: String,
        _ subtype: String?,
        receivedAt: Timestamp,
        of app: AppID
    ) throws(StorageError)
}
