public import SubscriptionCore

/// Reads the feed of events.
public protocol StoredEventsReading {
    /// Events about a customer behind a place in the order of commits, up to another place.
    func events(
        about customer: CustomerID,
        of app: AppID,
        after sequence: Int64,
        through end: Int64
    ) throws(StorageError) -> [EventRecord]

    /// The place of the last event; 0 where there is none.
    func lastEvent(of app: AppID) throws(StorageError) -> Int64

    /// Events after a place in the order of commits, at most `limit`.
    func events(of app: AppID, after sequence: Int64, limit: Int) throws(StorageError) -> [EventRecord]
}

/// Changes the feed of events.
public protocol StoredEventsWriting: StoredEventsReading {
    /// Replaces an event at its place.
    func save(_ event: EventRecord, of app: AppID) throws(StorageError)

    /// Appends events in order, at the end of the app's events.
    func append(
        _ events: [SubscriptionEvent],
        customer: CustomerRecord?,
        recordedAt: Timestamp,
        app: AppID
    ) throws(StorageError)
}
