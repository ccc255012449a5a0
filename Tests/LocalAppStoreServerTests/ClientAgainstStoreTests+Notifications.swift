import AppStoreClient
import AppStoreModel
import AppStoreSigning
import Testing

/// Renewal dates, notifications and reports of external purchases.
extension `The client against the store` {
    @Test func `renewal dates are extended, for one subscriber and for all`() async throws {
        let made = try await withClient { store, app in
            let id = try #require(try await store.buy("pro.weekly")["originalTransactionId"].stringValue)
            let bought = try await app.getTransactionInfo(transactionId: id)
            let expiresDate = try #require(try store.transaction(bought.signedTransactionInfo).expiresDate)

            let one = try await app.extendSubscriptionRenewalDate(
                originalTransactionId: id,
                ExtendRenewalDateRequest(
                    extendByDays: 5,
                    extendReasonCode: .customerSatisfaction,
                    requestIdentifier: "sorry"
                )
            )
            #expect(one.success && one.originalTransactionId == id)
            let effectiveDate = try #require(one.effectiveDate)
            #expect(effectiveDate > expiresDate)
            let extended = try await app.getTransactionInfo(transactionId: id)
            #expect(try store.transaction(extended.signedTransactionInfo).expiresDate == effectiveDate)

            let all = try await app.extendRenewalDateForAllActiveSubscribers(
                MassExtendRenewalDateRequest(
                    requestIdentifier: uuid(2),
                    extendByDays: 5,
                    extendReasonCode: .serviceIssueOrOutage,
                    productId: "pro.weekly"
                )
            )
            #expect(all.requestIdentifier == uuid(2))
            let waiting = try await app.getStatusOfSubscriptionRenewalDateExtensions(
                productId: "pro.weekly",
                requestIdentifier: uuid(2)
            )
            #expect(waiting.requestIdentifier == uuid(2) && !waiting.complete)
            _ = try await store.advance(by: "PT1H")
            let over = try await app.getStatusOfSubscriptionRenewalDateExtensions(
                productId: "pro.weekly",
                requestIdentifier: uuid(2)
            )
            #expect(over.complete && over.succeededCount == 1 && over.failedCount == 0)
        }
        #expect(missing(AppStoreServerCall.extensions, in: made) == [])
    }

    @Test func `notifications are found in the history, and a test is sent`() async throws {
        let made = try await withClient { store, app in
            try await withDeveloperServer { developer in
                let endpoint: JSONValue = ["url": .string(developer.notificationURL)]
                #expect(try await store.put("/_store/notification-endpoint", endpoint).status == 200)
                let id = try #require(try await store.buy("pro.weekly")["transactionId"].stringValue)

                let history = try await app.getNotificationHistory(
                    NotificationHistoryRequest(
                        startDate: RunningStore.start - 1,
                        endDate: RunningStore.start + 86_400_000,
                        transactionId: id
                    )
                )
                #expect(!history.hasMore && history.notificationHistory.count == 1)
                let item = try #require(history.notificationHistory.first)
                let reported = try store.verifier.verifyNotification(item.signedPayload).get()
                #expect(reported.payload.notificationType == .subscribed && reported.transaction?.transactionId == id)
                #expect(item.sendAttempts?.first?.sendAttemptResult == .success)

                let asked = try await app.requestTestNotification()
                let token = asked.testNotificationToken
                let status = try await app.getTestNotificationStatus(testNotificationToken: token)
                let test = try store.verifier.verifyNotification(status.signedPayload).get()
                #expect(test.payload.notificationType == .test && test.payload.notificationUUID == token)
                #expect(status.sendAttempts?.first?.sendAttemptResult == .success)
            }
        }
        #expect(missing(AppStoreServerCall.notifications, in: made) == [])
    }

    @Test func `an external purchase is reported, and the report is found again`() async throws {
        let made = try await withClient { store, app in
            #expect(try await store.post("/_store/accounts", ["accountId": "anna"]).status == 200)
            let tokens = "/_store/accounts/anna/external-purchase-tokens"
            let token = try await store.post(tokens, ["tokenType": "SERVICES"]).json
            let report = ExternalPurchaseReport(
                requestIdentifier: uuid(1),
                externalPurchaseId: try #require(token["externalPurchaseId"].stringValue),
                status: .noLineItem
            )

            let sent = try await app.sendExternalPurchaseReport(report)
            #expect(sent.requestIdentifier == uuid(1))

            let found = try await app.retrieveExternalPurchaseReport(requestIdentifier: uuid(1))
            #expect(found.report == report)
        }
        #expect(missing(AppStoreServerCall.externalPurchase, in: made) == [])
    }
}
