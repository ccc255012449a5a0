import AppStoreModel
import Foundation
import HTTPTypes
import SubscriptionCore
import SubscriptionStorage
import Testing

/// The data that a publishable key can read. Every copy of the app contains the key.
@Suite struct `A publishable key` {
    private static let operatorsText = "complained on the phone about Zo"

    private static func server() async throws -> ServerFixture {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "anonymous-7")
        _ = try await server.send(.post, "/v1/customers/u_1/aliases", body: #"{"alias":"anonymous-7"}"#)
        let grant = #"{"entitlement_id":"vip","reason":"\#(operatorsText)"}"#
        _ = try await server.send(.post, "/v1/customers/u_1/grants", body: grant)
        return server
    }

    private static let paths = [
        "", "?explain=true", "/entitlements", "/entitlements?explain=true", "?as_of=1770000000000",
    ]

    @Test(arguments: paths) func `shows neither other identifiers nor data written by an operator`(_ path: String)
        async throws
    {
        let server = try await Self.server()
        for (name, other) in [("u_1", "anonymous-7"), ("anonymous-7", "u_1")] {
            let answer = try await server.send(
                .get,
                "/v1/customers/\(name)\(path)",
                key: ServerFixture.publishable
            )
            #expect(answer.status == 200)
            let text = String(decoding: answer.bytes, as: UTF8.self)
            #expect(!text.contains(other))
            #expect(!text.contains(Self.operatorsText))
            #expect(try answer.string("app_user_id") == name)
            #expect(try answer.json()["aliases"] == nil)
            #expect(try answer.bool("entitlements", "vip", "active") == true)
        }
        let server1 = try await server.send(.get, "/v1/customers/anonymous-7?explain=true")
        #expect(try server1.string("app_user_id") == "u_1")
        #expect(try server1.count("aliases") == 1)
        #expect(String(decoding: server1.bytes, as: UTF8.self).contains(Self.operatorsText))
    }

    @Test func `gets the same answer after a submission`() async throws {
        let server = try await Self.server()
        let signed = try server.apple.sign(SignedApple.period(signedAt: ServerFixture.now + 1))
        let answer = try await server.submit(signed, customer: "anonymous-7")
        #expect(answer.status == 200)
        #expect(try answer.string("app_user_id") == "anonymous-7")
        #expect(!String(decoding: answer.bytes, as: UTF8.self).contains("u_1"))
    }

    @Test func `is not answered 304 for the tag of a secret key's answer`() async throws {
        let server = try await Self.server()
        let path = "/v1/customers/u_1"
        let full = try await server.send(.get, path)
        let tag = try #require(full.headers[.eTag])
        let little = try await server.send(.get, path, key: ServerFixture.publishable, headers: [.ifNoneMatch: tag])
        #expect(little.status == 200)
        let own = try #require(little.headers[.eTag])
        let again = try await server.send(.get, path, key: ServerFixture.publishable, headers: [.ifNoneMatch: own])
        #expect(again.status == 304)
        #expect(try await server.send(.get, path, headers: [.ifNoneMatch: own]).status == 200)
    }

    @Test func `gets tokens only if the configuration allows it, for the requested identifier`() async throws {
        let path = "/v1/customers/anonymous-7/entitlement_token"
        let refused = try await Self.server().send(.post, path, key: ServerFixture.publishable)
        #expect(refused.status == 403)
        #expect(try refused.errorCode() == "secret_key_required")
        let server = try await ServerFixture(tokensForPublishableKeys: true)
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "anonymous-7")
        _ = try await server.send(.post, "/v1/customers/u_1/aliases", body: #"{"alias":"anonymous-7"}"#)
        for (key, subject) in [(ServerFixture.publishable, "anonymous-7"), (ServerFixture.secret, "u_1")] {
            let answer = try await server.send(.post, path, key: key)
            #expect(answer.status == 200)
            let claims = try #require(try answer.string("token")?.split(separator: ".").dropFirst().first)
            let padded = String(claims).replacing("-", with: "+").replacing("_", with: "/")
            let whole = padded + String(repeating: "=", count: (4 - padded.utf8.count % 4) % 4)
            let bytes = try #require(Data(base64Encoded: whole))
            #expect(try JSONParser.parseObject(Array(bytes))["sub"] == .string(subject))
        }
    }
}

/// Prices whose sum overflows, in every order.
@Suite struct `Out-of-range prices` {
    @Test func `are accepted, restated, replaced and refunded, and reported as unknown`() async throws {
        let server = try await ServerFixture()
        let prices: [Int64?] = [
            9_000_000_000_000_000_000, -9_000_000_000_000_000_000, .max, .min, 1_000_000_000_000_000, nil, 9_990,
        ]
        var purchase = 0
        for first in prices {
            for second in prices {
                purchase += 1
                let original = "30000000000\(10_000 + purchase)"
                var statements: [JWSTransactionDecodedPayload] = []
                for (index, price) in [first, second, first].enumerated() {
                    var period = SignedApple.period(
                        id: original,
                        original: original,
                        signedAt: ServerFixture.now + Int64(index)
                    )
                    period.price = price
                    if index == 2 {
                        period.revocationDate = ServerFixture.now
                        period.revocationReason = .other
                        period.revocationPercentage = 66_667
                    }
                    statements.append(period)
                }
                var upgrade = SignedApple.period(id: original + "9", original: original)
                upgrade.productId = "pro.yearly"
                upgrade.price = second
                statements.append(upgrade)
                for statement in statements {
                    let answer = try await server.submit(try server.apple.sign(statement), customer: "u_\(purchase)")
                    #expect(answer.status == 200)
                }
            }
        }
        let sums = try await server.events().compactMap(\.event.price?.milliunits)
        #expect(sums.allSatisfy { abs($0) <= 1_000_000_000_000_000 })
    }
}
