extension SubscriptionEvent {
    /// What happened.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// Access was given.
        case entitlementGranted = "entitlement.granted"
        /// Access lasts longer.
        case entitlementExtended = "entitlement.extended"
        /// Access ended.
        case entitlementWithdrawn = "entitlement.withdrawn"
        /// A first subscription period.
        case started = "subscription.started"
        /// A period bought by the customer after an earlier one.
        case resubscribed = "subscription.resubscribed"
        /// Another product of the group, bought while a period of the old one ran; in force at once.
        case upgraded = "subscription.upgraded"
        /// The unused part of a period was refunded because another product replaced it.
        case prorated = "subscription.prorated"
        /// A period charged by the store.
        case renewed = "subscription.renewed"
        /// A period charged after a failed charge.
        case recovered = "subscription.recovered"
        /// The store took a period back.
        case refunded = "subscription.refunded"
        /// The store gave a refunded period back.
        case refundReversed = "subscription.refund_reversed"
        /// The store states a new price for a period; the event contains the difference.
        case priceStated = "subscription.price_stated"
        /// Sharing ended.
        case revoked = "subscription.revoked"
        /// The end of a period moved.
        case extended = "subscription.extended"
        /// A charge failed; access stays for the grace period.
        case enteredGracePeriod = "subscription.entered_grace_period"
        /// A charge failed; the store keeps trying.
        case enteredBillingRetry = "subscription.entered_billing_retry"
        /// It ended.
        case expired = "subscription.expired"
        /// It will not renew.
        case autoRenewOff = "subscription.auto_renew_off"
        /// It will renew.
        case autoRenewOn = "subscription.auto_renew_on"
        /// Another product is in force.
        case planChanged = "subscription.plan_changed"
        /// Another product comes into force at the next renewal.
        case planChangeScheduled = "subscription.plan_change_scheduled"
        /// The product that was to come into force at the next renewal will not.
        case planChangeCancelled = "subscription.plan_change_cancelled"
        /// The customer is asked to agree to a higher price.
        case priceIncreasePending = "subscription.price_increase_pending"
        /// The customer agreed to a higher price, or was notified of it.
        case priceIncreaseAccepted = "subscription.price_increase_accepted"
        /// A one-time purchase.
        case purchaseMade = "purchase.made"
        /// The store took a one-time purchase back.
        case purchaseRefunded = "purchase.refunded"
        /// The store gave a refunded one-time purchase back.
        case purchaseRefundReversed = "purchase.refund_reversed"
        /// The store states a new price for a one-time purchase; the event contains the difference.
        case purchasePriceStated = "purchase.price_stated"
        /// The customer asked for the money of a period back; the store asks what was used of it.
        case refundRequested = "subscription.refund_requested"
        /// The store refused to give the money of a period back.
        case refundDeclined = "subscription.refund_declined"
        /// The customer asked for the money of a one-time purchase back; the store asks what was used of it.
        case purchaseRefundRequested = "purchase.refund_requested"
        /// The store refused to give the money of a one-time purchase back.
        case purchaseRefundDeclined = "purchase.refund_declined"
        /// An active subscriber redeemed an offer.
        case offerRedeemed = "subscription.offer_redeemed"
        /// An extension of many subscriptions did not reach this one.
        case extensionFailed = "subscription.extension_failed"
        /// An extension of many subscriptions is finished.
        case extensionsFinished = "subscription.extensions_finished"
        /// Names and descriptions of what it consists of changed.
        case metadataChanged = "subscription.metadata_changed"
        /// The developer changed its price.
        case priceChanged = "subscription.price_changed"
        /// It goes on under another product or identifier.
        case migrated = "subscription.migrated"
        /// A plan with a commitment goes on to its end, and is not committed to again after it.
        case commitmentRenewalOff = "subscription.commitment_renewal_off"
        /// A plan with a commitment is committed to again after its end.
        case commitmentRenewalOn = "subscription.commitment_renewal_on"
        /// Seats were bought for the period that runs.
        case seatsAdded = "subscription.seats_added"
        /// Seats were added, or will be fewer.
        case seatsChanged = "subscription.seats_changed"
        /// The money of some seats was given back.
        case seatsRefunded = "subscription.seats_refunded"
        /// Seats were taken from those who held them.
        case seatsReleased = "subscription.seats_released"
        /// A token for a purchase elsewhere was made.
        case externalTokenCreated = "external_purchase.token_created"
        /// A token for a purchase elsewhere is still active.
        case externalTokenReminder = "external_purchase.token_reminder"
        /// Nothing was reported for a token for a purchase elsewhere.
        case externalTokenUnreported = "external_purchase.token_unreported"
        /// A guardian withdrew consent to a child's use of the app.
        case consentWithdrawn = "customer.consent_withdrawn"
        /// Another identifier became an alias of the customer.
        case aliased = "customer.aliased"
        /// Another clock contradicts the server's clock; until they agree, no access ends by time.
        case clockDisputed = "server.clock_disputed"
        /// The server's clock agrees with the others again.
        case clockAgreed = "server.clock_agreed"
        /// Apple's notification history was compared with what is held.
        case recoveryFinished = "recovery.finished"
        /// Apple sent notifications that were not held.
        case recoveryGapFound = "recovery.gap_found"
        /// Apple refused to compare a time span.
        case recoveryFailed = "recovery.failed"
        /// Far fewer notifications arrive than usual.
        case notificationsQuiet = "notifications.quiet"
        /// Notifications arrive again.
        case notificationsResumed = "notifications.resumed"
        /// An operator started an extension campaign.
        case campaignStarted = "extension_campaign.started"
        /// A further tenth of a campaign's members have a result.
        case campaignProgressed = "extension_campaign.progressed"
        /// Every member of a campaign has a result.
        case campaignFinished = "extension_campaign.finished"
        /// Apple has the consumption information for a refund request.
        case refundRequestAnswered = "refund_request.answered"
        /// Apple gets no consumption information for a refund request.
        case refundRequestUnanswered = "refund_request.unanswered"
        /// A webhook endpoint takes nothing any more, so nothing is sent to it.
        case webhookEndpointDisabled = "webhook_endpoint.disabled"
    }
}
