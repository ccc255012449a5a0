import SubscriptionCore
import SubscriptionStorage

extension InMemoryTransaction {
    func evidence(of app: AppID, after sequence: Int64, limit: Int) -> [SequencedEvidence] {
        let all = contents(of: app).evidence.enumerated().map { index, record in
            SequencedEvidence(sequence: Int64(index) + 1, record: record)
        }
        return Array(all.filter { $0.sequence > sequence }.prefix(max(0, limit)))
    }

    func purchaseRows(of app: AppID, after id: OriginalTransactionID?, limit: Int) -> [PurchaseRow] {
        let contents = contents(of: app)
        let ids = Set(contents.facts.keys).union(contents.purchases.keys).sorted()
        return ids.drop { purchase in id.map { purchase <= $0 } ?? false }.prefix(max(0, limit)).map { id in
            let record = contents.purchases[id]
            return PurchaseRow(
                id: id,
                ledger: ledger(of: id, app: app),
                record: record,
                dueAt: record?.state?.nextChangeAt,
                claims: claims(on: id, app: app),
                sharers: sharers(of: id, app: app)
            )
        }
    }

    func removeFacts(_ ledger: PurchaseLedger, clearsState: Bool, of app: AppID) {
        for entry in ledger.indexedTransactions { remove(entry, of: app) }
        change(app) { contents in
            contents.facts[ledger.originalID] = nil
            if clearsState { contents.purchases[ledger.originalID]?.state = nil }
        }
    }
}
