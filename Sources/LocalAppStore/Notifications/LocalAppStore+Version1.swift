import AppStoreModel
import AppStoreSigning

// App Store Server Notifications V1: plain JSON with the shared secret and a receipt.

extension LocalAppStore {
    /// The maximum number of transactions in a version 1 notification.
    private static let version1TransactionsMax = 100

    /// Creates the version 1 notifications about a transaction: one, two, or none.
    mutating func announceVersion1(
        _ type: NotificationType,
        _ subtype: NotificationSubtype?,
        transaction index: LedgerIndex<Transaction>
    ) {
        let event = version1Event(type, subtype, transaction: index)
        remember(event, of: index)
        let isFamilyMember = ledger[index].ownership != .purchased
        for sent in event.types where sent.isSent(toFamilyMember: isFamilyMember, in: configuration.environment) {
            announcements.append(
                Announcement(
                    type: NotificationType(rawValue: sent.rawValue),
                    subtype: nil,
                    notificationUUID: identifiers.nextUUID(),
                    signedDate: now,
                    transaction: nil,
                    renewalInfo: nil,
                    status: nil,
                    version1: Version1Announcement(
                        account: ledger[index].account,
                        originalTransactionId: ledger[index].originalTransactionId,
                        body: .object(version1Body(sent, transaction: index))
                    )
                )
            )
        }
    }

    /// A notification with a current receipt.
    ///
    /// - Throws: `signing_failed`.
    func version1Record(_ announcement: Announcement, _ content: Version1Announcement) throws(StoreError)
        -> NotificationRecord
    {
        var body = content.body.objectValue ?? JSONObject()
        if makesReceipts, var unified = body["unified_receipt"]?.objectValue {
            unified["latest_receipt"] = .string(try mint(receiptContent(of: content.account)))
            body["unified_receipt"] = .object(unified)
        }
        return NotificationRecord(
            notificationUUID: announcement.notificationUUID,
            notificationType: announcement.type,
            subtype: nil,
            originalTransactionId: content.originalTransactionId,
            signedDate: announcement.signedDate,
            createdAt: now,
            status: nil,
            body: .version1(json: body.serialize()),
            attempts: []
        )
    }

    private func version1Event(
        _ type: NotificationType,
        _ subtype: NotificationSubtype?,
        transaction index: LedgerIndex<Transaction>
    ) -> Version1Event {
        let transaction = ledger[index]
        var event = Version1Event(type: type, subtype: subtype, productType: transaction.type)
        guard let subscription = transaction.subscription else { return event }
        let before = ledger[transaction.account].transactions.last { position in
            position != index && ledger[position].subscription == subscription
        }
        event.isSameProduct = before.map { ledger[$0].productId == transaction.productId } ?? true
        event.endsSubscription = ledger[subscription].latest == index && !ledger[subscription].isLive
        event.wasAskedForConsent = ledger.prices.overrides[subscription]?.increase?.needsConsent ?? false
        return event
    }

    private mutating func remember(_ event: Version1Event, of index: LedgerIndex<Transaction>) {
        guard let subscription = ledger[index].subscription else { return }
        let isOn = ledger[subscription].isAutoRenewOn
        let isChange = event.type == .didChangeRenewalStatus
        var memory = ledger.receipts.version1[subscription] ?? Version1Memory(isAutoRenewOn: isChange ? !isOn : isOn)
        if memory.isAutoRenewOn != isOn {
            memory.isAutoRenewOn = isOn
            memory.changeDate = now
        }
        ledger.receipts.version1[subscription] = memory
    }

    /// The body without the receipt.
    ///
    /// - Source: App Store Server Notifications V1, `responseBodyV1`.
    private func version1Body(_ type: Version1Type, transaction index: LedgerIndex<Transaction>) -> JSONObject {
        var json: JSONObject = [
            "notification_type": .string(type.rawValue),
            "environment": configuration.environment == .production ? "PROD" : "Sandbox",
            "password": .string(sharedSecret),
            "bid": .string(configuration.bundleId),
            "bvrs": .string(configuration.bundleVersion),
            "deprecation": .string(Self.receiptsDeprecation),
        ]
        json["original_transaction_id"] = Int64(ledger[index].originalTransactionId).map { .integer($0) }
        if let subscription = ledger[index].subscription {
            let renewal = renewalPayload(of: subscription, signedDate: now)
            let adamId = StoreIdentifier.adamId(ofProduct: renewal.autoRenewProductId)
            json["auto_renew_adam_id"] = .string(String(adamId))
            json["auto_renew_product_id"] = .string(renewal.autoRenewProductId)
            json["auto_renew_status"] = .string(String(renewal.autoRenewStatus == .on))
            json.addDate("auto_renew_status_change_date", ledger.receipts.version1[subscription]?.changeDate)
            json["expiration_intent"] = renewal.expirationIntent.map { .integer(Int64($0.rawValue)) }
        }
        json["unified_receipt"] = [
            "environment": .string(configuration.environment.rawValue),
            "latest_receipt_info": .array(version1Transactions(about: index)),
            "pending_renewal_info": .array(pendingRenewalInfo(of: ledger[index].account)),
            "status": .integer(VerifyReceiptStatus.valid.rawValue),
        ]
        return json
    }

    /// The newest transactions of the customer, newest first, including the one of the notification.
    private func version1Transactions(about index: LedgerIndex<Transaction>) -> [JSONValue] {
        var newest = Array(receiptTransactions(of: ledger[index].account).suffix(Self.version1TransactionsMax))
        if !newest.contains(index) {
            newest = [index] + newest.suffix(Self.version1TransactionsMax - 1)
        }
        return newest.reversed().map { .object(latestReceiptInfo(of: $0)) }
    }
}
