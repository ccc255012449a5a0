//! Verify what the App Store posts, and learn why something is refused.

import AppStoreModel
import AppStoreSigning
// snippet.hide
import AppStoreTesting

let kit = try AppStoreTestKit()
let signedPayload = try kit.notification(.didRenew, about: kit.transaction(productId: "pro.monthly")).jws
let root = kit.trustedRoot
// snippet.show
let verifier = SignedDataVerifier(
    roots: [.appleRootCAG3, root],
    apps: [AppIdentity(bundleId: "com.example.app", appAppleId: 1_234_567_890, environment: .sandbox)]
)
switch verifier.verifyNotification(signedPayload) {
case .verified(let notification):
    print(notification.payload.notificationType.rawValue, notification.transaction?.productId ?? "")
case .refused(let failure):
    print(failure.code.rawValue, failure.message)
}
// snippet.hide
precondition(verifier.verifyNotification(signedPayload).payload?.transaction?.productId == "pro.monthly")
let tampered = try kit.forge(.foreignRoot, of: kit.transaction(productId: "pro.monthly"))
// snippet.show

// Off the hot path, the same decision as a list of steps that a person can read:
print(verifier.trace(tampered))
// snippet.hide
precondition(verifier.trace(tampered).failure?.code == .chainNotTrusted)
