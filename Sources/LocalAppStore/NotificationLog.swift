import AppStoreModel

/// Every notification the store made, oldest first.
struct NotificationLog: Sendable {
    private(set) var records = RecordList<NotificationRecord>()
    /// The customer of each, where it is about one.
    private var subjects = RecordList<LedgerIndex<Account>?>()
    private var places: [String: Int] = [:]
    private var placesByAccount: [LedgerIndex<Account>: [Int]] = [:]

    subscript(place: Int) -> NotificationRecord { records[place] }

    func place(of notificationUUID: String) -> Int? { places[notificationUUID] }

    /// Adds a notification about a customer, or about none, and says where it lies.
    mutating func append(_ record: NotificationRecord, about account: LedgerIndex<Account>?) -> Int {
        let place = records.count
        records.append(record)
        subjects.append(account)
        note(place)
        return place
    }

    private mutating func note(_ place: Int) {
        places[records[place].notificationUUID] = place
        if let account = subjects[place] { placesByAccount[account, default: []].append(place) }
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

extension NotificationLog: Codable {
    /// The places follow from these.
    private enum CodingKeys: String, CodingKey { case records, subjects }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        records = try container.decode(RecordList<NotificationRecord>.self, forKey: .records)
        subjects = try container.decode(RecordList<LedgerIndex<Account>?>.self, forKey: .subjects)
        guard records.count == subjects.count else {
            throw DecodingError.dataCorruptedError(
                forKey: .subjects,
                in: container,
                debugDescription: "every notification has a subject, or none"
            )
        }
        for place in records.indices { note(place) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(records, forKey: .records)
        try container.encode(subjects, forKey: .subjects)
    }
}
