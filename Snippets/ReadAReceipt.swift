//! Verify an app receipt offline, and find the transaction ids in it.

import AppStoreSigning
// snippet.hide
import AppStoreTesting

let kit = try AppStoreTestKit()
let receipt = try kit.receipt()
let root = try kit.receiptAuthority().receiptRoot
// snippet.show
let verifier = ReceiptVerifier(roots: [.appleRootCA, root], expecting: ReceiptExpectation(bundleId: "com.example.app"))
switch verifier.verify(receipt) {
case .verified(let receipt):
    for purchase in receipt.inAppPurchases { print(purchase.transactionId, purchase.productId) }
case .refused(let failure):
    print(failure.code.rawValue, failure.message)
}
// snippet.hide
precondition(verifier.verify(receipt).payload?.inAppPurchases.count == 1)
// snippet.show

// The ids alone, to look them up in the App Store Server API; or the reason why there are none:
let found = ReceiptTransactions.extract(from: receipt)
print(found.transactions.map(\.transactionId), found.absence?.message ?? "")
// snippet.hide
precondition(found.absence == nil && found.transactions.count == 1)
precondition(ReceiptTransactions.extract(from: "").absence != nil)
