//! Sign what StoreKit asks the developer's server to sign.

import AppStoreSigning

// snippet.hide
let key = InAppPurchaseKey.generate()
// snippet.show
let signer = StoreKitRequestSigner(key: key, bundleId: "com.example.app")

// `Product.SubscriptionOffer.Signature`, for apps before iOS 26:
let offer = PromotionalOffer(productId: "pro.monthly", offerIdentifier: "come-back", appAccountToken: nil)
let signature = try signer.sign(offer)
print(signature.encodedSignature, signature.keyId, signature.nonce, signature.timestamp)

// The compact JWS of newer systems, and of introductory eligibility:
let compact = try signer.sign(
    PromotionalOfferV2(productId: "pro.monthly", offerIdentifier: "come-back", transactionId: nil)
)
let eligible = try signer.sign(
    IntroductoryOfferEligibility(
        productId: "pro.monthly",
        allowIntroductoryOffer: true,
        transactionId: "2000000000000001"
    )
)
print(compact.prefix(20), eligible.prefix(20))
