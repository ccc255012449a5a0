import AppStoreModel

/// Every notification the store made, oldest first.
struct NotificationLog: Sendable {
    private(set) var records = RecordList<NotificationRecord>()
    /// The customer of each, where it is about one.
    private var subjects = RecordList<LedgerIndex<Account>?>()
    private var positions: [String: Int] = [:]
    private var positionsByAccount: [LedgerIndex<Account>: [Int]] = [:]

    subscript(position: Int) -> NotificationRecord { records[position] }

    func position(of notificationUUID: String) -> Int? { positions[notificationUUID] }

    /// Adds a notification about a customer, or about none, and says where it lies.
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

    /// Where the notifications lie that were made between two instants, both included.
    func positions(madeIn times: ClosedRange<Int64>) -> Range<Int> {
        let start = firstPosition { $0.createdAt >= times.lowerBound }
        return start..<max(start, firstPosition { $0.createdAt > times.upperBound })
    }

    /// The first places of a range whose notifications are about the customer, if one is named, and fit.
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

    /// The first place that is late enough: a binary search, since notifications lie in the order of their making.
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
        for position in records.indices { note(position) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(records, forKey: .records)
        try container.encode(subjects, forKey: .subjects)
    }
}
