import AppStoreModel
import Crypto
import Foundation
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// Which secrets sign a webhook. The signatures are computed here once more.
@Suite struct `The secrets of webhooks` {
    private typealias Received = ScriptedReceivers.Received

    /// A server whose real time moves by hand: secrets expire in real time.
    private struct Scene {
        let receivers = ScriptedReceivers()
        let realTime = FollowedTimeSource(Timestamp(milliseconds: ServerFixture.now))
        let server: ServerFixture

        init() async throws {
            server = try await ServerFixture(receivers: receivers, requestTime: realTime)
        }

        /// Makes an endpoint.
        func endpoint(_ members: String = "") async throws -> Answer {
            let body = #"{"url":"\#(WebhookScene.url)"\#(members.isEmpty ? "" : "," + members)}"#
            let made = try await server.send(.post, "/v1/webhook_endpoints", body: body)
            #expect(made.status == 201)
            return made
        }

        /// Replaces the secret and returns the new one.
        func rotate(_ id: String, overlapMilliseconds: Int64) async throws -> String {
            let body = #"{"overlap_ms":\#(overlapMilliseconds)}"#
            let rotated = try await server.send(.post, "/v1/webhook_endpoints/\(id)/rotate", body: body)
            #expect(rotated.status == 200)
            return try Self.secret(in: rotated)
        }

        /// Causes a message that each form knows, and returns it.
        func message(number: Int) async throws -> Received {
            let id = "200000000000010\(number)"
            let transaction = try server.apple.sign(SignedApple.period(id: id, original: id))
            receivers.forget()
            _ = try await server.submit(transaction, customer: "u_\(number)")
            try await server.services.webhookDispatcher.settle()
            return try #require(receivers.received.first)
        }

        /// A test message.
        func testMessage(to id: String) async throws -> Received {
            receivers.forget()
            #expect(try await server.send(.post, "/v1/webhook_endpoints/\(id)/test").bool("delivered") == true)
            return try #require(receivers.received.first)
        }

        func pass(_ milliseconds: Int64) { realTime.advance(to: realTime.now().adding(milliseconds: milliseconds)) }

        /// The secret that an answer shows.
        static func secret(in answer: Answer) throws -> String {
            try #require(try answer.objects("secrets").first?["secret"]?.stringValue)
        }
    }

