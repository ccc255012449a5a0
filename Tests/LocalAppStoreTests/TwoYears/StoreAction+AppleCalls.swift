import AppStoreModel
import LocalAppStore

extension StoreAction {
    static let appleCalls: [StoreAction] = [
        StoreAction("transactionInfo", endpoint: .getTransactionInfo) { driver in
            let id = try driver.anyTransaction()
            return try driver.store.transactionInfo(transactionId: id).line
        },
        StoreAction("subscriptionStatuses", copies: 2, endpoint: .getAllSubscriptionStatuses) { driver in
            let id = try driver.anyTransaction()
            return try driver.store.subscriptionStatuses(anyTransactionId: id).line
        },
        StoreAction("transactionHistory", copies: 2, endpoint: .getTransactionHistory) { driver in
            let id = try driver.anyTransaction()
            let query = HistoryQuery(sort: try driver.pick([.ascending, .descending]))
            return try driver.store.transactionHistory(anyTransactionId: id, query: query).line
        },
        StoreAction("transactionHistory: version 1", endpoint: .getTransactionHistoryV1) { driver in
            let id = try driver.anyTransaction()
            return try driver.store.transactionHistory(
                anyTransactionId: id,
                includesFinishedConsumables: false
            ).line
        },
        StoreAction("finish", endpoint: .finishTransaction) { driver in
            let id = try driver.buy("coins", for: try driver.newAccount()).transactionId
            try driver.store.finish(transactionId: id)
            return id
        },
        StoreAction("lookUpOrder", endpoint: .lookUpOrderID) { driver in
            let order = try driver.transaction { _ in true }.orderId
            return try driver.store.lookUpOrder(order)?.line ?? "no such call"
        },
        StoreAction("refundHistory", endpoint: .getRefundHistory) { driver in
            let id = try driver.transaction { $0.revocationDate != nil }.transactionId
            return try driver.store.refundHistory(anyTransactionId: id).line
        },
        StoreAction("refundHistoryV1", endpoint: .getRefundHistoryV1) { driver in
            let id = try driver.transaction { $0.revocationDate != nil }.originalTransactionId
            return try driver.store.refundHistoryV1(originalTransactionId: id).line
        },
        StoreAction("requestTestNotification", endpoint: .requestTestNotification) { driver in
            let token = try driver.store.requestTestNotification().testNotificationToken
            try driver.deliver()
            guard let status = try? driver.store.testNotificationStatus(token: token) else {
                return "\(token) has no attempt yet"
            }
            return status.line
        },
        StoreAction("verifyReceipt", copies: 2) { driver in
            let accountId = try driver.pick(driver.accountIds)
            let receipt = try driver.store.appReceipt(accountId: accountId)
            let request = VerifyReceiptRequest(
                receiptData: receipt,
                password: driver.store.sharedSecret,
                excludesOldTransactions: driver.occurs(oneOf: 2)
            )
            let answer = ReceiptContent.replacingReceipts(in: driver.store.verifyReceipt(request))
            return "\(try ReceiptContent.of(receipt)) \(String(decoding: answer.serialize(), as: UTF8.self))"
        },
        StoreAction("verifyReceipt: of one transaction") { driver in
            let id = try driver.buy("coins", for: try driver.newAccount()).transactionId
            let receipt = try driver.store.transactionReceipt(transactionId: id)
            let answer = driver.store.verifyReceipt(VerifyReceiptRequest(receiptData: receipt))
            return String(decoding: answer.serialize(), as: UTF8.self)
        },
        StoreAction("read: what changes nothing", copies: 3) { driver in try driver.reading() },
    ]
}

extension TwoYearsDriver {
    /// A paid transaction of a random account.
    fileprivate mutating func anyTransaction() throws -> String {
        try transaction { _ in true }.transactionId
    }

    /// The answers of calls that change nothing, about a random account.
    fileprivate mutating func reading() throws -> String {
        let accountId = try pick(accountIds)
        let id = try anyTransaction()
        let history = NotificationHistoryRequest(startDate: max(0, store.now - 5 * dayLength), endDate: store.now)
        let mail = try store.mail(accountId: accountId).map { "\($0.kind.rawValue) \($0.sentAt) \($0.price ?? 0)" }
        let tokens = try store.externalPurchaseTokens(accountId: accountId).map(\.externalPurchaseId)
        let pending = try store.pendingPurchases(accountId: accountId).map(\.pendingPurchaseId)
        let codes = try store.offerCodes(productId: "silver").flatMap { store.codes(of: $0) }
        return [
            try store.notificationHistory(history).line, try store.appTransactionInfo(anyTransactionId: id).line,
            try store.customerGroups(anyTransactionId: id)?.line ?? "-", mail.joined(separator: ", "),
            tokens.joined(separator: ", "), pending.joined(separator: ", "), codes.joined(separator: ", "),
        ].joined(separator: "\n")
    }
}
