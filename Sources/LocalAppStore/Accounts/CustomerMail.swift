/// An e-mail from Apple to a customer.
public struct CustomerMail: Hashable, Sendable, Codable {
    /// The subject of an e-mail.
    public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
        /// The renewal date was extended.
        case renewalExtended = "renewal_extended"
        /// A price increase that needs no action.
        case priceIncreaseNotice = "price_increase_notice"
        /// A price increase; the subscription ends unless the customer agrees.
        case priceIncreaseConsent = "price_increase_consent"
        /// A renewal could not be charged.
        case billingProblem = "billing_problem"
    }

    /// The subject.
    public let kind: Kind
    /// When it was sent, milliseconds since 1970.
    public let sentAt: Int64
    /// The subscription.
    public let originalTransactionId: String
    /// The product of its newest period.
    public let productId: String
    /// When the running period ends, milliseconds since 1970.
    public let expiresDate: Int64?
    /// The new price, thousandths of the currency unit.
    public let price: Int64?
}

extension LocalAppStore {
    /// The maximum number of e-mails per account; older ones are removed.
    private static let mailMax = 1_000

    /// The e-mails to an account, oldest first.
    ///
    /// - Throws: `account_not_found`.
    public func mail(accountId: String) throws(StoreError) -> [CustomerMail] {
        ledger.mail[try accountIndex(accountId)] ?? []
    }

    /// Sends an e-mail to the purchaser of a subscription. Family members get none, nor do populations without
    /// notifications.
    mutating func send(_ kind: CustomerMail.Kind, about index: LedgerIndex<Subscription>, price: Int64? = nil) {
        let subscription = ledger[index]
        guard !isSilent, ledger.family.source(of: index) == nil else { return }
        let mail = CustomerMail(
            kind: kind,
            sentAt: now,
            originalTransactionId: subscription.originalTransactionId,
            productId: subscription.productId,
            expiresDate: ledger[subscription.latest].expiresDate,
            price: price
        )
        var box = ledger.mail[subscription.account] ?? []
        if box.count >= Self.mailMax { box.removeFirst() }
        box.append(mail)
        ledger.mail[subscription.account] = box
    }
}