    /// The signature of Standard Webhooks: the key is the part after `whsec_`, decoded.
    private func standardSignature(_ request: Received, _ secret: String) throws -> String {
        let key = SymmetricKey(data: try #require(Data(base64Encoded: String(secret.dropFirst("whsec_".count)))))
        let seconds = try #require(request.headers["webhook-timestamp"])
        let signed = Array("\(request.id).\(seconds).".utf8) + request.body
        return "v1," + Data(HMAC<SHA256>.authenticationCode(for: signed, using: key)).base64EncodedString()
    }

    /// RevenueCat's signature: the key is the whole text of the secret.
    private func revenueCatSignature(_ request: Received, _ secrets: [String]) throws -> String {
        let seconds = try #require(request.headers["webhook-timestamp"])
        let codes = secrets.map { secret in
            let key = SymmetricKey(data: Data(secret.utf8))
            let code = HMAC<SHA256>.authenticationCode(for: Array("\(seconds).".utf8) + request.body, using: key)
            return "v1=" + code.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        }
        return (["t=\(seconds)"] + codes).joined(separator: ",")
    }

    @Test func `both sign until the overlap of a rotation has passed, and then only the new one`() async throws {
        let scene = try await Scene()
        let made = try await scene.endpoint()
        let (id, old) = (try #require(try made.string("id")), try Scene.secret(in: made))
        scene.pass(1)
        let new = try await scene.rotate(id, overlapMilliseconds: 60_000)
        #expect(new != old)
        let steps = [(1, 0, [new, old]), (2, 59_999, [new, old]), (3, 1, [new])]
        for (number, wait, secrets) in steps {
            scene.pass(Int64(wait))
            for message in [try await scene.message(number: number), try await scene.testMessage(to: id)] {
                let expected = try secrets.map { try standardSignature(message, $0) }.joined(separator: " ")
                #expect(message.headers["webhook-signature"] == expected, "after \(wait) ms more")
                let seconds = scene.realTime.now().milliseconds / 1_000
                #expect(message.headers["webhook-timestamp"] == "\(seconds)")
                #expect(message.headers["X-RevenueCat-Webhook-Signature"] == nil)
            }
        }
    }

    @Test func `sign as RevenueCat does too in its form, with the text of each secret`() async throws {
        let name = "X-RevenueCat-Webhook-Signature"
        let scene = try await Scene()
        let made = try await scene.endpoint(#""form":"revenuecat""#)
        let (id, old) = (try #require(try made.string("id")), try Scene.secret(in: made))
        let first = try await scene.message(number: 1)
        let (revenueCat, standard) = (try revenueCatSignature(first, [old]), try standardSignature(first, old))
        #expect(first.headers[name] == revenueCat)
        #expect(first.headers["webhook-signature"] == standard)
        scene.pass(1)
        let new = try await scene.rotate(id, overlapMilliseconds: 60_000)
        for message in [try await scene.message(number: 2), try await scene.testMessage(to: id)] {
            let both = try revenueCatSignature(message, [new, old])
            #expect(message.headers[name] == both)
        }
        scene.pass(60_000)
        let last = try await scene.message(number: 3)
        let alone = try revenueCatSignature(last, [new])
        #expect(last.headers[name] == alone)
    }

    @Test func `do not sign as RevenueCat does with a key pair`() async throws {
        let scene = try await Scene()
        let made = try await scene.endpoint(#""form":"revenuecat","signature":"ed25519""#)
        let message = try await scene.testMessage(to: try #require(try made.string("id")))
        #expect(message.headers["webhook-signature"]?.hasPrefix("v1a,") == true)
        #expect(message.headers["X-RevenueCat-Webhook-Signature"] == nil)
    }

    @Test func `are at most five at the same time`() async throws {
        let scene = try await Scene()
        let id = try #require(try await scene.endpoint().string("id"))
        let path = "/v1/webhook_endpoints/\(id)"
        for _ in 1..<WebhookEndpoints.secretsMax {
            scene.pass(1)
            _ = try await scene.rotate(id, overlapMilliseconds: 60_000)
        }
        let refused = try await scene.server.send(.post, "\(path)/rotate", body: #"{"overlap_ms":60000}"#)
        #expect(refused.status == 409)
        #expect(try refused.errorCode() == "webhook_secrets_too_many")
        #expect(try await scene.server.send(.get, path).count("secrets") == WebhookEndpoints.secretsMax)
        let alone = try await scene.rotate(id, overlapMilliseconds: 0)
        #expect(try await scene.server.send(.get, path).count("secrets") == 1)
        let message = try await scene.testMessage(to: id)
        let expected = try standardSignature(message, alone)
        #expect(message.headers["webhook-signature"] == expected)
    }

    /// An import without keys leaves endpoints like this.
    @Test func `that are missing disable the endpoint until there is a new one`() async throws {
        let scene = try await Scene()
        let made = try await scene.endpoint()
        let id = try #require(try made.string("id"))
        try await scene.server.database.write { storage throws(StorageError) in
            let endpoint = WebhookEndpointID(rawValue: id)
            for secret in try storage.webhookSecrets(of: endpoint, app: ServerFixture.app) {
                try storage.remove(secret, of: ServerFixture.app)
            }
        }
        let path = "/v1/webhook_endpoints/\(id)"
        let refused = try await scene.server.send(.post, "\(path)/test")
        #expect(refused.status == 409)
        #expect(try refused.errorCode() == "webhook_secret_missing")
        let transaction = try scene.server.apple.sign(SignedApple.period())
        _ = try await scene.server.submit(transaction, customer: "u_42")
        try await scene.server.services.webhookDispatcher.settle()
        #expect(scene.receivers.received.isEmpty)
        let shown = try await scene.server.send(.get, path)
        #expect(try shown.bool("enabled") == false)
        #expect(try shown.string("disabled_reason") == "secret_missing")
        let events = try await scene.server.events()
        #expect(events.last?.event.kind == .webhookEndpointDisabled)
        #expect(events.last?.event.details?["reason"] == "secret_missing")
        let secret = try await scene.rotate(id, overlapMilliseconds: 0)
        #expect(try await scene.server.send(.patch, path, body: #"{"enabled":true}"#).status == 200)
        try await scene.server.services.webhookDispatcher.settle()
        #expect(scene.receivers.received.count == events.count)
        for message in scene.receivers.received {
            let expected = try standardSignature(message, secret)
            #expect(message.headers["webhook-signature"] == expected)
        }
    }
}
