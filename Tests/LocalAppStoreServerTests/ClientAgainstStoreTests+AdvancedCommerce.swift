import AppStoreClient
import AppStoreModel
import AppStoreSigning
import Testing

/// The Advanced Commerce API.
extension `The client against the store` {
    @Test func `Advanced Commerce subscriptions are changed, refunded, ended and migrated`() async throws {
        let made = try await withClient { store, app in
            let sold = try await `Advanced Commerce over HTTP`().subscriber(of: store)
            let id = try #require(sold["transactionId"].stringValue)
            try await change(id, of: store, with: app)
            try await end(id, of: store, with: app)
            let plain = try #require(try await store.buy("plus.monthly", account: "bert")["transactionId"].stringValue)
            try await migrate(plain, of: store, with: app)
        }
        #expect(missing(AppStoreServerCall.advancedCommerce, in: made) == [])
    }

    /// The identification of a request; the store's subscriber was created with another identifier.
    private func requestInfo(_ number: Int) -> AdvancedCommerceRequestInfo {
        AdvancedCommerceRequestInfo(requestReferenceId: uuid(number))
    }

    /// Changes the name and lowers the price of the subscription.
    private func change(_ id: String, of store: RunningStore, with app: AppStoreServerAPIClient.App) async throws {
        let named = try await app.changeSubscriptionMetadata(
            transactionId: id,
            AdvancedCommerceSubscriptionChangeMetadataRequest(
                requestInfo: requestInfo(1),
                descriptors: AdvancedCommerceSubscriptionChangeMetadataDescriptors(
                    effective: .immediately,
                    displayName: "Papers"
                )
            )
        )
        let renamed = try store.transaction(try #require(named.signedTransactionInfo))
        #expect(renamed.transactionId == id)
        #expect(renamed.advancedCommerceInfo?.descriptors?.displayName == "Papers")

        let priced = try await app.changeSubscriptionPrice(
            transactionId: id,
            AdvancedCommerceSubscriptionPriceChangeRequest(
                requestInfo: requestInfo(2),
                items: [AdvancedCommerceSubscriptionPriceChangeItem(sku: "news", price: 5_000)]
            )
        )
        let cheaper = try store.renewal(try #require(priced.signedRenewalInfo))
        #expect(cheaper.renewalPrice == 5_000)
        #expect(cheaper.advancedCommerceInfo?.items?.first?.price == 5_000)
    }

    /// Refunds the period, turns renewal off, and ends the subscription.
    private func end(_ id: String, of store: RunningStore, with app: AppStoreServerAPIClient.App) async throws {
        let refund = AdvancedCommerceRequestRefundItem(
            sku: "news",
            refundReason: .other,
            refundType: .full,
            revoke: false
        )
        let paidBack = try await app.requestTransactionRefund(
            transactionId: id,
            AdvancedCommerceRequestRefundRequest(
                requestInfo: requestInfo(3),
                items: [refund],
                refundRiskingPreference: false
            )
        )
        let refunded = try store.transaction(try #require(paidBack.signedTransactionInfo))
        #expect(refunded.advancedCommerceInfo?.items?.first?.refunds?.first?.refundReason == .other)
        #expect(refunded.revocationDate == nil)

        let cancelled = try await app.cancelSubscription(
            transactionId: id,
            AdvancedCommerceSubscriptionCancelRequest(requestInfo: requestInfo(4))
        )
        #expect(try store.renewal(try #require(cancelled.signedRenewalInfo)).autoRenewStatus == .off)

        let revoked = try await app.revokeSubscription(
            transactionId: id,
            AdvancedCommerceSubscriptionRevokeRequest(
                requestInfo: requestInfo(5),
                refundReason: .legal,
                refundType: .full,
                refundRiskingPreference: false
            )
        )
        let ended = try store.transaction(try #require(revoked.signedTransactionInfo))
        #expect(ended.transactionId == id && ended.revocationDate == RunningStore.start)
    }

    /// Migrates an ordinary subscription to Advanced Commerce.
    private func migrate(_ id: String, of store: RunningStore, with app: AppStoreServerAPIClient.App) async throws {
        let moved = try await app.migrateSubscription(
            transactionId: id,
            AdvancedCommerceSubscriptionMigrateRequest(
                requestInfo: requestInfo(6),
                targetProductId: "pro.weekly",
                taxCode: "C003-00-2",
                descriptors: AdvancedCommerceSubscriptionMigrateDescriptors(
                    description: "All the news",
                    displayName: "News"
                ),
                items: [
                    AdvancedCommerceSubscriptionMigrateItem(
                        sku: "news",
                        description: "All the news",
                        displayName: "News"
                    )
                ]
            )
        )
        let transaction = try store.transaction(try #require(moved.signedTransactionInfo))
        #expect(transaction.previousOriginalTransactionId == id)
        #expect(transaction.advancedCommerceInfo?.items?.map(\.sku) == ["news"])
    }
}
