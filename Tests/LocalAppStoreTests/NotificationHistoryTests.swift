import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Notification history` {
    @Test func `the history has what was sent, as it was sent, oldest first`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), catalog: try plainCatalog())
        let bought = try transcript.buy("monthly")
        try transcript.advance(to: try at("2026-02-20"))
        try transcript.store.refund(transactionId: bought.transactionId)
        try transcript.deliver()
        let answer = try transcript.history()
        #expect(answer.notificationHistory.map(\.signedPayload) == (try transcript.allRecords()).map(\.signedPayload))
        #expect(answer.notificationHistory.count == 3)
        #expect(!answer.hasMore && answer.paginationToken == nil)
        let first = try #require(answer.notificationHistory.first)
        #expect(first.firstSendAttemptResult == .success)
        #expect(first.sendAttempts == [SendAttemptItem(attemptDate: try at("2026-01-15"), sendAttemptResult: .success)])
    }

    @Test func `each page has twenty at most, and the token of one leads to the next`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        for _ in 0..<45 { try transcript.buy("coins.100") }
        try transcript.deliver()
        let request = try transcript.historyRequest()
        var lengths: [Int] = []
        var payloads: [String] = []
        var token: String?
        repeat {
            let page = try transcript.store.notificationHistory(request, paginationToken: token)
            lengths.append(page.notificationHistory.count)
            payloads += page.notificationHistory.map(\.signedPayload)
            #expect(page.hasMore == (page.paginationToken != nil))
            token = page.paginationToken
            // Notifications between two pages belong to neither page.
            try transcript.store.step(to: transcript.store.now + hourLength)
            try transcript.buy("coins.100")
            try transcript.deliver()
        } while token != nil
        #expect(lengths == [20, 20, 5])
        #expect(payloads == (try transcript.allRecords()).prefix(45).map(\.signedPayload))
    }

    @Test func `only-failures returns undelivered notifications, including those still being retried`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.buy("coins.100")
        try transcript.deliver()
        transcript.deliveryResult = .timedOut
        try transcript.buy("coins.100")
        try transcript.deliver()
        let failures = try transcript.history(onlyFailures: true)
        #expect(failures.notificationHistory.map(\.firstSendAttemptResult) == [.timedOut])
        transcript.deliveryResult = .success
        try transcript.advance(to: transcript.store.now + hourLength)
        #expect(try transcript.history(onlyFailures: true).notificationHistory.isEmpty)
        let attempts = try transcript.history().notificationHistory.last?.sendAttempts
        #expect(attempts?.map(\.sendAttemptResult) == [.timedOut, .success])
    }

    @Test func `notifications without an endpoint were never tried and are not in the history`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.store.setNotificationEndpoint(url: nil)
        try transcript.buy("coins.100")
        #expect(try transcript.history().notificationHistory.isEmpty)
    }

    @Test func `filters keep a type, a subtype, and a customer`() throws {
        let transcript = try twoCustomers()
        #expect(try transcript.types(type: .didRenew) == ["DID_RENEW"])
        #expect(try transcript.types(type: .subscribed, subtype: .initialBuy) == ["SUBSCRIBED"])
        #expect(try transcript.types(type: .subscribed, subtype: .resubscribe).isEmpty)
        #expect(try transcript.types(type: .refund).isEmpty)
        let coins = try transcript.store.account("b").transactions[0].transactionId
        #expect(try transcript.types(customer: coins) == ["ONE_TIME_CHARGE"])
        let app = try transcript.account.appTransactionId
        #expect(try transcript.types(customer: app) == ["SUBSCRIBED", "DID_RENEW"])
    }

    @Test(arguments: [AppStoreEnvironment.production, .sandbox])
    func `the history reaches back 180 days, in the sandbox 30`(environment: AppStoreEnvironment) throws {
        let transcript = try StoreTranscript.withAccount(at: try at("2026-08-01"), environment: environment)
        let days: Int64 = environment == .production ? 180 : 30
        var request = try transcript.historyRequest()
        request.startDate = transcript.store.now - days * dayLength
        _ = try transcript.store.notificationHistory(request)
        request.startDate -= 1
        #expect(throws: AppStoreServerAPIError.startDateTooFarInPast) {
            try transcript.store.notificationHistory(request)
        }
    }

    @Test func `a foreign token is invalid, one for another request or a day later is expired`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        for _ in 0..<21 { try transcript.buy("coins.100") }
        try transcript.deliver()
        let request = try transcript.historyRequest()
        let token = try #require(try transcript.store.notificationHistory(request).paginationToken)
        for wrong in ["", "x", token + "0", String(token.dropFirst()), "0-0-0-0"] {
            #expect(throws: AppStoreServerAPIError.invalidPaginationToken) {
                try transcript.store.notificationHistory(request, paginationToken: wrong)
            }
        }
        var other = request
        other.onlyFailures = true
        #expect(throws: AppStoreServerAPIError.paginationTokenExpired) {
            try transcript.store.notificationHistory(other, paginationToken: token)
        }
        try transcript.store.step(to: transcript.store.now + dayLength)
        _ = try transcript.store.notificationHistory(request, paginationToken: token)
        try transcript.store.step(to: transcript.store.now + 1)
        #expect(throws: AppStoreServerAPIError.paginationTokenExpired) {
            try transcript.store.notificationHistory(request, paginationToken: token)
        }
    }

    @Test(
        arguments: [
            (JSONObject(), AppStoreServerAPIError.invalidStartDate),
            (["startDate": "now", "endDate": 2], .invalidStartDate),
            (["startDate": -1, "endDate": 2], .invalidStartDate), (["startDate": 1], .invalidEndDate),
            (["startDate": 2, "endDate": 2], .startDateAfterEndDate),
            (["startDate": 1, "endDate": 2, "notificationType": "SOUP"], .invalidNotificationType),
            (["startDate": 1, "endDate": 2, "notificationType": 7], .invalidNotificationType),
            (["startDate": 1, "endDate": 2, "notificationSubtype": "UPGRADE"], .invalidNotificationType),
            (
                ["startDate": 1, "endDate": 2, "notificationType": "EXPIRED", "notificationSubtype": "UPGRADE"],
                .invalidNotificationType
            ),
            (
                ["startDate": 1, "endDate": 2, "notificationType": "EXPIRED", "transactionId": "2"],
                .multipleFiltersSupplied
            ),
            (["startDate": 1, "endDate": 2, "transactionId": "abc"], .invalidTransactionId),
            (["startDate": 1, "endDate": 2, "originalTransactionId": 5], .invalidTransactionId),
            (["startDate": 1, "endDate": 2, "transactionId": "2000000000000009"], .transactionIdNotFound),
            (["startDate": 1, "endDate": 2, "onlyFailures": "yes"], .generalBadRequest),
        ] as [(JSONObject, AppStoreServerAPIError)]
    )
    func `a request that breaks a rule has Apple's error`(body: JSONObject, error: AppStoreServerAPIError) throws {
        let store = try StoreTranscript.withAccount(at: dayLength).store
        #expect(throws: error) {
            try store.notificationHistory(try NotificationHistoryRequest(appleBody: body))
        }
    }

    /// Two months of a subscription of `a`, and one consumable of `b`.
    private func twoCustomers() throws -> StoreTranscript {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), catalog: nil)
        _ = try transcript.store.createAccount(accountId: "b")
        try transcript.buy("pro.monthly")
        _ = try transcript.store.purchase(accountId: "b", request: PurchaseRequest(productId: "coins.100"))
        try transcript.advance(to: try at("2026-02-10"))
        return transcript
    }
}

extension StoreTranscript {
    func historyRequest() throws -> NotificationHistoryRequest {
        NotificationHistoryRequest(startDate: store.now - 30 * dayLength, endDate: store.now + dayLength)
    }

    /// The first page of the last month.
    fileprivate func history(onlyFailures: Bool? = nil) throws -> NotificationHistoryResponse {
        var request = try historyRequest()
        request.startDate -= 10 * dayLength
        request.onlyFailures = onlyFailures
        return try store.notificationHistory(request)
    }

    fileprivate func types(
        type: NotificationType? = nil,
        subtype: NotificationSubtype? = nil,
        customer: String? = nil
    ) throws -> [String] {
        var request = try historyRequest()
        request.notificationType = type
        request.notificationSubtype = subtype
        request.transactionId = customer
        return try store.notificationHistory(request).notificationHistory.map { item in
            let payload: ResponseBodyV2DecodedPayload = try decoded(item.signedPayload)
            return payload.notificationType.rawValue
        }
    }
}
