import SubscriptionCore

extension IdempotencyRecord {
    /// The record by columns, behind the app.
    package var columns: [ColumnValue] {
        [
            .text(key), .bytes(requestDigest), .time(startedAt), .integer(answer?.status), .bytes(answer?.body),
            .time(leasedAt), .text(customers.first), .text(customers.dropFirst().first),
        ]
    }

    /// Reads the columns behind the key.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    package init(row: some ColumnReading, key: String) throws(StorageError) {
        let customers: [CustomerID?] = [try row.optionalIdentifier(5), try row.optionalIdentifier(6)]
        var answer: IdempotencyRecord.Answer?
        if let status = try row.optionalCount(2) { answer = .init(status: status, body: try row.bytes(3)) }
        self.init(
            key: key,
            requestDigest: try row.bytes(0),
            startedAt: try row.time(1),
            leasedAt: try row.optionalTime(4),
            answer: answer,
            customers: customers.compactMap(\.self)
        )
    }
}

extension TransferRecord {
    private static let itemsForm: UInt8 = 1

    /// The record by columns, behind the app.
    package var columns: [ColumnValue] {
        var writer = CompactWriter(form: Self.itemsForm)
        writer.write(UInt64(items.count))
        for item in items {
            writer.write(item.purchaseID)
            writer.write(item.claim?.rawValue) { $0.write($1) }
        }
        return [
            .text(id), .string(from?.rawValue ?? ""), .string(to?.rawValue ?? ""), .text(reason), .bytes(writer.bytes),
            .time(createdAt), .time(undoneAt),
        ]
    }

    /// Reads the columns behind the identifier, and the identifier behind them. No identifier of a customer is empty: the
    /// empty text is nobody.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    package init(row: some ColumnReading) throws(StorageError) {
        var reader = try CompactReader(try row.bytes(3))
        guard reader.form == Self.itemsForm else { throw .unreadable("a transfer of form \(reader.form)") }
        var items: [Item] = []
        for _ in 0..<(try reader.count()) {
            let purchase: OriginalTransactionID = try reader.identifier()
            let claim = try reader.optional { reader throws(StorageError) in try reader.text() }
            items.append(Item(purchaseID: purchase, claim: claim.flatMap(OwnershipClaim.init(rawValue:))))
        }
        try reader.finish()
        self.init(
            id: try row.identifier(6),
            from: try row.text(0).isEmpty ? nil : row.identifier(0),
            to: try row.text(1).isEmpty ? nil : row.identifier(1),
            reason: try row.optionalText(2),
            items: items,
            createdAt: try row.time(4),
            undoneAt: try row.optionalTime(5)
        )
    }
}
