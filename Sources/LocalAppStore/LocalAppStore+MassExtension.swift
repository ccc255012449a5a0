public import AppStoreModel

extension LocalAppStore {
    /// Accepts an order to extend the renewal date of everybody who is subscribed to a product.
    ///
    /// It is carried out after the settings' `massExtensionDelay`. An identifier that was accepted before is accepted
    /// again, and changes nothing.
    ///
    /// - Source: App Store Server API, Extend Subscription Renewal Dates for All Active Subscribers.
    /// - Throws: 4000009 to 4000011, 4000023, 4000027, 4000028.
    public mutating func extendRenewalDates(
        request: MassExtendRenewalDateRequest
    ) throws(AppStoreServerAPIError) -> MassExtendRenewalDateResponse {
        do throws(ModelError) { try request.validate() } catch { throw .inExtension(error) }
        guard catalog.products[request.productId]?.terms != nil else { throw .invalidProductId }
        for country in request.storefrontCountryCodes ?? [] where Storefront.named(country) == nil {
            throw .invalidStorefrontCountryCode
        }
        if massExtensions.place(of: request.requestIdentifier) == nil {
            let place = massExtensions.append(
                MassExtension(
                    requestIdentifier: request.requestIdentifier,
                    productId: request.productId,
                    days: request.extendByDays,
                    storefronts: request.storefrontCountryCodes
                )
            )
            schedule.push(.massExtension(place), dueAt: settings.massExtensionDelay.added(to: now))
        }
        return MassExtendRenewalDateResponse(requestIdentifier: request.requestIdentifier)
    }

    /// How far a mass extension is.
    ///
    /// - Source: App Store Server API, Get Status of Subscription Renewal Date Extensions.
    /// - Throws: 4000011, 4000023, 4040009.
    public func massExtensionStatus(
        productId: String,
        requestIdentifier: String
    ) throws(AppStoreServerAPIError) -> MassExtendRenewalDateStatusResponse {
        let length = requestIdentifier.unicodeScalars.count
        guard (1...ExtendRenewalDateRequest.requestIdentifierLengthMax).contains(length) else {
            throw .invalidRequestIdentifier
        }
        guard let place = massExtensions.place(of: requestIdentifier),
            massExtensions[place].productId == productId
        else {
            throw catalog.products[productId]?.terms == nil ? .invalidProductId : .statusRequestNotFound
        }
        let outcome = massExtensions[place].outcome
        return MassExtendRenewalDateStatusResponse(
            requestIdentifier: requestIdentifier,
            complete: outcome != nil,
            completeDate: outcome?.date,
            succeededCount: outcome?.succeeded,
            failedCount: outcome?.failed
        )
    }

    /// Extends every subscription that can be, tells of each that cannot, and sums up.
    ///
    /// Everybody counts who is subscribed to the product now and bought it; family members follow their purchaser.
    mutating func carryOutMassExtension(_ place: Int) {
        let order = massExtensions[place]
        var outcome = MassExtension.Outcome(date: now)
        for offset in ledger.subscriptions.indices {
            let index = LedgerIndex<Subscription>(offset: offset)
            guard concerns(order, index) else { continue }
            if extensionRefusal(of: index) == nil {
                extend(index, byDays: order.days)
                outcome.succeeded += 1
            } else {
                announce(.renewalExtension, .failure, transaction: ledger[index].latest)
                outcome.failed += 1
            }
        }
        massExtensions[place].outcome = outcome
        announceSummary(of: order, outcome)
    }

    private func concerns(_ order: MassExtension, _ index: LedgerIndex<Subscription>) -> Bool {
        let subscription = ledger[index]
        guard subscription.productId == order.productId, subscription.isLive,
            ledger[subscription.latest].ownership == .purchased
        else { return false }
        return order.storefronts?.contains(ledger[subscription.account].storefront.country) ?? true
    }

    private mutating func announceSummary(of order: MassExtension, _ outcome: MassExtension.Outcome) {
        guard !isSilent, settings.notificationVersion == .v2 else { return }
        announcements.append(
            Announcement(
                type: .renewalExtension,
                subtype: .summary,
                notificationUUID: identifiers.nextUUID(),
                signedDate: now,
                transaction: nil,
                renewalInfo: nil,
                status: nil,
                summary: NotificationSummary(
                    environment: configuration.environment,
                    bundleId: configuration.bundleId,
                    requestIdentifier: order.requestIdentifier,
                    appAppleId: publishedAppAppleId,
                    productId: order.productId,
                    storefrontCountryCodes: order.storefronts,
                    succeededCount: outcome.succeeded,
                    failedCount: outcome.failed
                )
            )
        )
    }
}

extension MassExtendRenewalDateRequest {
    /// Reads the body of Extend Subscription Renewal Dates for All Active Subscribers.
    ///
    /// - Throws: 4000000, 4000009 to 4000011, 4000023, 4000028.
    public init(appleBody json: JSONObject) throws(AppStoreServerAPIError) {
        try self.init(appleBody: json, orThrow: AppStoreServerAPIError.inExtension)
    }
}
