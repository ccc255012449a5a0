import AppStoreModel
import AppStoreSigning

extension LocalAppStore {
    /// Opens the cancellation page of a subscription.
    ///
    /// With a realtime URL the caller must make the request; then ``cancelPage(_:answer:)`` returns the content.
    ///
    /// - Parameters:
    ///   - originalTransactionId: The subscription, which must renew.
    ///   - locale: The customer's locale, for example `en-US`.
    /// - Throws: `subscription_not_found`, `subscription_not_active`, `auto_renew_off`, `family_shared`,
    ///   `locale_invalid`, `signing_failed`.
    public mutating func openCancelPage(
        originalTransactionId: String,
        locale: String = "en-US"
    ) throws(StoreError) -> CancelPageOpening {
        let index = try subscriptionIndex(originalTransactionId)
        guard let canonical = LocaleForm.canonical(locale) else {
            let message = "\"\(locale)\" is no locale; use a language and a region, for example \"en-US\"."
            throw StoreError(.localeInvalid, message, path: "locale")
        }
        try checkCancellable(index)
        let call = try retention.realtimeURL.map { url throws(StoreError) in
            try realtimeCall(about: index, to: url, locale: canonical, purpose: .cancelPage)
        }
        return CancelPageOpening(originalTransactionId: originalTransactionId, locale: canonical, call: call)
    }

    /// The content of the cancellation page of a subscription.
    ///
    /// - Parameters:
    ///   - opening: The page that was opened.
    ///   - answer: The result of its request; `nil` if there was none.
    /// - Source: Retention Messaging API, Get Retention Message: any failure leads to the default message.
    /// - Throws: `subscription_not_found`.
    public func cancelPage(_ opening: CancelPageOpening, answer: RealtimeAnswer?) throws(StoreError) -> CancelPage {
        let index = try subscriptionIndex(opening.originalTransactionId)
        do throws(RetentionRefusal) {
            guard let answer, let call = opening.call else {
                throw RetentionRefusal(.urlNotSet, "No real-time URL is set: Configure Realtime URL sets one.")
            }
            return try page(index, showing: answer, to: call)
        } catch {
            let message = defaultMessage(of: ledger[index].productId, in: opening.locale)
            return CancelPage(instead: message, because: error)
        }
    }

    private func checkCancellable(_ index: LedgerIndex<Subscription>) throws(StoreError) {
        let subscription = ledger[index]
        guard subscription.isLive else {
            throw StoreError(.subscriptionNotActive, "The subscription has ended; there is nothing to cancel.")
        }
        guard ledger[subscription.latest].ownership == .purchased else {
            throw StoreError.boughtByAnother(ledger[subscription.latest].ownership)
        }
        guard subscription.isAutoRenewOn else {
            throw StoreError(.autoRenewOff, "The subscription is cancelled already; turn its renewal on first.")
        }
    }

    private func defaultMessage(
        of productId: String,
        in locale: String
    ) -> Result<RetentionMessage, RetentionRefusal> {
        do throws(RetentionRefusal) {
            guard let identifier = retention.defaultMessage(of: productId, in: locale) else {
                throw RetentionRefusal(.defaultNotSet, "No default message is set for \(productId) in \(locale).")
            }
            return .success(try approvedMessage(identifier))
        } catch {
            return .failure(error)
        }
    }

    private func page(
        _ index: LedgerIndex<Subscription>,
        showing answer: RealtimeAnswer,
        to call: RealtimeCall
    ) throws(RetentionRefusal) -> CancelPage {
        let response = try acceptable(answer, deadlineMilliseconds: call.deadlineMilliseconds)
        let message = try approvedMessage(response.messageIdentifier)
        if response.content != .message {
            try checkPlain(message)
            try checkKind(of: response.content, fits: index)
        }
        switch response.content {
        case .message, .advancedCommerce: break
        case .alternateProduct(let productId, let plan): try checkAlternative(productId, plan: plan, to: index)
        case .promotionalOffer(let request):
            let claims = request.claims
            try checkCustomer(claims.transactionId, of: index)
            try checkOffer(claims.offerIdentifier, of: claims.productId, nonce: request.nonce, for: index)
        case .firstFormOffer(let signature):
            let offer = signature.offer
            try checkOffer(offer.offerIdentifier, of: offer.productId, nonce: signature.nonce, for: index)
        }
        return CancelPage(message, offer: response.content)
    }

