import AppStoreModel
import LocalAppStore

// The JSON of the engine's values in the answers of `/_store`: camelCase, milliseconds since 1970, omitted if not set.

extension JSONObject {
    /// Adds the members that have a value.
    fileprivate mutating func add(_ optional: [(String, JSONValue?)]) {
        for (key, value) in optional where value != nil { self[key] = value }
    }
}

extension StoreStatus {
    /// The answer of `GET /_store/status`.
    var json: JSONObject {
        [
            "now": .integer(now),
            // A seed above the signed range is still a JSON number.
            "seed": .decimal(String(seed)),
            "environment": .string(environment.rawValue),
            "profile": profile.map { .string($0.rawValue) } ?? .null,
            "accounts": .integer(Int64(accounts)),
            "subscriptions": .integer(Int64(subscriptions)),
            "transactions": .integer(Int64(transactions)),
            "notifications": .integer(Int64(notifications)),
        ]
    }
}

extension LocalAppStore {
    /// The answer of `GET /_store/settings`.
    var settingsJSON: JSONObject {
        var json = settings.json
        json["renewalLeadMilliseconds"] = .integer(renewalLeadMilliseconds)
        return json
    }
}

extension StoreSettings {
    fileprivate var json: JSONObject {
        [
            "gracePeriod": .string(gracePeriod.rawValue),
            "gracePeriodScope": .string(gracePeriodScope.rawValue),
            "sandboxRenewalRate": .string(sandboxRenewalRate.rawValue),
            "defaultStorefront": .string(defaultStorefront),
            "rateLimits": .string(rateLimits.rawValue),
            "massExtensionDelay": .string(massExtensionDelay.iso8601),
            "massExtensionDuration": .string(massExtensionDuration.iso8601),
            "extensionLimit": .string(extensionLimit.rawValue),
            "delaysOriginalPurchaseDate": .bool(delaysOriginalPurchaseDate),
            "notificationVersion": .string(notificationVersion.rawValue),
            "retentionMessagingAccess": .bool(retentionMessagingAccess),
            "realtimeDeadlineMilliseconds": .integer(realtimeDeadlineMilliseconds),
        ]
    }
}

extension AccountReport {
    /// The account, as in the answer that creates it.
    var identityJSON: JSONObject {
        [
            "accountId": .string(accountId),
            "storefront": .string(storefront),
            "appTransactionId": .string(appTransactionId),
        ]
    }

    var json: JSONObject {
        var json = identityJSON
        var card: JSONObject = ["state": .string(payment.rawValue)]
        card.add([("recoversAfter", recoversAfter.map { JSONValue.integer(Int64($0)) })])
        json["payment"] = .object(card)
        json["purchaseBehaviour"] = .string(purchaseBehaviour.rawValue)
        json["familyMembers"] = .array(familyMembers.map { .string($0) })
        json["subscriptions"] = .array(subscriptions.map { .object($0.json) })
        json["transactions"] = .array(transactions.map { .object($0.json) })
        return json
    }
}

extension AccountPage {
    var json: JSONObject {
        var json: JSONObject = ["accounts": .array(accounts.map { .object($0.json) })]
        json.add([("nextCursor", nextCursor?.jsonValue)])
        return json
    }
}

extension SubscriptionReport {
    var json: JSONObject {
        var json: JSONObject = [
            "originalTransactionId": .string(originalTransactionId),
            "subscriptionGroupIdentifier": .string(subscriptionGroupIdentifier),
            "productId": .string(productId),
            "autoRenewProductId": .string(autoRenewProductId),
            "autoRenewStatus": autoRenewStatus.jsonValue,
            "status": status.jsonValue,
            "originalPurchaseDate": .integer(originalPurchaseDate),
            "purchaseDate": .integer(purchaseDate),
            "expiresDate": .integer(expiresDate),
            "isInBillingRetryPeriod": .bool(isInBillingRetryPeriod),
            "price": .integer(price),
            "currency": .string(currency),
            "inAppOwnershipType": inAppOwnershipType.jsonValue,
        ]
        json.add([
            ("gracePeriodExpiresDate", gracePeriodExpiresDate?.jsonValue),
            ("expirationIntent", expirationIntent?.jsonValue),
            ("revocationDate", revocationDate?.jsonValue),
            ("renewalPrice", renewalPrice?.jsonValue),
            ("priceIncreaseStatus", priceIncreaseStatus?.jsonValue),
            ("offerType", offerType?.jsonValue),
            ("offerDiscountType", offerDiscountType?.jsonValue),
            ("appAccountToken", appAccountToken?.jsonValue),
        ])
        return json
    }
}

