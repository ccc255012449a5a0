//! Unit tests of a server that takes Apple's data: mint what the App Store would sign.

import AppStoreModel
import AppStoreSigning
import AppStoreTesting

let kit = try AppStoreTestKit()
let purchase = try kit.transaction(productId: "pro.monthly")
kit.advance(by: .seconds(31 * 86_400))
let renewal = try kit.notification(.didRenew, about: kit.renewal(of: purchase))

// Post `renewal.body` to your server, configured with `kit.trustedRoot`; or hand the verifier to what you test.
print(kit.verifier.verifyNotification(renewal.jws).payload?.transaction?.expiresDate ?? 0)

// And what it must refuse, with the reason:
for forgery in Forgery.allCases {
    let refused = kit.verifier.verifyTransaction(try kit.forge(forgery, of: purchase))
    print(forgery.rawValue, refused.failure?.code.rawValue ?? "accepted")
    // snippet.hide
    precondition(refused.failure?.code == forgery.expectedCode)
    // snippet.show
}
