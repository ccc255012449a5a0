import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Look-ups of transactions` {
    @Test func `version 1 of the history leaves out consumables that were finished and not refunded`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let ids = try (0..<3).map { _ in try transcript.buy("coins.100").transactionId }
        let lifetime = try transcript.buy("lifetime").transactionId
        for id in [ids[0], ids[1], lifetime, ids[0]] { try transcript.store.finish(transactionId: id) }
        try transcript.store.refund(transactionId: ids[1])
        let old = try transcript.store.transactionHistory(
            anyTransactionId: lifetime,
            includesFinishedConsumables: false
        )
        #expect(Set(try old.signedTransactions.map(transactionId)) == [ids[1], ids[2], lifetime])
        let new = try transcript.store.transactionHistory(anyTransactionId: lifetime)
        #expect(new.signedTransactions.count == 4)
    }

    @Test func `an app transaction belongs to the account and is as old as it`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.store.step(to: try at("2026-02-01"))
        let bought = try transcript.buy("coins.100")
        let info = try transcript.store.appTransactionInfo(anyTransactionId: bought.transactionId)
        let payload: JWSAppTransactionDecodedPayload = try decoded(info.signedAppTransactionInfo)
        #expect(payload.appTransactionId == (try transcript.account.appTransactionId))
        #expect(payload.originalPurchaseDate == (try at("2026-01-15")))
        #expect(payload.receiptCreationDate == (try at("2026-02-01")))
        #expect(payload.receiptType == .production)
        #expect(payload.appAppleId == transcript.store.configuration.appAppleId)
        #expect(payload.storeType == .consumer)
    }

    @Test func `every transaction has an order of its own, and its number leads back to it`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        for _ in 0..<200 { try transcript.buy("coins.100") }
        let reports = try transcript.account.transactions
        #expect(Set(reports.map(\.orderId)).count == 200)
        for report in reports {
            #expect(report.orderId.count == 10)
            let answer = try #require(try transcript.store.lookUpOrder(report.orderId))
            #expect(answer.status == .valid)
            #expect(try answer.signedTransactions?.map(transactionId) == [report.transactionId])
        }
    }

    @Test func `an order of another app is invalid but not an error; an invalid number is one`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        try transcript.buy("coins.100")
        for id in ["MVXXXXXXXX", "1", "M"] {
            #expect(try transcript.store.lookUpOrder(id) == OrderLookupResponse(status: .invalid))
        }
        for id in ["", "M V", "é", String(repeating: "M", count: 65)] {
            #expect(throws: AppStoreServerAPIError.generalBadRequest) { try transcript.store.lookUpOrder(id) }
        }
    }

    @Test func `the sandbox has no orders to look up`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0, environment: .sandbox)
        try transcript.buy("coins.100")
        let order = try transcript.account.transactions[0].orderId
        #expect(try transcript.store.lookUpOrder(order) == nil)
    }

    @Test func `refunds are paged by twenty in order of their dates, and a revision returns later ones`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        let ids = try (0..<43).map { _ in try transcript.buy("coins.100").transactionId }
        for id in ids.reversed().dropFirst(2) {
            try transcript.store.step(to: transcript.store.now + 1)
            try transcript.store.refund(transactionId: id)
        }
        let expected = Array(ids.reversed().dropFirst(2))
        var revision: String?
        var found: [String] = []
        var lengths: [Int] = []
        repeat {
            let page = try transcript.store.refundHistory(anyTransactionId: ids[0], revision: revision)
            found += try page.signedTransactions.map(transactionId)
            lengths.append(page.signedTransactions.count)
            revision = page.revision
            if !page.hasMore { break }
        } while true
        #expect(lengths == [20, 20, 1])
        #expect(found == expected)
        try transcript.store.refund(transactionId: ids[42])
        let later = try transcript.store.refundHistory(anyTransactionId: ids[0], revision: revision)
        #expect(try later.signedTransactions.map(transactionId) == [ids[42]])
        let old = try transcript.store.refundHistoryV1(originalTransactionId: ids[42])
        #expect(try old.signedTransactions.map(transactionId) == expected + [ids[42]])
    }

    @Test func `the refund history's version 1 has the fifty newest, and takes original transactions only`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0, catalog: try plainCatalog())
        try transcript.buy("monthly")
        try transcript.advance(to: 60 * 31 * dayLength)
        let ids = try transcript.account.transactions.map(\.transactionId)
        for id in ids.dropLast() { try transcript.store.refund(transactionId: id) }
        let answer = try transcript.store.refundHistoryV1(originalTransactionId: ids[0])
        #expect(try answer.signedTransactions.map(transactionId) == Array(ids.dropLast().suffix(50)))
        #expect(throws: AppStoreServerAPIError.originalTransactionIdNotFound) {
            try transcript.store.refundHistoryV1(originalTransactionId: ids[1])
        }
        #expect(throws: AppStoreServerAPIError.invalidOriginalTransactionId) {
            try transcript.store.refundHistoryV1(originalTransactionId: "x")
        }
    }

    @Test func `a customer without refunds has an empty history, and a foreign revision is refused`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        let id = try transcript.buy("coins.100").transactionId
        let page = try transcript.store.refundHistory(anyTransactionId: id)
        #expect(page.signedTransactions.isEmpty && !page.hasMore && !page.revision.isEmpty)
        for revision in ["", "x", "f1_1", "f1_a_b", "f1_01_0", "r1_1_1", "f1_1_0", "f1_01_0_x"] {
            #expect(throws: AppStoreServerAPIError.invalidRequestRevision) {
                try transcript.store.refundHistory(anyTransactionId: id, revision: revision)
            }
        }
        let other = try transcript.store.createAccount(storefront: "USA", accountId: "other").appTransactionId
        #expect(throws: AppStoreServerAPIError.invalidRequestRevision) {
            try transcript.store.refundHistory(anyTransactionId: other, revision: page.revision)
        }
    }

    private func transactionId(_ jws: String) throws -> String {
        let payload: JWSTransactionDecodedPayload = try decoded(jws)
        return payload.transactionId
    }
}