extension TransactionReport {
    var json: JSONObject {
        var json: JSONObject = [
            "transactionId": .string(transactionId),
            "originalTransactionId": .string(originalTransactionId),
            "orderId": .string(orderId),
            "productId": .string(productId),
            "type": type.jsonValue,
            "purchaseDate": .integer(purchaseDate),
            "price": .integer(price),
            "currency": .string(currency),
            "quantity": .integer(Int64(quantity)),
            "transactionReason": transactionReason.jsonValue,
            "isUpgraded": .bool(isUpgraded),
        ]
        json.add([
            ("expiresDate", expiresDate?.jsonValue),
            ("revocationDate", revocationDate?.jsonValue),
            ("offerType", offerType?.jsonValue),
            ("offerDiscountType", offerDiscountType?.jsonValue),
            ("proratedRefund", proratedRefund?.jsonValue),
        ])
        return json
    }
}

extension PurchaseOutcome {
    var json: JSONObject {
        var json: JSONObject = [
            "transactionId": .string(transactionId),
            "originalTransactionId": .string(originalTransactionId),
            "signedTransactionInfo": .string(signedTransactionInfo),
        ]
        json.add([("signedRenewalInfo", signedRenewalInfo?.jsonValue)])
        return json
    }
}

extension NotificationRecord {
    var json: JSONObject {
        var json: JSONObject = [
            "notificationUUID": .string(notificationUUID),
            "notificationType": notificationType.jsonValue,
        ]
        json.add([
            ("subtype", subtype?.jsonValue),
            ("originalTransactionId", originalTransactionId?.jsonValue),
            ("status", status?.jsonValue),
        ])
        json["signedDate"] = .integer(signedDate)
        switch body {
        case .version1(let bytes):
            json["version"] = .string(body.version.rawValue)
            json["body"] = (try? JSONParser.parse(bytes)) ?? .null
        case .version2(let signedPayload): json["signedPayload"] = .string(signedPayload)
        }
        json["attempts"] = .array(attempts.map(\.jsonValue))
        return json
    }
}

extension NotificationPage {
    var json: JSONObject {
        var json: JSONObject = ["notifications": .array(notifications.map { .object($0.json) })]
        json.add([("nextCursor", nextCursor?.jsonValue)])
        return json
    }
}

extension UnfinishedPage {
    var json: JSONObject {
        let transactions = transactions.map { transaction -> JSONValue in
            [
                "transactionId": .string(transaction.transactionId),
                "productId": .string(transaction.productId),
                "type": transaction.type.jsonValue,
                "signedTransactionInfo": .string(transaction.signedTransactionInfo),
            ]
        }
        var json: JSONObject = ["transactions": .array(transactions)]
        json.add([("nextCursor", nextCursor?.jsonValue)])
        return json
    }
}

extension CustomerMail {
    var json: JSONObject {
        var json: JSONObject = [
            "kind": .string(kind.rawValue),
            "sentAt": .integer(sentAt),
            "originalTransactionId": .string(originalTransactionId),
            "productId": .string(productId),
        ]
        json.add([("expiresDate", expiresDate?.jsonValue), ("price", price?.jsonValue)])
        return json
    }
}

extension Follower {
    /// The registration without its secret.
    var json: JSONObject {
        ["followerId": .string(id), "settleUrl": .string(settleURL)]
    }
}

extension AdvanceReport {
    func json(now: Int64) -> JSONObject {
        [
            "now": .integer(now),
            "steps": .integer(Int64(steps)),
            "notifications": ["sent": .integer(Int64(sent)), "failed": .integer(Int64(failed))],
            "followers": ["settled": .integer(Int64(settled)), "lost": .array(lost.map { .string($0) })],
        ]
    }
}
