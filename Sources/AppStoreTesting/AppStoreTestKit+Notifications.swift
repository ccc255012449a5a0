public import AppStoreModel
public import AppStoreSigning

extension AppStoreTestKit {
    /// A signed notification whose inner data fits its type and subtype.
    ///
    /// The purchase is in it as it is given; only a revocation is added, or taken away, where the type says so. Status
    /// and renewal information follow from the type: a failed renewal is in billing retry, an expired subscription has
    /// its reason, and so on. The notification is signed now, or when its event happens if that is later.
    ///
    /// - Parameters:
    ///   - type: The event.
    ///   - subtype: What kind of its type.
    ///   - purchase: The transaction that the event is about; without one, a purchase that fits is made up.
    ///   - adjust: Changes any field of the notification and of what is signed into it.
    /// - Throws: `signing_failed` when the cryptographic library refuses.
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

    /// The notification with the one of its five objects that its type has.
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

    /// A purchase to which the event may happen now.
    private func pastPurchase(for scenario: NotificationScenario) -> JWSTransactionDecodedPayload {
        let product = scenario.defaultProduct
        let age: Int64 = product.type == .autoRenewableSubscription ? scenario.age : 0
        let first = purchase(of: product.id, type: product.type, at: now.subtracting(age))
        return scenario.isRenewal ? nextPeriod(after: first) : first
    }

    /// Puts a purchase into the notification as the event leaves it.
    ///
    /// - Returns: When the event happens: now, or when the period ends or begins if that is later.
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
    /// Dates everything in it that is signed.
    fileprivate mutating func date(_ signedDate: Int64) {
        notification.signedDate = signedDate
        transaction?.signedDate = signedDate
        renewalInfo?.signedDate = signedDate
        appTransaction?.receiptCreationDate = signedDate
    }
}

// MARK: - The five objects

extension AppStoreTestKit {
    /// Only production notifications name the app's number.
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
        // The prefix is the only hint at the token's environment.
        let prefix = app.environment == .production ? "" : "SANDBOX_"
        return ExternalPurchaseToken(
            externalPurchaseId: prefix + nextUUID(),
            bundleId: app.bundleId,
            tokenCreationDate: now,
            appAppleId: app.appAppleId
        )
    }

    /// Seats to be released.
    ///
    /// Apple does not document where this notification names the app; here it stands beside the seats.
    private func unclaimInfo() -> UnclaimInfo {
        var fields: JSONObject = [
            "bundleId": .string(app.bundleId), "environment": .string(app.environment.rawValue),
        ]
        if let number = productionAppAppleId { fields["appAppleId"] = .integer(number) }
        return UnclaimInfo(unclaimSeatIds: [nextUUID()], unknownFields: fields)
    }
}
