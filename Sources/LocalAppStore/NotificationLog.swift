import AppStoreModel

/// Every notification the store made, oldest first.
struct NotificationLog: Sendable, Codable {
    private(set) var records: [NotificationRecord] = []
    private var places: [String: Int] = [:]
    private var placesByAccount: [LedgerIndex<Account>: [Int]] = [:]

    subscript(place: Int) -> NotificationRecord { records[place] }

    func place(of notificationUUID: String) -> Int? { places[notificationUUID] }

    /// Adds a notification about a customer, or about none, and says where it lies.
    mutating func append(_ record: NotificationRecord, about account: LedgerIndex<Account>?) -> Int {
        let place = records.count
        places[record.notificationUUID] = place
        if let account { placesByAccount[account, default: []].append(place) }
        records.append(record)
        return place
    }

    mutating func append(_ attempt: SendAttemptItem, at place: Int) { records[place].attempts.append(attempt) }

    /// Where the notifications lie that were made between two instants, both included.
    func places(madeIn instants: ClosedRange<Int64>) -> Range<Int> {
        let start = firstPlace { $0.createdAt >= instants.lowerBound }
        return start..<max(start, firstPlace { $0.createdAt > instants.upperBound })
    }

    /// The first places of a range whose notifications are about the customer, if one is named, and fit.
    func places(
        in range: Range<Int>,
        about account: LedgerIndex<Account>?,
        limit: Int,
        where fits: (NotificationRecord) -> Bool
    ) -> [Int] {
        var found: [Int] = []
        func consider(_ place: Int) -> Bool {
            if fits(records[place]) { found.append(place) }
            return found.count < limit
        }
        if let account {
            for place in placesByAccount[account] ?? [] where range.contains(place) {
                guard consider(place) else { break }
            }
        } else {
            for place in range {
                guard consider(place) else { break }
            }
        }
        return found
    }

    /// The first place that is late enough: a binary search, since notifications lie in the order of their making.
    private func firstPlace(where isLateEnough: (NotificationRecord) -> Bool) -> Int {
        var range = records.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = isLateEnough(records[middle]) ? range.lowerBound..<middle : (middle + 1)..<range.upperBound
        }
        return range.lowerBound
    }
}