    /// A message that can be shown to customers.
    private func approvedMessage(_ identifier: String) throws(RetentionRefusal) -> RetentionMessage {
        guard let message = retention.message(identifier) else {
            throw RetentionRefusal(.messageNotFound, "There is no message \(identifier).")
        }
        guard message.state == .approved else {
            throw RetentionRefusal(.messageNotApproved, "The message \(identifier) is \(message.state.rawValue).")
        }
        guard retention.hasApprovedImages(message) else {
            throw RetentionRefusal(.imageNotApproved, "An image of the message \(identifier) is not approved.")
        }
        return message
    }

    private func checkPlain(_ message: RetentionMessage) throws(RetentionRefusal) {
        guard message.imageIdentifiers.isEmpty else {
            throw RetentionRefusal(
                .messageHasImage,
                "A message with an offer or another product has no image and no bullet points."
            )
        }
    }

    /// Advanced Commerce subscriptions require Advanced Commerce data, and others do not accept it.
    private func checkKind(
        of content: VerifiedRealtimeResponse.Content,
        fits index: LedgerIndex<Subscription>
    ) throws(RetentionRefusal) {
        let takesData = ledger.advancedCommerce.subscriptions[index] != nil
        let isData = if case .advancedCommerce = content { true } else { false }
        guard takesData == isData else {
            let message =
                takesData
                ? "The subscription is one of Advanced Commerce: only advancedCommerceInfo can change it."
                : "The subscription is none of Advanced Commerce: advancedCommerceInfo cannot change it."
            throw RetentionRefusal(.advancedCommerceMismatch, message)
        }
    }

    private func checkAlternative(
        _ productId: String,
        plan: BillingPlanType?,
        to index: LedgerIndex<Subscription>
    ) throws(RetentionRefusal) {
        let subscription = ledger[index]
        guard let terms = catalog.products[productId]?.terms, terms.groupId == subscription.groupId else {
            throw RetentionRefusal(.productNotPossible, "\(productId) is no subscription of the customer's group.")
        }
        guard productId != subscription.productId || plan != nil else {
            throw RetentionRefusal(.productNotPossible, "\(productId) is what the customer has.")
        }
        guard plan?.isDocumented ?? true else {
            throw RetentionRefusal(.productNotPossible, "\"\(plan?.rawValue ?? "")\" is no billing plan.")
        }
        let country = ledger[subscription.account].storefront.country
        guard plan != .monthly || canBePaidByTheMonth(terms, in: country) else {
            throw RetentionRefusal(.productNotPossible, "\(productId) cannot be paid by the month in \(country).")
        }
    }

    private func checkCustomer(
        _ transactionId: String?,
        of index: LedgerIndex<Subscription>
    ) throws(RetentionRefusal) {
        guard transactionId.flatMap(owner(of:)) == ledger[index].account else {
            throw RetentionRefusal(.signatureCustomerMismatch, "The signature is for another customer.")
        }
    }

    private func checkOffer(
        _ identifier: String,
        of productId: String,
        nonce: SignatureNonce,
        for index: LedgerIndex<Subscription>
    ) throws(RetentionRefusal) {
        guard let terms = catalog.products[productId]?.terms, terms.groupId == ledger[index].groupId,
            terms.promotionalOffers.contains(where: { $0.offerId == identifier })
        else {
            let message = "\(productId) has no promotional offer \(identifier), or is not of the customer's group."
            throw RetentionRefusal(.offerNotPossible, message)
        }
        guard !ledger.usedNonces.contains(nonce.text) else {
            throw RetentionRefusal(.signatureNonceUsed, "The signature was redeemed already.")
        }
    }
}

extension StoreError.Code {
    /// The error for an invalid locale.
    public static let localeInvalid = Self("locale_invalid", .invalid)
    /// The error for a subscription whose renewal is already off.
    public static let autoRenewOff = Self("auto_renew_off", .conflict)
}
