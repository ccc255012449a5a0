import SubscriptionCore
import SubscriptionStorage

extension SQLiteReading {
    func transfer(_ id: TransferID, of app: AppID) throws(StorageError) -> TransferRecord? {
        try connection.row(SQLiteQuery.transfer, [.text(app), .text(id)], decode: TransferRecord.init(row:))
    }

    func transfers(of customer: CustomerID, app: AppID) throws(StorageError) -> [TransferRecord] {
        let key: [ColumnValue] = [.text(app), .text(customer)]
        let given = try connection.rows(SQLiteQuery.transfersFrom, key, decode: TransferRecord.init(row:))
        let received = try connection.rows(SQLiteQuery.transfersTo, key, decode: TransferRecord.init(row:))
        return (given + received).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }
}

extension SQLiteWriter {
    func save(_ transfer: TransferRecord, of app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.saveTransfer, [.text(app)] + transfer.columns)
    }
}
