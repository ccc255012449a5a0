import GRDB
import SubscriptionCore
import SubscriptionStorage

extension SQLiteReading {
    func transfer(_ id: TransferID, of app: AppID) throws(StorageError) -> TransferRecord? {
        try connection.row(SQLiteQuery.transfer, [.text(app), .text(id)]) { row in
            TransferRecord(
                id: id,
                from: try row.identifier(0),
                to: try row.identifier(1),
                reason: try row.optionalText(2),
                items: try connection.value([TransferRecord.Item].self, from: try row.text(3)),
                createdAt: try row.time(4),
                undoneAt: try row.optionalTime(5)
            )
        }
    }
}

extension SQLiteWriter {
    func save(_ transfer: TransferRecord, of app: AppID) throws(StorageError) {
        let values: [DatabaseValue] = [
            .text(app), .text(transfer.id), .text(transfer.from), .text(transfer.to), .text(transfer.reason),
            .text(try connection.text(transfer.items)), .time(transfer.createdAt), .time(transfer.undoneAt),
        ]
        try connection.run(SQLiteQuery.saveTransfer, values)
    }
}
