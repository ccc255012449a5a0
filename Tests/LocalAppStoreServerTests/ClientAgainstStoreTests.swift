import AppStoreClient
import AppStoreModel
import AppStoreSigning
import Testing

/// Every typed call of the client over HTTP against the local store, with a successful answer.
@Suite struct `The client against the store` {
    /// The calls that read customers' purchases.
    private static let purchaseData: [AppStoreServerCall] = [
        .getTransactionHistory, .getTransactionHistoryV1, .getTransactionInfo, .getAppTransactionInfo,
        .getAllSubscriptionStatuses, .getCustomerGroups, .getGroupMembers,
    ]

    /// The calls that report a purchase, and those for orders and refunds.
    private static let purchaseUpdates: [AppStoreServerCall] = [
        .setAppAccountToken, .finishTransaction, .sendConsumptionInformation, .sendConsumptionInformationV1,
        .lookUpOrderID, .getRefundHistory, .getRefundHistoryV1,
    ]

    /// The names of the calls that a test should have made, but did not.
    func missing(_ calls: [AppStoreServerCall], in made: Set<String>) -> [String] {
        calls.map(\.name).filter { !made.contains($0) }
    }

    @Test func `the tests make every call that the client has`() {
        // Each list is compared by its test with the calls that the store executed.
        let lists = [
            Self.purchaseData, Self.purchaseUpdates, AppStoreServerCall.extensions, AppStoreServerCall.notifications,
            AppStoreServerCall.retentionMessaging, AppStoreServerCall.externalPurchase,
            AppStoreServerCall.advancedCommerce,
        ]
        #expect(Set(lists.joined().map(\.name)) == Set(AppStoreServerCall.all.map(\.name)))
    }

    @Test func `a customer's purchases, statuses and groups are read`() async throws {
        let made = try await withClient { store, app in
            let id = try #require(try await store.buy("pro.monthly")["transactionId"].stringValue)
            let coins = try #require(try await store.buy("coins.100")["transactionId"].stringValue)
            let account = try await store.get("/_store/accounts/anna").json
            let appTransactionId = try #require(account["appTransactionId"].stringValue)

            let history = try await app.getTransactionHistory(
                anyTransactionId: id,
                filter: TransactionHistoryFilter(productTypes: [.consumable])
            )
            #expect(history.answeredBy == .sandbox && history.environment == .sandbox)
            #expect(history.bundleId == RunningStore.bundleId && !history.hasMore)
            #expect(try history.signedTransactions.map { try store.transaction($0).transactionId } == [coins])

            let older = try await app.getTransactionHistoryV1(anyTransactionId: id)
            #expect(try Set(older.signedTransactions.map { try store.transaction($0).transactionId }) == [id, coins])

            let info = try await app.getTransactionInfo(transactionId: id)
            let transaction = try store.transaction(info.signedTransactionInfo)
            #expect(transaction.productId == "pro.monthly" && transaction.transactionId == id)

            let download = try await app.getAppTransactionInfo(anyTransactionId: coins)
            let downloaded = try store.verifier.verifyAppTransaction(download.signedAppTransactionInfo).get()
            #expect(downloaded.appTransactionId == appTransactionId)

            let statuses = try await app.getAllSubscriptionStatuses(anyTransactionId: id, status: [.active])
            let item = try #require(statuses.data.first?.lastTransactions.first)
            #expect(item.originalTransactionId == id && item.status == .active)
            #expect(try store.renewal(item.signedRenewalInfo).autoRenewStatus == .on)

            let group = try await store.post(
                "/_store/customer-groups",
                ["groupType": "CONSUMER", "members": [["accountId": "anna"]]]
            )
            let groupId = try #require(group.json["groupId"].stringValue)
            let groups = try await app.getCustomerGroups(anyTransactionId: id)
            #expect(groups.groups.map(\.groupId) == [groupId])
            #expect(groups.groups.map(\.groupType) == [.consumer])

            let members = try await app.getGroupMembers(groupId: groupId, limit: 1)
            #expect(members.members.map(\.appTransactionId) == [appTransactionId] && !members.hasMore)
        }
        #expect(missing(Self.purchaseData, in: made) == [])
    }

    @Test func `a purchase is reported, looked up by its order, and refunded`() async throws {
        // Orders are looked up in production only.
        let made = try await withClient(environment: .production) { store, app in
            let id = try #require(try await store.buy("coins.100")["transactionId"].stringValue)
            let named = try await app.setAppAccountToken(
                originalTransactionId: id,
                UpdateAppAccountTokenRequest(appAccountToken: uuid(1))
            )
            #expect(named.response.status == 200 && named.response.body.isEmpty)
            let info = try await app.getTransactionInfo(transactionId: id)
            #expect(try store.transaction(info.signedTransactionInfo).appAccountToken == uuid(1))

            #expect(try await app.getTransactionHistoryV1(anyTransactionId: id).signedTransactions.count == 1)
            let finished = try await app.finishTransaction(transactionId: id)
            #expect(finished.response.status == 200 && finished.response.body.isEmpty)
            // The older history omits finished consumables.
            #expect(try await app.getTransactionHistoryV1(anyTransactionId: id).signedTransactions.isEmpty)

            try await sendConsumptionInformation(about: id, with: app)

            let account = try await store.get("/_store/accounts/anna").json
            let orderId = try #require(account["transactions"][0]["orderId"].stringValue)
            let order = try await app.lookUpOrderId(orderId: orderId)
            #expect(order.answeredBy == .production && order.status == .valid)
            #expect(try order.signedTransactions?.map { try store.transaction($0).transactionId } == [id])

            #expect(try await store.post("/_store/transactions/\(id)/refund").status == 200)
            let refunds = try await app.getRefundHistory(anyTransactionId: id)
            #expect(try refunds.signedTransactions.map { try store.transaction($0).transactionId } == [id])
            #expect(!refunds.hasMore)
            let older = try await app.getRefundHistoryV1(originalTransactionId: id)
            let refunded = try store.transaction(try #require(older.signedTransactions.first))
            #expect(refunded.transactionId == id && refunded.revocationDate == RunningStore.start)
        }
        #expect(missing(Self.purchaseUpdates, in: made) == [])
    }

    /// Sends consumption information in both forms, which are accepted without an answer.
    private func sendConsumptionInformation(about id: String, with app: AppStoreServerAPIClient.App) async throws {
        let current = try await app.sendConsumptionInformation(
            transactionId: id,
            ConsumptionRequest(
                customerConsented: true,
                deliveryStatus: .delivered,
                sampleContentProvided: false,
                consumptionPercentage: 50_000,
                refundPreference: .decline
            )
        )
        #expect(current.response.status == 202 && current.response.body.isEmpty)
        let older = try await app.sendConsumptionInformationV1(
            transactionId: id,
            ConsumptionRequestV1(
                customerConsented: true,
                consumptionStatus: .partiallyConsumed,
                platform: .apple,
                sampleContentProvided: false,
                deliveryStatus: .deliveredAndWorking,
                appAccountToken: "",
                accountTenure: .upTo3Days,
                playTime: .upTo5Minutes,
                lifetimeDollarsRefunded: .zero,
                lifetimeDollarsPurchased: .under50,
                userStatus: .active
            )
        )
        #expect(older.response.status == 202 && older.response.body.isEmpty)
    }
}
