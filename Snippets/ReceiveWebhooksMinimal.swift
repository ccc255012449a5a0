//! Receive webhooks in fifteen lines, with Hummingbird and swift-crypto.

import Crypto
import Foundation
import Hummingbird

// snippet.hide
// Without a secret, as in `make test`, nothing listens.
if ProcessInfo.processInfo.environment["WEBHOOK_SECRET"] == nil { exit(0) }
// snippet.show
let (secret, port) = (Environment().get("WEBHOOK_SECRET") ?? "", Environment().get("PORT", as: Int.self) ?? 3000)
let key = SymmetricKey(data: Data(base64Encoded: String(secret.dropFirst("whsec_".count))) ?? Data())
precondition(key.bitCount >= 192, "WEBHOOK_SECRET is not the secret of a webhook endpoint")
let router = Router().post("webhooks") { request, _ -> HTTPResponse.Status in
    let field = { name in request.headers.first { $0.name.canonicalName == "webhook-" + name }?.value ?? "" }
    let body = Data(try await request.body.collect(upTo: 1 << 20).readableBytesView)
    let code = HMAC<SHA256>.authenticationCode(for: "\(field("id")).\(field("timestamp")).".utf8 + body, using: key)
    let codes = field("signature").split(separator: " ").map { Data(base64Encoded: "\($0.dropFirst(3))") ?? Data() }
    let isRecent = abs(Date().timeIntervalSince1970 - (Double(field("timestamp")) ?? 0)) <= 300
    return isRecent && codes.contains { code == $0 } ? .noContent : .badRequest  // the event is in the body
}
try await Application(router: router, configuration: .init(address: .hostname(port: port))).runService()
