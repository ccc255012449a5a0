/// An e-mail that Apple sends to a customer.
public struct CustomerMail: Hashable, Sendable, Codable {
    /// What an e-mail is about.
    public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
        /// The renewal date was extended.
        case renewalExtended = "renewal_extended"
        /// A higher price is coming, and nothing has to be done.
        case priceIncreaseNotice = "price_increase_notice"
        /// A higher price is coming, and the subscription ends unless it is agreed to.
        case priceIncreaseConsent = "price_increase_consent"
        /// A renewal could not be charged.
        case billingProblem = "billing_problem"
    }

    /// What it is about.
    public let kind: Kind
    /// When it was sent, milliseconds since 1970.
    public let sentAt: Int64
    /// The subscription.
    public let originalTransactionId: String
    /// The product of its newest period.
    public let productId: String
    /// When the running period ends, milliseconds since 1970.
    public let expiresDate: Int64?
    /// The price that it tells of, thousandths of the currency unit.
    public let price: Int64?
}

extension LocalAppStore {
    /// The most e-mails that an account keeps: the newest.
    private static let mailMax = 1_000

    /// The e-mails that an account got, oldest first.
    ///
    /// - Throws: `account_not_found`.
    public func mail(accountId: String) throws(StoreError) -> [CustomerMail] {
        ledger.mail[try accountIndex(accountId)] ?? []
    }

    /// Sends the purchaser of a subscription an e-mail; family members get none, nor do silent populations.
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
