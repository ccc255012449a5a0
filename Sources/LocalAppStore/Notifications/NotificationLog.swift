import AppStoreModel

/// All notifications of the store, oldest first.
struct NotificationLog: Sendable {
    private(set) var records = RecordList<NotificationRecord>()
    /// The customer of each notification, if there is one.
    private var subjects = RecordList<LedgerIndex<Account>?>()
    private var positions: [String: Int] = [:]
    private var positionsByAccount: [LedgerIndex<Account>: [Int]] = [:]

    subscript(position: Int) -> NotificationRecord { records[position] }

    func position(of notificationUUID: String) -> Int? { positions[notificationUUID] }

    /// Adds a notification with or without a customer, and returns its position.
    mutating func append(_ record: NotificationRecord, about account: LedgerIndex<Account>?) -> Int {
        let position = records.count
        records.append(record)
        subjects.append(account)
        note(position)
        return position
    }

    private mutating func note(_ position: Int) {
        positions[records[position].notificationUUID] = position
        if let account = subjects[position] { positionsByAccount[account, default: []].append(position) }
    }

    mutating func append(_ attempt: SendAttemptItem, at position: Int) { records[position].attempts.append(attempt) }

    /// The positions of the notifications that were created between two times, both included.
    func positions(madeIn times: ClosedRange<Int64>) -> Range<Int> {
        let start = firstPosition { $0.createdAt >= times.lowerBound }
        return start..<max(start, firstPosition { $0.createdAt > times.upperBound })
    }

    /// The first positions in a range that match the customer, if one is given, and the filter.
    func positions(
        in range: Range<Int>,
        about account: LedgerIndex<Account>?,
        limit: Int,
        where fits: (NotificationRecord) -> Bool
    ) -> [Int] {
        var found: [Int] = []
        func consider(_ position: Int) -> Bool {
            if fits(records[position]) { found.append(position) }
            return found.count < limit
        }
        if let account {
            for position in positionsByAccount[account] ?? [] where range.contains(position) {
                guard consider(position) else { break }
            }
        } else {
            for position in range {
                guard consider(position) else { break }
            }
        }
        return found
    }

    /// The first position that is late enough, by binary search: notifications are in the order of creation.
    private func firstPosition(where isLateEnough: (NotificationRecord) -> Bool) -> Int {
        var range = records.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = isLateEnough(records[middle]) ? range.lowerBound..<middle : (middle + 1)..<range.upperBound
        }
        return range.lowerBound
    }
}

extension NotificationLog: Codable {
    /// The positions are rebuilt from these.
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
        for position in records.indices { note(position) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(records, forKey: .records)
        try container.encode(subjects, forKey: .subjects)
    }
}
