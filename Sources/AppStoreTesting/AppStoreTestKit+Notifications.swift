public import AppStoreModel
public import AppStoreSigning

extension AppStoreTestKit {
    /// A signed notification whose inner data matches its type and subtype.
    ///
    /// The given purchase is used unchanged, except that a revocation is added or removed if the type requires it.
    /// Status and renewal information follow from the type: a failed renewal is in billing retry, an expired
    /// subscription has its reason, and so on. The notification is signed now, or at its event if that is later.
    ///
    /// - Parameters:
    ///   - type: The event.
    ///   - subtype: The subtype.
    ///   - purchase: The transaction of the event; the default is a new matching purchase.
    ///   - adjust: Changes any field of the notification and of its inner payloads.
    /// - Throws: `signing_failed` if the cryptographic library fails.
    public func notification(
        _ type: NotificationType,
        _ subtype: NotificationSubtype? = nil,
        about purchase: Minted<JWSTransactionDecodedPayload>? = nil,
        adjust: (inout NotificationDraft) -> Void = { _ in }
    ) throws(SigningError) -> MintedNotification {
        var draft = draft(type, subtype, about: purchase?.payload)
        adjust(&draft)
        let transaction = try signed(draft.transaction)
        let renewalInfo = try signed(draft.renewalInfo)
        let appTransaction = try signed(draft.appTransaction)
        if let transaction { draft.notification.data?.signedTransactionInfo = transaction.jws }
        if let renewalInfo { draft.notification.data?.signedRenewalInfo = renewalInfo.jws }
        if let appTransaction { draft.notification.appData?.signedAppTransactionInfo = appTransaction.jws }
        return MintedNotification(
            envelope: try sign(draft.notification),
            transaction: transaction,
            renewalInfo: renewalInfo,
            appTransaction: appTransaction
        )
    }

    private func signed<Payload: JSONRepresentable>(_ payload: Payload?) throws(SigningError) -> Minted<Payload>? {
        guard let payload else { return nil }
        return try sign(payload)
    }

    /// The notification with the data object of its type, one of five.
    private func draft(
        _ type: NotificationType,
        _ subtype: NotificationSubtype?,
        about purchase: JWSTransactionDecodedPayload?
    ) -> NotificationDraft {
        var eventDate = now
        var draft = NotificationDraft(
            notification: ResponseBodyV2DecodedPayload(
                notificationType: type,
                notificationUUID: nextUUID(),
                version: "2.0",
                signedDate: eventDate,
                subtype: subtype
            )
        )
        switch (type, subtype) {
        case (.test, _):
            draft.notification.data = data()
        case (.renewalExtension, .summary?):
            draft.notification.summary = summary(about: purchase)
        case (.externalPurchaseToken, _):
            draft.notification.externalPurchaseToken = externalPurchaseToken()
        case (.rescindConsent, _):
            draft.appTransaction = download()
            draft.notification.appData = NotificationAppData(
                bundleId: app.bundleId,
                environment: app.environment,
                appAppleId: productionAppAppleId
            )
        case (.unclaimSeats, _):
            draft.notification.unclaimInfo = unclaimInfo()
        default:
            draft.notification.data = data()
            let scenario = NotificationScenario(type: type, subtype: subtype)
            eventDate = apply(scenario, about: purchase ?? pastPurchase(for: scenario), in: &draft)
        }
        draft.date(nextSignedDate(notBefore: eventDate))
        return draft
    }

    /// A purchase for which the event is possible now.
    private func pastPurchase(for scenario: NotificationScenario) -> JWSTransactionDecodedPayload {
        let product = scenario.defaultProduct
        let age: Int64 = product.type == .autoRenewableSubscription ? scenario.age : 0
        let first = purchase(of: product.id, type: product.type, at: now.subtracting(age))
        return scenario.isRenewal ? nextPeriod(after: first) : first
    }

    /// Adds a purchase in its state after the event.
    ///
    /// - Returns: When the event happens: now, or at the start or end of the period if that is later.
    private func apply(
        _ scenario: NotificationScenario,
        about purchase: JWSTransactionDecodedPayload,
        in draft: inout NotificationDraft
    ) -> Int64 {
        var transaction = purchase
        let date = max(now, transaction.purchaseDate, scenario.isOver ? transaction.expiresDate ?? now : now)
        if transaction.type == .autoRenewableSubscription {
            var renewalInfo = prospect(of: transaction)
            scenario.apply(to: &transaction, &renewalInfo, at: date)
            draft.renewalInfo = renewalInfo
            draft.notification.data?.status = scenario.status
        } else {
            scenario.apply(to: &transaction, at: date)
        }
        draft.transaction = transaction
        if scenario.type == .consumptionRequest {
            draft.notification.data?.consumptionRequestReason = .unintendedPurchase
        }
        return date
    }
}

extension NotificationDraft {
    /// Sets the dates of all signed parts.
    fileprivate mutating func date(_ signedDate: Int64) {
        notification.signedDate = signedDate
        transaction?.signedDate = signedDate
        renewalInfo?.signedDate = signedDate
        appTransaction?.receiptCreationDate = signedDate
    }
}

// MARK: - The five objects

extension AppStoreTestKit {
    /// Only production notifications contain the app's Apple ID.
    private var productionAppAppleId: Int64? {
        app.environment == .production ? app.appAppleId : nil
    }

    private func data() -> NotificationData {
        NotificationData(
            bundleId: app.bundleId,
            environment: app.environment,
            appAppleId: productionAppAppleId,
            bundleVersion: "1"
        )
    }

    private func summary(about purchase: JWSTransactionDecodedPayload?) -> NotificationSummary {
        NotificationSummary(
            environment: app.environment,
            bundleId: app.bundleId,
            requestIdentifier: nextUUID(),
            appAppleId: productionAppAppleId,
            productId: purchase?.productId ?? "pro.monthly",
            succeededCount: 1,
            failedCount: 0
        )
    }

    private func externalPurchaseToken() -> ExternalPurchaseToken {
        // The prefix is the only indication of the token's environment.
        let prefix = app.environment == .production ? "" : "SANDBOX_"
        return ExternalPurchaseToken(
            externalPurchaseId: prefix + nextUUID(),
            bundleId: app.bundleId,
            tokenCreationDate: now,
            appAppleId: app.appAppleId
        )
    }

    /// Seats to release.
    ///
    /// Apple does not document the position of the app in this notification; here it is beside the seats.
    private func unclaimInfo() -> UnclaimInfo {
        var fields: JSONObject = [
            "bundleId": .string(app.bundleId), "environment": .string(app.environment.rawValue),
        ]
        if let number = productionAppAppleId { fields["appAppleId"] = .integer(number) }
        return UnclaimInfo(unclaimSeatIds: [nextUUID()], unknownFields: fields)
    }
}
