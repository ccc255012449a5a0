import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `App Store Server API` {
    @Test func `transaction info answers for any transaction, and the original id names the first one`() throws {
        var transcript = try customer()
        for report in try transcript.account.transactions {
            let info = try transcript.store.transactionInfo(transactionId: report.transactionId)
            let transaction: JWSTransactionDecodedPayload = try decoded(info.signedTransactionInfo)
            #expect(transaction.transactionId == report.transactionId)
            #expect(transaction.price == report.price)
        }
    }

    @Test(arguments: [
        ("abc", AppStoreServerAPIError.invalidTransactionId), ("", .invalidTransactionId),
        ("-1", .invalidTransactionId),
        ("123456789012345678901", .invalidTransactionId), ("2000000000009999", .transactionIdNotFound),
    ])
    func `an identifier that is malformed or unknown has Apple's error`(id: String, error: AppStoreServerAPIError)
        throws
    {
        var transcript = try customer()
        #expect(throws: error) { try transcript.store.transactionInfo(transactionId: id) }
        #expect(throws: error) { try transcript.store.subscriptionStatuses(anyTransactionId: id) }
        #expect(throws: error) { try transcript.store.transactionHistory(anyTransactionId: id) }
    }

    @Test func `an app transaction is refused where a transaction is required`() throws {
        var transcript = try customer()
        let id = try transcript.account.appTransactionId
        #expect(throws: AppStoreServerAPIError.appTransactionIdNotSupported) {
            try transcript.store.transactionInfo(transactionId: id)
        }
    }

    @Test func `statuses cover every group of the customer, whichever identifier is given`() throws {
        var transcript = try customer()
        let account = try transcript.account
        let ids = account.transactions.map(\.transactionId) + [account.appTransactionId]
        for id in ids {
            let response = try transcript.store.subscriptionStatuses(anyTransactionId: id)
            #expect(response.data.map(\.subscriptionGroupIdentifier) == ["21000001", "21000002"])
            let items = response.data.flatMap(\.lastTransactions)
            #expect(items.map(\.status) == [.active, .expired])
            let newest: JWSTransactionDecodedPayload = try decoded(items[0].signedTransactionInfo)
            #expect(newest.expiresDate == account.subscriptions[0].expiresDate)
            let renewal: JWSRenewalInfoDecodedPayload = try decoded(items[1].signedRenewalInfo)
            #expect(renewal.expirationIntent == .customerCancelled)
        }
    }

    @Test func `statuses are filtered, and an invalid filter is refused`() throws {
        var transcript = try customer()
        let id = try transcript.account.appTransactionId
        let expired = try StatusQuery(parameters: [("status", "2"), ("status", "5"), ("other", "x")])
        let response = try transcript.store.subscriptionStatuses(anyTransactionId: id, query: expired)
        #expect(response.data.map(\.subscriptionGroupIdentifier) == ["21000002"])
        for value in ["0", "6", "active", ""] {
            #expect(throws: AppStoreServerAPIError.invalidStatus) { try StatusQuery(parameters: [("status", value)]) }
        }
    }

    @Test func `a customer without subscriptions has an empty list of statuses`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        let coins = try transcript.buy("coins.100")
        #expect(try transcript.store.subscriptionStatuses(anyTransactionId: coins.transactionId).data.isEmpty)
    }

    @Test(arguments: [HistorySort.ascending, .descending])
    func `the history is paged by twenty in the order of modification`(sort: HistorySort) throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        let ids = try (0..<45).map { _ in try transcript.buy("coins.100").transactionId }
        var found: [String] = []
        var lengths: [Int] = []
        var query = HistoryQuery(sort: sort)
        var hasMore = true
        while hasMore {
            let page = try transcript.store.transactionHistory(anyTransactionId: ids[7], query: query)
            found += try page.signedTransactions.map { try (decoded($0) as JWSTransactionDecodedPayload).transactionId }
            lengths.append(page.signedTransactions.count)
            query.revision = page.revision
            hasMore = page.hasMore
        }
        #expect(lengths == [20, 20, 5])
        #expect(found == (sort == .ascending ? ids : ids.reversed()))
    }

    @Test func `the last revision returns later additions and changes`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        let first = try transcript.buy("coins.100").transactionId
        var query = HistoryQuery()
        query.revision = try transcript.store.transactionHistory(anyTransactionId: first).revision
        let none = try transcript.store.transactionHistory(anyTransactionId: first, query: query)
        #expect(none.signedTransactions.isEmpty && none.revision == query.revision && !none.hasMore)
        let second = try transcript.buy("coins.100").transactionId
        try transcript.store.refund(transactionId: first)
        #expect(try found(query, &transcript) == [second, first])
    }

    @Test func `a revision is valid for its own customer, filters and order only`() throws {
        var transcript = try customer()
        let id = try transcript.account.appTransactionId
        let query = HistoryQuery(productIds: ["pro.weekly"])
        let revision = try transcript.store.transactionHistory(anyTransactionId: id, query: query).revision
        let anyOther = try #require(try transcript.account.transactions.last).transactionId
        _ = try transcript.store.transactionHistory(
            anyTransactionId: anyOther,
            query: HistoryQuery(revision: revision, productIds: ["pro.weekly"])
        )
        let other = try transcript.store.createAccount(storefront: "USA", accountId: "other").appTransactionId
        let questions = [
            (other, HistoryQuery(revision: revision, productIds: ["pro.weekly"])),
            (id, HistoryQuery(revision: revision)),
            (id, HistoryQuery(revision: revision, productIds: ["pro.weekly"], revoked: false)),
            (id, HistoryQuery(revision: revision, productIds: ["pro.weekly"], sort: .descending)),
            (id, HistoryQuery(revision: revision, startDate: 0, productIds: ["pro.weekly"])),
        ]
        for (customer, question) in questions {
            #expect(throws: AppStoreServerAPIError.invalidRequestRevision) {
                try transcript.store.transactionHistory(anyTransactionId: customer, query: question)
            }
        }
    }

    @Test func `each filter of the history returns its matches`() throws {
        var transcript = try customer()
        let all = try transcript.account.transactions
        let weekly = all.filter { $0.productId == "pro.weekly" }.map(\.transactionId)
        let plus = all.filter { $0.productId == "plus.monthly" }.map(\.transactionId)
        let coins = all.filter { $0.productId == "coins.100" }.map(\.transactionId)
        try transcript.store.refund(transactionId: coins[0])
        let table: [([(name: String, value: String)], [String])] = [
            ([("productId", "plus.monthly")], plus),
            ([("productId", "plus.monthly"), ("productId", "coins.100")], plus + coins),
            ([("productType", "CONSUMABLE")], coins),
            ([("productType", "NON_CONSUMABLE"), ("productType", "NON_RENEWABLE")], []),
            ([("productType", "AUTO_RENEWABLE"), ("productId", "coins.100")], []),
            ([("subscriptionGroupIdentifier", "21000001")], weekly),
            ([("subscriptionGroupIdentifier", "0")], []),
            ([("revoked", "true")], coins), ([("revoked", "True")], coins),
            ([("revoked", "false"), ("productType", "CONSUMABLE")], []),
            ([("excludeRevoked", "true"), ("productId", "coins.100")], []),
            ([("inAppOwnershipType", "PURCHASED"), ("productId", "coins.100")], coins),
            ([("inAppOwnershipType", "FAMILY_SHARED")], []),
            ([("startDate", String(try at("2026-01-29"))), ("productId", "pro.weekly")], Array(weekly[2...])),
            ([("endDate", String(try at("2026-01-29"))), ("productId", "pro.weekly")], Array(weekly[..<2])),
            ([("sort", "DESCENDING"), ("productId", "pro.weekly")], weekly.reversed()),
            ([("unknown", "x"), ("productId", "plus.monthly")], plus),
        ]
        for (parameters, expected) in table {
            let answer = try found(try HistoryQuery(parameters: parameters), &transcript)
            let inOrder = parameters.contains { $0.name == "sort" }
            #expect(inOrder ? answer == expected : Set(answer) == Set(expected), "\(parameters)")
        }
    }

    @Test(arguments: [
        ("startDate", "today", AppStoreServerAPIError.invalidStartDate), ("endDate", "-1", .invalidEndDate),
        ("productId", "", .invalidProductId), ("productType", "Consumable", .invalidProductType),
        ("subscriptionGroupIdentifier", "", .invalidSubscriptionGroupIdentifier),
        ("inAppOwnershipType", "STOLEN", .invalidInAppOwnershipType), ("revoked", "yes", .invalidRevoked),
        ("excludeRevoked", "1", .invalidExcludeRevoked), ("sort", "ascending", .invalidSort),
    ])
    func `a filter with a bad value has the error of its parameter`(
        name: String,
        value: String,
        error: AppStoreServerAPIError
    ) {
        #expect(throws: error) { try HistoryQuery(parameters: [(name, value)]) }
    }

    @Test func `dates in the wrong order, and a foreign revision, are refused`() throws {
        #expect(throws: AppStoreServerAPIError.invalidEndDate) {
            try HistoryQuery(parameters: [("startDate", "5"), ("endDate", "5")])
        }
        var transcript = try customer()
        let id = try transcript.account.appTransactionId
        for revision in ["", "12", "r1_", "r1_x", "r1_-4", "r1_4", "r1_4_x"] {
            #expect(throws: AppStoreServerAPIError.invalidRequestRevision) {
                try transcript.store.transactionHistory(anyTransactionId: id, query: HistoryQuery(revision: revision))
            }
        }
    }

    /// On 20 February: weekly since 15 January, a cancelled and expired monthly offer, and one consumable.
    private func customer() throws -> StoreTranscript {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-01"))
        try transcript.store.step(to: try at("2026-01-15"))
        try transcript.buy("pro.weekly")
        let plus = try transcript.buy("plus.monthly")
        try transcript.buy("coins.100")
        try transcript.store.setAutoRenew(originalTransactionId: plus.originalTransactionId, enabled: false)
        try transcript.advance(to: try at("2026-02-20"))
        return transcript
    }

    private func found(_ query: HistoryQuery, _ transcript: inout StoreTranscript) throws -> [String] {
        let id = try transcript.account.appTransactionId
        return try transcript.store.transactionHistory(anyTransactionId: id, query: query).signedTransactions
            .map { try (decoded($0) as JWSTransactionDecodedPayload).transactionId }
    }
}
