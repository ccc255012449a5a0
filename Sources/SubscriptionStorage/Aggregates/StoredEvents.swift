public import SubscriptionCore

/// Reads the feed of events.
public protocol StoredEventsReading {
    /// The events about a customer after one sequence number, up to and including another.
    func events(
        about customer: CustomerID,
        of app: AppID,
        after sequence: Int64,
        through end: Int64
    ) throws(StorageError) -> [EventRecord]

    /// The sequence number of the last event; 0 if there is none.
    func lastEvent(of app: AppID) throws(StorageError) -> Int64

    /// At most `limit` events after a sequence number.
    func events(of app: AppID, after sequence: Int64, limit: Int) throws(StorageError) -> [EventRecord]
}

/// Changes the feed of events.
public protocol StoredEventsWriting: StoredEventsReading {
    /// Replaces the event with the same sequence number.
    func save(_ event: EventRecord, of app: AppID) throws(StorageError)

    /// Appends events to the app's events, in order.
    func append(
        _ events: [SubscriptionEvent],
        customer: CustomerRecord?,
        recordedAt: Timestamp,
        app: AppID
    ) throws(StorageError)
}
