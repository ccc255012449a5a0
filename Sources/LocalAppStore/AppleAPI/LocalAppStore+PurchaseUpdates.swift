public import AppStoreModel
import PerennialPrimitives

extension LocalAppStore {
    /// Sets the app account token of a purchase.
    ///
    /// For a subscription the token applies to the newest transaction and all later ones; earlier ones stay unchanged.
    ///
    /// - Parameters:
    ///   - originalTransactionId: The first transaction of the purchase.
    ///   - token: A UUID; it replaces the previous one.
    /// - Source: App Store Server API, Set App Account Token.
    /// - Throws: One of `AppStoreServerCall.setAppAccountToken.errors`.
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
            return ledger.noteModification(of: index)
        }
        let latest = ledger[subscription].latest
        apply([.setToken(token)], to: subscription)
        ledger[latest].appAccountToken = token
        ledger.noteModification(of: latest)
    }

    /// Marks a transaction as finished, as the app does after it has delivered the purchase.
    ///
    /// Repeated calls have no effect.
    ///
    /// - Source: App Store Server API, Finish Transaction.
    /// - Throws: One of `AppStoreServerCall.finishTransaction.errors`.
    public mutating func finish(transactionId: String) throws(AppStoreServerAPIError) {
        ledger.finished.insert(try namedTransaction(transactionId))
    }

    /// Receives consumption information for a pending refund decision.
    ///
    /// - Source: App Store Server API, Send Consumption Information.
    /// - Throws: One of `AppStoreServerCall.sendConsumptionInformation.errors`.
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

    /// Receives consumption information of a consumable or a subscription, in the older form.
    ///
    /// - Source: App Store Server API, Send Consumption Information V1.
    /// - Throws: One of `AppStoreServerCall.sendConsumptionInformationV1.errors`.
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

    /// The newest consumption information for a transaction; `nil` if there is none.
    ///
    /// - Throws: `transaction_not_found`.
    public func consumptionInformation(transactionId: String) throws(StoreError) -> ConsumptionInformation? {
        guard let index = ledger.transaction(id: transactionId) else {
            let message = "There is no transaction \"\(transactionId)\"; GET /_store/accounts/{accountId} lists them."
            throw StoreError(.transactionNotFound, message)
        }
        return ledger.consumption[index]
    }

    /// Refuses purchases that the account has from its family or from an organization.
    private func checkPurchased(_ index: LedgerIndex<Transaction>) throws(AppStoreServerAPIError) {
        switch ledger[index].ownership {
        case .familyShared: throw .familyTransactionNotSupported
        case .assigned: throw .invalidAssignedTransactionNotSupported
        default: break
        }
    }
}

/// The consumption information of a purchase.
public struct ConsumptionInformation: Hashable, Sendable, Codable {
    /// The two forms of the request.
    public enum Content: Hashable, Sendable, Codable {
        /// The current form.
        case current(ConsumptionRequest)
        /// The older form.
        case version1(ConsumptionRequestV1)
    }

    /// When it was received, milliseconds since 1970.
    public let receivedAt: Int64

    /// The content.
    public let content: Content
}
