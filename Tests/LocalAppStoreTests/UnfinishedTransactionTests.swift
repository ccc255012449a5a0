import AppStoreModel
import AppStoreSigning
import LocalAppStore
import Testing

@Suite struct `Transactions that the app has not finished` {
    private static let products = ["coins.100", "lifetime", "season.pass", "pro.monthly"]

    @Test func `every type of product is in the queue until it is finished`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        var bought: [String] = []
        for product in Self.products { bought.append(try transcript.buy(product).transactionId) }
        let queue = try transcript.store.unfinishedTransactions(accountId: "a").transactions
        #expect(queue.map(\.transactionId) == bought)
        #expect(queue.map(\.productId) == Self.products)
        for transaction in queue {
            let signed: JWSTransactionDecodedPayload = try decoded(transaction.signedTransactionInfo)
            #expect(signed.transactionId == transaction.transactionId && signed.type == transaction.type)
        }
        for id in bought.reversed() {
            try transcript.store.finishTransaction(transactionId: id)
            bought.removeLast()
            let left = try transcript.store.unfinishedTransactions(accountId: "a").transactions
            #expect(left.map(\.transactionId) == bought)
        }
    }

    @Test func `each renewal is a separate transaction in the queue, in pages`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let first = try transcript.buy("pro.monthly").transactionId
        try transcript.advance(to: try at("2026-05-01"))
        try transcript.store.finishTransaction(transactionId: first)
        let page = try transcript.store.unfinishedTransactions(accountId: "a", limit: 2)
        let rest = try transcript.store.unfinishedTransactions(accountId: "a", after: page.nextCursor, limit: 100)
        let all = try transcript.account.transactions.dropFirst().map(\.transactionId)
        #expect((page.transactions + rest.transactions).map(\.transactionId) == all)
        #expect(page.transactions.count == 2 && rest.nextCursor == nil)
    }

    /// The app's own `finish()`, and Finish Transaction of Apple's API.
    enum Way: CaseIterable { case device, server }

    @Test(arguments: Way.allCases)
    func `a finished transaction leaves the queue, receipts and version 1 of the history`(way: Way) throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let id = try transcript.buy("coins.100").transactionId
        switch way {
        case .device: try transcript.store.finishTransaction(transactionId: id)
        case .server: try transcript.store.finish(transactionId: id)
        }
        #expect(try transcript.store.unfinishedTransactions(accountId: "a").transactions.isEmpty)
        let history = try transcript.store.transactionHistory(anyTransactionId: id, includesFinishedConsumables: false)
        #expect(history.signedTransactions.isEmpty)
        #expect(try transcript.store.transactionHistory(anyTransactionId: id).signedTransactions.count == 1)
        let text = try transcript.store.appReceipt(accountId: "a")
        guard case .verified(let receipt) = try receiptVerifier().verify(text) else {
            Issue.record("the receipt does not verify")
            return
        }
        #expect(receipt.inAppPurchases.isEmpty)
    }

    @Test func `an unknown account or transaction is refused`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        expectRefusal(.accountNotFound, .notFound) { try transcript.store.unfinishedTransactions(accountId: "x") }
        expectRefusal(.transactionNotFound, .notFound) { try transcript.store.finishTransaction(transactionId: "1") }
    }
}
