public import AppStoreModel
import PerennialPrimitives

extension LocalAppStore {
    /// Accepts an order to extend the renewal dates of all active subscribers to a product.
    ///
    /// It starts after the settings' `massExtensionDelay` and takes their `massExtensionDuration`. A repeated request
    /// identifier is accepted without effect. It must be a UUID.
    ///
    /// - Source: App Store Server API, Extend Subscription Renewal Dates for All Active Subscribers, and
    ///   InvalidRequestIdentifierError.
    /// - Throws: One of `AppStoreServerCall.extendSubscriptionRenewalDatesForAllActiveSubscribers.errors`.
    public mutating func extendRenewalDates(
        request: MassExtendRenewalDateRequest
    ) throws(AppStoreServerAPIError) -> MassExtendRenewalDateResponse {
        do throws(ModelError) { try request.validate() } catch { throw .inExtension(error) }
        guard catalog.products[request.productId]?.terms != nil else { throw .invalidProductId }
        for country in request.storefrontCountryCodes ?? [] where Storefront.named(country) == nil {
            throw .invalidStorefrontCountryCode
        }
        if massExtensions.position(of: request.requestIdentifier) == nil {
            let position = massExtensions.append(
                MassExtension(
                    requestIdentifier: request.requestIdentifier,
                    productId: request.productId,
                    days: request.extendByDays,
                    storefronts: request.storefrontCountryCodes
                )
            )
            schedule.push(.massExtension(position), dueAt: settings.massExtensionDelay.added(to: now))
        }
        return MassExtendRenewalDateResponse(requestIdentifier: request.requestIdentifier)
    }

    /// The progress of a mass extension.
    ///
    /// An identifier that is no UUID is refused, except that of an order in the file of an earlier version.
    ///
    /// - Source: App Store Server API, Get Status of Subscription Renewal Date Extensions, and
    ///   InvalidRequestIdentifierError.
    /// - Throws: One of `AppStoreServerCall.getStatusOfSubscriptionRenewalDateExtensions.errors`.
    public func massExtensionStatus(
        productId: String,
        requestIdentifier: String
    ) throws(AppStoreServerAPIError) -> MassExtendRenewalDateStatusResponse {
        guard let position = massExtensions.position(of: requestIdentifier),
            massExtensions[position].productId == productId
        else {
            guard requestIdentifier.isUUID else { throw .invalidRequestIdentifier }
            throw catalog.products[productId]?.terms == nil ? .invalidProductId : .statusRequestNotFound
        }
        let run = massExtensions[position].run.flatMap { $0.completedAt == nil ? nil : $0 }
        return MassExtendRenewalDateStatusResponse(
            requestIdentifier: requestIdentifier,
            complete: run != nil,
            completeDate: run?.completedAt,
            succeededCount: run?.succeeded,
            failedCount: run?.failed
        )
    }

    /// Executes the next step of an order: extends a part of the subscriptions, and announces the summary after the
    /// last.
    ///
    /// The order covers everyone who bought the product and is subscribed when it starts; family members follow their
    /// purchaser. Only eligible subscriptions are attempted, and an attempt fails at the extension limit.
    mutating func carryOutMassExtension(_ position: Int) {
        let order = massExtensions[position]
        var run = order.run ?? MassExtension.Run(startedAt: now, subscriptions: subscriptions(for: order))
        for index in run.subscriptions[run.done..<run.nextEnd] where concerns(order, index) {
            switch extensionRefusal(of: index) {
            case nil:
                extend(index, byDays: order.days)
                run.succeeded += 1
            case .subscriptionMaxExtension:
                announce(.renewalExtension, .failure, transaction: ledger[index].latest)
                run.failed += 1
            default: break
            }
        }
        (run.done, run.steps) = (run.nextEnd, run.steps + 1)
        if run.steps < run.stepCount {
            let length = settings.massExtensionDuration.added(to: run.startedAt) - run.startedAt
            let next = run.startedAt + length * Int64(run.steps) / Int64(run.stepCount)
            schedule.push(.massExtension(position), dueAt: max(now, next))
        } else {
            run.completedAt = now
            announceSummary(of: order, run)
        }
        massExtensions[position].run = run
    }

    private func subscriptions(for order: MassExtension) -> [LedgerIndex<Subscription>] {
        ledger.subscriptions.indices.map(LedgerIndex<Subscription>.init(offset:)).filter { concerns(order, $0) }
    }

    private func concerns(_ order: MassExtension, _ index: LedgerIndex<Subscription>) -> Bool {
        let subscription = ledger[index]
        guard subscription.productId == order.productId, subscription.isLive,
            ledger[subscription.latest].ownership == .purchased
        else { return false }
        return order.storefronts?.contains(ledger[subscription.account].storefront.country) ?? true
    }

    private mutating func announceSummary(of order: MassExtension, _ run: MassExtension.Run) {
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
                    succeededCount: run.succeeded,
                    failedCount: run.failed
                )
            )
        )
    }
}

extension MassExtendRenewalDateRequest {
    /// Reads the body of Extend Subscription Renewal Dates for All Active Subscribers.
    ///
    /// - Throws: Apple's error for the invalid field.
    public init(appleBody json: JSONObject) throws(AppStoreServerAPIError) {
        try self.init(appleBody: json, orThrow: AppStoreServerAPIError.inExtension)
    }
}
