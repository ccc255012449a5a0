//! Mint every kind of data that the App Store signs, as one JSON object for tests in other languages.

import AppStoreModel
import AppStoreTesting

let kit = try AppStoreTestKit()
let purchase = try kit.transaction(productId: "pro.monthly")
let types: [NotificationType] = [
    .subscribed, .didRenew, .didChangeRenewalStatus, .didFailToRenew, .expired, .refund, .oneTimeCharge, .test,
]
let minted: JSONObject = [
    "bundleId": .string(kit.app.bundleId),
    "root": .string(kit.authority.rootCertificatePEM),
    "transaction": .string(purchase.jws),
    "renewal": .string(try kit.renewalInfo(for: purchase).jws),
    "appTransaction": .string(try kit.appTransaction().jws),
    "realtimeRequest": .string(try kit.realtimeRequest().jws),
    "notifications": .array(try types.map { .string(try kit.notification($0).jws) }),
    "receipt": .string(try kit.receipt(of: [purchase])),
    "transactionId": .string(purchase.payload.transactionId),
]
print(String(decoding: minted.serialize(), as: UTF8.self))
