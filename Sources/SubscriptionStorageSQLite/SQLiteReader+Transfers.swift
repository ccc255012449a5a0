import SubscriptionCore
import SubscriptionStorage

extension SQLiteReading {
    func transfer(_ id: TransferID, of app: AppID) throws(StorageError) -> TransferRecord? {
        try connection.row(SQLiteQuery.transfer, [.text(app), .text(id)]) { row in
            try TransferRecord(row: row, id: id)
        }
    }
}

extension SQLiteWriter {
    func save(_ transfer: TransferRecord, of app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.saveTransfer, [.text(app)] + transfer.columns)
    }
}
