//! A unit test against the App Store itself: a year of a subscription, played inside the process.

import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import LocalAppStore

let authority = try TestAuthority()
let app = AppIdentity(bundleId: "com.example.perennial", environment: .sandbox)
let verifier = SignedDataVerifier(roots: [authority.trustedRoot], apps: [app])
var events: [String] = []

var store = try LocalAppStore(authority: authority)
let customer = try store.createAccount().accountId
_ = try store.purchase(accountId: customer, request: PurchaseRequest(productId: "pro.monthly"))
try store.advance(by: "P1Y") { delivery in
    // Your server takes `delivery.signedPayload` here.
    let notification = try verifier.verifyNotification(delivery.signedPayload).get()
    events.append(notification.payload.notificationType.rawValue)
    return .success
}
print(events)
// snippet.hide
precondition(events == ["SUBSCRIBED"] + Array(repeating: "DID_RENEW", count: 12))
// snippet.show
