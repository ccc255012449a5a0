import AppStoreModel

/// Every notification the store made, oldest first.
struct NotificationLog: Sendable {
    private(set) var records: [NotificationRecord] = []
    private var places: [String: Int] = [:]

    subscript(place: Int) -> NotificationRecord { records[place] }

    func place(of notificationUUID: String) -> Int? { places[notificationUUID] }

    /// Adds a notification and says where it lies.
    mutating func append(_ record: NotificationRecord) -> Int {
        let place = records.count
        places[record.notificationUUID] = place
        records.append(record)
        return place
    }

    mutating func append(_ attempt: SendAttemptItem, at place: Int) { records[place].attempts.append(attempt) }
}
