/// A row that is ready to be sent.
struct SubscriberSubmission: Hashable, Sendable {
    /// The line on which the row begins; the first is 1.
    var line: Int
    /// The customer.
    var user: String
    /// The member of the request with the purchase.
    var member: String
    /// Its value.
    var value: String
    /// The first transactions of the purchases, as far as they are known before the server asks the App Store.
    var transactionIDs: Set<String>

    /// The purchase in messages.
    var transactionID: String { transactionIDs.min() ?? "" }

    /// Lists of rows that share no transaction with each other's rows.
    ///
    /// Rows about the same transaction are in one list, in the order of the file, so that the first user gets the
    /// purchase if each list is sent in its order.
    static func lists(_ rows: [SubscriberSubmission]) -> [[SubscriberSubmission]] {
        var lists: [[SubscriberSubmission]] = []
        var indexes: [String: Int] = [:]
        for row in rows {
            let found = Set(row.transactionIDs.compactMap { indexes[$0] })
            let index = found.min() ?? lists.count
            if index == lists.count { lists.append([]) }
            for other in found where other != index {
                for moved in lists[other] { for id in moved.transactionIDs { indexes[id] = index } }
                lists[index] += lists[other]
                lists[other] = []
            }
            lists[index].append(row)
            for id in row.transactionIDs { indexes[id] = index }
        }
        return lists.filter { !$0.isEmpty }.map { list in list.sorted { $0.line < $1.line } }
    }
}
