//! Receive webhooks, with Hummingbird and swift-crypto.

import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

struct Message: Decodable {
    struct Event: Decodable {
        let appUserId: String?
        let stateVersion: Int?
    }

    let type: String
    let data: Event
}

extension HTTPFields {
    /// The value of a header; empty if the header is missing.
    func value(_ name: String) -> String { HTTPField.Name(name).flatMap { self[$0] } ?? "" }
}

func isGenuine(_ headers: HTTPFields, _ body: Data, key: SymmetricKey) -> Bool {
    let toleranceSeconds = 5.0 * 60
    let timestamp = headers.value("webhook-timestamp")
    guard let seconds = Double(timestamp), abs(Date().timeIntervalSince1970 - seconds) <= toleranceSeconds
    else { return false }
    let signed = Data("\(headers.value("webhook-id")).\(timestamp).".utf8) + body
    return headers.value("webhook-signature").split(separator: " ").contains { signature in
        guard signature.hasPrefix("v1,"), let code = Data(base64Encoded: String(signature.dropFirst(3)))
        else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: signed, using: key)  // in constant time
    }
}

// snippet.hide
/// Without a secret, as in `make test`, a right and a wrong signature are checked, and nothing listens.
if ProcessInfo.processInfo.environment["WEBHOOK_SECRET"] == nil {
    let (key, body) = (SymmetricKey(size: .bits256), Data("{}".utf8))
    let now = Int(Date().timeIntervalSince1970)
    func isGenuine(id: String, sentAt seconds: Int, signed text: String) -> Bool {
        let code = Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)).base64EncodedString()
        var headers = HTTPFields()
        let values = ["webhook-id": id, "webhook-timestamp": "\(seconds)", "webhook-signature": "v1,AAAA v1,\(code)"]
        for (name, value) in values { HTTPField.Name(name).map { headers[$0] = value } }
        return ReceiveWebhooks.isGenuine(headers, body, key: key)
    }
    precondition(isGenuine(id: "evt_1", sentAt: now, signed: "evt_1.\(now).{}"))
    precondition(!isGenuine(id: "evt_2", sentAt: now, signed: "evt_1.\(now).{}"))
    precondition(!isGenuine(id: "evt_1", sentAt: now - 301, signed: "evt_1.\(now - 301).{}"))
    exit(0)
}
// snippet.show
let environment = ProcessInfo.processInfo.environment
guard let secret = environment["WEBHOOK_SECRET"], secret.hasPrefix("whsec_"),
    let keyBytes = Data(base64Encoded: String(secret.dropFirst(6))), keyBytes.count >= 24,
    let port = environment["PORT"].flatMap({ Int($0) })
else {
    print("PORT is missing, or WEBHOOK_SECRET is not the secret of a webhook endpoint")
    exit(1)
}
let key = SymmetricKey(data: keyBytes)
let seenIDs = Mutex<Set<String>>([])  // in production: a table with a unique key

let router = Router()
router.post("webhooks") { request, _ -> HTTPResponse.Status in
    let body = Data(try await request.body.collect(upTo: 1 << 20).readableBytesView)
    guard isGenuine(request.headers, body, key: key) else { return .badRequest }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let message = try decoder.decode(Message.self, from: body)
    if seenIDs.withLock({ $0.insert(request.headers.value("webhook-id")).inserted }) {
        print(message.type, message.data.appUserId ?? "-", message.data.stateVersion ?? 0)
        fflush(nil)  // a pipe would hold the line back
    }
    return .noContent
}
try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: port))).runService()
