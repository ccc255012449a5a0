public import AppStoreModel
import PerennialPrimitives

extension LocalAppStore {
    /// Names the developer's user of a purchase.
    ///
    /// For a subscription the token goes into the newest transaction and all that follow it; earlier ones stay.
    ///
    /// - Parameters:
    ///   - originalTransactionId: The first transaction of the purchase.
    ///   - token: A UUID; it takes the place of the one before.
    /// - Source: App Store Server API, Set App Account Token.
    /// - Throws: 4000006, 4000048, 4000183, 4000185, 4000187, 4000227, 4040005.
    public mutating func setAppAccountToken(
        originalTransactionId: String,
        token: String
    ) throws(AppStoreServerAPIError) {
        let index = try namedTransaction(originalTransactionId, unknown: .originalTransactionIdNotFound)
        guard token.isUUID else { throw .invalidAppAccountTokenUUID }
        guard ledger[index].original == index else { throw .transactionIdIsNotOriginalTransactionId }
        try checkPurchased(index)
        let token = token.lowercased()
        guard let subscription = ledger[index].subscription else {
            ledger[index].appAccountToken = token
            ledger[index].signatures.contentChanged()
            return ledger.noteModification(of: index)
        }
        let latest = ledger[subscription].latest
        ledger[subscription].appAccountToken = token
        ledger[latest].appAccountToken = token
        ledger[subscription].signatures.contentChanged()
        ledger.noteModification(of: latest)
    }

    /// Marks a transaction as finished, as the app does once it has given the customer what was bought.
    ///
    /// A second time changes nothing.
    ///
    /// - Source: App Store Server API, Finish Transaction.
    /// - Throws: 4000006, 4000048, 4040010.
    public mutating func finish(transactionId: String) throws(AppStoreServerAPIError) {
        ledger.finished.insert(try namedTransaction(transactionId))
    }

    /// Takes what the developer tells of a purchase whose refund is to be decided.
    ///
    /// - Source: App Store Server API, Send Consumption Information.
    /// - Throws: 4000000, 4000006, 4000035, 4000036, 4000041, 4000044, 4000048, 4000185, 4000209, 4000227, 4040010.
    public mutating func sendConsumptionInformation(
        transactionId: String,
        request: ConsumptionRequest
    ) throws(AppStoreServerAPIError) {
        let index = try namedTransaction(transactionId)
        try checkPurchased(index)
        guard ledger.advancedCommerce.purchases[index] == nil else { throw .advancedCommerceTransactionNotSupported }
        try request.checkAsApple(isSubscription: ledger[index].type == .autoRenewableSubscription)
        ledger.consumption[index] = ConsumptionInformation(receivedAt: now, content: .current(request))
    }

    /// Takes what the developer tells of a consumable or a subscription, in the older form.
    ///
    /// - Source: App Store Server API, Send Consumption Information V1.
    /// - Throws: 4000006, 4000032 to 4000042, 4000044, 4000047, 4000048, 4000185, 4000227, 4040010.
    public mutating func sendConsumptionInformationV1(
        transactionId: String,
        request: ConsumptionRequestV1
    ) throws(AppStoreServerAPIError) {
        let index = try namedTransaction(transactionId)
        guard [.consumable, .autoRenewableSubscription].contains(ledger[index].type) else {
            throw .invalidTransactionTypeNotSupported
        }
        try checkPurchased(index)
        try request.checkAsApple()
        ledger.consumption[index] = ConsumptionInformation(receivedAt: now, content: .version1(request))
    }

    /// The newest information that the developer sent about a transaction; `nil` while there is none.
    ///
    /// - Throws: `transaction_not_found`.
    public func consumptionInformation(transactionId: String) throws(StoreError) -> ConsumptionInformation? {
        guard let index = ledger.transaction(id: transactionId) else {
            let message = "There is no transaction \"\(transactionId)\"; GET /_store/accounts/{accountId} lists them."
            throw StoreError(.transactionNotFound, kind: .notFound, message: message)
        }
        return ledger.consumption[index]
    }

    /// Refuses what the account has from its family or from an organization.
    private func checkPurchased(_ index: LedgerIndex<Transaction>) throws(AppStoreServerAPIError) {
        switch ledger[index].ownership {
        case .familyShared: throw .familyTransactionNotSupported
        case .assigned: throw .invalidAssignedTransactionNotSupported
        default: break
        }
    }
}

/// What the developer told of a purchase whose refund is to be decided.
public struct ConsumptionInformation: Hashable, Sendable, Codable {
    /// The two forms in which it comes.
    public enum Content: Hashable, Sendable, Codable {
        /// The present form.
        case current(ConsumptionRequest)
        /// The older form.
        case version1(ConsumptionRequestV1)
    }

    /// When it came, milliseconds since 1970.
    public let receivedAt: Int64

    /// What it says.
    public let content: Content
}
