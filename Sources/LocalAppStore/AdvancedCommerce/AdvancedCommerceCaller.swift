import AppStoreModel
import PerennialPrimitives

/// The request info of every Advanced Commerce request.
struct AdvancedCommerceCaller {
    /// In lower case.
    let requestReferenceId: String
    /// In lower case.
    let appAccountToken: String?
    let consistencyToken: String?
    let storefront: String?
    let currency: String?

    init(_ request: AdvancedCommerceReader) throws(AppStoreServerAPIError) {
        let info = try request.inner("requestInfo", ifAbsent: .nullRequestInfo)
        let reference = try info.text("requestReferenceId", ifAbsent: .nullRequestReferenceId)
        guard reference.isUUID else { throw .fault(.invalidRequestReferenceId) }
        requestReferenceId = reference.lowercased()
        let token = try info.string("appAccountToken")
        if let token, !token.isUUID { throw .fault(.invalidAppAccountToken) }
        appAccountToken = token?.lowercased()
        consistencyToken = try info.string("consistencyToken")
        storefront = try request.string("storefront")
        if let storefront, Storefront.named(storefront) == nil { throw .fault(.invalidStorefront) }
        currency = try request.string("currency")
    }
}

extension LocalAppStore {
    /// Compares the request info with the customer, and with earlier requests.
    func check(
        _ caller: AdvancedCommerceCaller,
        for account: LedgerIndex<Account>
    ) throws(AppStoreServerAPIError) {
        guard !ledger.advancedCommerce.hasSeen(caller.requestReferenceId) else { throw .repeatedRequestReferenceId }
        let storefront = ledger[account].storefront
        if let country = caller.storefront, country != storefront.country { throw .fault(.mismatchedStorefront) }
        if let currency = caller.currency, currency != storefront.currency { throw .fault(.invalidCurrency) }
    }
}
