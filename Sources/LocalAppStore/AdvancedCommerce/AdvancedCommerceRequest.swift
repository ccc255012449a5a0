import AppStoreModel

/// A request of Advanced Commerce in Apple's vocabulary.
protocol AdvancedCommerceRequest: JSONRepresentable {
    var requestInfo: AdvancedCommerceRequestInfo { get }
    var storefront: String? { get }

    /// Checks the values of the fields, one by one.
    func checkFields() throws(AppStoreServerAPIError)

    /// Checks whether the fields fit each other.
    func checkRules() throws(AppStoreServerAPIError)
}

extension AdvancedCommerceRequest {
    /// Reads a request, and checks everything that does not depend on the customer.
    init(checking json: JSONObject) throws(AppStoreServerAPIError) {
        try self.init(appleBody: json, orThrow: AppStoreServerAPIError.inAdvancedCommerce)
        try checkFields()
        try checkRules()
    }

    /// Reads the body of a call about a transaction.
    init(_ body: JSONObject, about transactionId: String) throws(AppStoreServerAPIError) {
        try IdentifierForm.check(transactionId, orThrow: .invalidTransactionId)
        try self.init(checking: body)
    }

    func checkRules() throws(AppStoreServerAPIError) {}
}

extension AppStoreServerAPIError {
    /// The error of an invalid field of Advanced Commerce.
    static func inAdvancedCommerce(_ fault: ModelError) -> AppStoreServerAPIError {
        // The number of periods is the only integer with fewer than 64 bits.
        if fault.code == .outOfRange, fault.path.hasSuffix("periodCount") { return .invalidOfferPeriodCount }
        guard fault.code == .missingField else { return .malformedPayload }
        let names = fault.path.filter { !$0.isNumber }.split(separator: ".")
        let ends = [2, 1].map { names.suffix($0).joined(separator: ".") }
        return ends.lazy.compactMap { advancedCommerceErrorsOfMissingFields[$0] }.first ?? .malformedPayload
    }
}

/// The identification of a request, and what it says about the customer.
struct AdvancedCommerceCaller {
    /// In lower case.
    let requestReferenceId: String
    /// In lower case.
    let appAccountToken: String?
    let consistencyToken: String?
    let storefront: String?
    let currency: String?

    init(_ request: some AdvancedCommerceRequest, currency: String? = nil) {
        requestReferenceId = request.requestInfo.requestReferenceId.lowercased()
        appAccountToken = request.requestInfo.appAccountToken?.lowercased()
        consistencyToken = request.requestInfo.consistencyToken
        storefront = request.storefront
        self.currency = currency
    }
}

extension LocalAppStore {
    /// Compares the request info with the customer, and with earlier requests.
    func check(
        _ caller: AdvancedCommerceCaller,
        for account: LedgerIndex<Account>
    ) throws(AppStoreServerAPIError) {
        if let country = caller.storefront, Storefront.named(country) == nil { throw .invalidStorefrontCountryCode }
        guard !ledger.advancedCommerce.hasSeen(caller.requestReferenceId) else { throw .repeatedRequestReferenceId }
        let storefront = ledger[account].storefront
        if let country = caller.storefront, country != storefront.country { throw .mismatchedStorefront }
        if let currency = caller.currency, currency != storefront.currency { throw .invalidCurrency }
    }
}
