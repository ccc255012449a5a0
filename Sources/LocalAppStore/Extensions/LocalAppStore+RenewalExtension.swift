public import AppStoreModel

extension LocalAppStore {
    /// The time window for counting extensions, milliseconds.
    private static let extensionCountWindow = 365 * Milliseconds.day

    /// Extends the current period by days; renewals follow the new date.
    ///
    /// Each call counts: Apple does not document repeated request identifiers here.
    ///
    /// - Source: App Store Server API, Extend a Subscription Renewal Date.
    /// - Throws: One of `AppStoreServerCall.extendSubscriptionRenewalDate.errors`.
    public mutating func extendRenewalDate(
        originalTransactionId: String,
        request: ExtendRenewalDateRequest
    ) throws(AppStoreServerAPIError) -> ExtendRenewalDateResponse {
        try IdentifierForm.check(originalTransactionId, orThrow: .invalidOriginalTransactionId)
        do throws(ModelError) { try request.validate() } catch { throw .inExtension(error) }
        guard let index = ledger.subscription(originalTransactionId: originalTransactionId) else {
            throw .originalTransactionIdNotFound
        }
        if let refusal = extensionRefusal(of: index) { throw refusal }
        extend(index, byDays: request.extendByDays)
        do { try settle() } catch { throw .generalInternal }
        let latest = ledger[ledger[index].latest]
        return ExtendRenewalDateResponse(
            originalTransactionId: originalTransactionId,
            success: true,
            webOrderLineItemId: latest.webOrderLineItemId,
            effectiveDate: latest.expiresDate
        )
    }

    /// Why a subscription's renewal date cannot be extended; `nil` if it can.
    ///
    /// - Source: App Store Server API, Extending the renewal date for auto-renewable subscriptions.
    func extensionRefusal(of index: LedgerIndex<Subscription>) -> AppStoreServerAPIError? {
        let latest = ledger[ledger[index].latest]
        switch latest.ownership {
        case .familyShared: return .familySharedSubscriptionExtensionIneligible
        case .assigned: return .assignedSubscriptionExtensionIneligible
        default: break
        }
        let isFree = ledger[runningBeforeNext(of: index) ?? latest.index].price == 0
        guard ledger[index].state == .active, !isFree, let expiresDate = latest.expiresDate, expiresDate > now else {
            return .subscriptionExtensionIneligible
        }
        return recentExtensions(of: index) < ExtendRenewalDateRequest.extensionsPerYearMax
            ? nil : .subscriptionMaxExtension
    }

    /// The number of extensions that count against the limit of a subscription.
    private func recentExtensions(of index: LedgerIndex<Subscription>) -> Int {
        let counted =
            switch settings.extensionLimit {
            case .customer: ledger[ledger[index].account].subscriptions
            case .subscription: [index]
            }
        return counted.reduce(0) { count, subscription in
            let dates = ledger.extensionDates[subscription] ?? []
            return count + dates.count(where: { $0 > now - Self.extensionCountWindow })
        }
    }

    /// Moves the end of the current period, and announces it.
    mutating func extend(_ index: LedgerIndex<Subscription>, byDays days: Int32) {
        let actions = machine(of: index).extend(by: extensionLength(days: days))
        apply(actions, to: index)
    }

    /// The extension of a renewal date by a number of days, in milliseconds.
    private func extensionLength(days: Int32) -> Int64 {
        switch configuration.profile {
        case .sandboxExtensionRoundsToZero: 0
        default: pace?.extensionLength(days: days) ?? Int64(days) * Milliseconds.day
        }
    }
}

extension ExtendRenewalDateRequest {
    /// Reads the body of Extend a Subscription Renewal Date.
    ///
    /// - Throws: Apple's error for the invalid field.
    public init(appleBody json: JSONObject) throws(AppStoreServerAPIError) {
        try self.init(appleBody: json, orThrow: AppStoreServerAPIError.inExtension)
    }
}

extension AppStoreServerAPIError {
    /// The error of an invalid field of a single or mass extension.
    static func inExtension(_ fault: ModelError) -> AppStoreServerAPIError {
        switch fault.field {
        case "extendByDays": .invalidExtendByDays
        case "extendReasonCode": .invalidExtendReasonCode
        case "requestIdentifier": .invalidRequestIdentifier
        case "productId": .invalidProductId
        case "storefrontCountryCodes":
            fault.code == .ruleBroken && fault.path == fault.field
                ? .invalidEmptyStorefrontCountryCodeList : .invalidStorefrontCountryCode
        default: .generalBadRequest
        }
    }
}
