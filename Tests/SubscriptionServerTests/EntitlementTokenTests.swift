import AppStoreModel
import Crypto
import Foundation
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// Signed entitlements for services that do not query the server.
@Suite struct `Entitlement tokens` {
    private struct DecodedToken {
        let header: JSONObject
        let claims: JSONObject
        let isSigned: Bool

        func integer(_ name: String) -> Int64? {
            guard case .integer(let number)? = claims[name] else { return nil }
            return number
        }
    }

    private static func bytes(_ text: Substring) throws -> Data {
        let padded = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return try #require(Data(base64Encoded: padded + String(repeating: "=", count: (4 - text.count % 4) % 4)))
    }

    /// Verifies a token with the current public keys of the server.
    private static func verify(_ token: String, _ server: ServerFixture) async throws -> DecodedToken {
        let parts = token.split(separator: ".")
        #expect(parts.count == 3)
        let header = try JSONParser.parseObject(Array(try bytes(parts[0])))
        let keys = try await server.send(.get, "/.well-known/jwks.json", key: nil).objects("keys")
        let key = keys.first { $0["kid"] == header["kid"] }
        var isSigned = false
        if let key, case .string(let x)? = key["x"], case .string(let y)? = key["y"] {
            let point = try bytes(x[...]) + bytes(y[...])
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: try bytes(parts[2]))
            isSigned = try P256.Signing.PublicKey(rawRepresentation: point)
                .isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
        }
        return DecodedToken(
            header: header,
            claims: try JSONParser.parseObject(Array(try bytes(parts[1]))),
            isSigned: isSigned
        )
    }

    private static func token(_ server: ServerFixture, of customer: String = "u_1") async throws -> String {
        let path = "/v1/customers/\(customer)/entitlement_token"
        let answer = try await server.send(.post, path)
        #expect(answer.status == 200)
        return try #require(try answer.string("token"))
    }

    private static func server() async throws -> ServerFixture {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_1")
        return server
    }

    @Test func `contain the customer, the entitlements and the app, and expire soon`() async throws {
        let server = try await Self.server()
        let verified = try await Self.verify(try await Self.token(server), server)
        #expect(verified.isSigned)
        #expect(verified.header["alg"] == .string("ES256"))
        #expect(verified.claims["aud"] == .string("com.example.app/production"))
        #expect(verified.claims["sub"] == .string("u_1"))
        #expect(verified.integer("iat") == ServerFixture.now / 1000)
        #expect(verified.integer("exp") == ServerFixture.now / 1000 + 900)
        guard case .object(let entitlements)? = verified.claims["entitlements"] else {
            Issue.record("no entitlements")
            return
        }
        #expect(entitlements.members.map(\.key) == ["21000001"])
    }

    @Test(arguments: [(0, 900), (-899_500, 899), (-400_000, 400), (-1_000, 1), (1_000, 900)] as [(Int64, Int64)])
    func `never expire after the entitlement`(milliseconds: Int64, seconds: Int64) async throws {
        let server = try await Self.server()
        let end = ServerFixture.now + 30 * 86_400_000
        // After the paid period, the leeway for a late renewal limits it.
        let isAtEnd = milliseconds < 0
        server.time.advance(to: Timestamp(milliseconds: isAtEnd ? end + milliseconds : ServerFixture.now))
        let verified = try await Self.verify(try await Self.token(server), server)
        let now = server.time.now().milliseconds
        let last = try #require(verified.integer("exp"))
        #expect(last * 1000 <= end)
        #expect(last == min(now + 900_000, end) / 1000)
        #expect(last - now / 1000 <= seconds + 1)
    }

    @Test func `omit expired entitlements, and expire soon for access without an end`() async throws {
        let server = try await Self.server()
        let body = #"{"entitlement_id":"vip"}"#
        _ = try await server.send(.post, "/v1/customers/u_2/grants", body: body)
        let granted = try await Self.verify(try await Self.token(server, of: "u_2"), server)
        #expect(granted.integer("exp") == ServerFixture.now / 1000 + 900)
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 60 * 86_400_000))
        let ended = try await Self.verify(try await Self.token(server), server)
        #expect(ended.claims["entitlements"] == .object(JSONObject()))
        let unknown = try await server.send(.post, "/v1/customers/nobody/entitlement_token")
        #expect(try unknown.errorCode() == "customer_not_found")
    }

    @Test func `from before a rotation stay valid until they expire, and then their key is removed`() async throws {
        let server = try await Self.server()
        let old = try await Self.token(server)
        _ = try await EntitlementTokens.rotate(in: server.database, at: server.time.now(), by: Operator("test"))
        let new = try await Self.token(server)
        let (first, second) = (try await Self.verify(old, server), try await Self.verify(new, server))
        #expect(first.isSigned)
        #expect(second.isSigned)
        #expect(first.header["kid"] != second.header["kid"])
        let keys = try await server.database.read { storage throws(StorageError) in try storage.signingKeys() }
        #expect(keys.count == 2)
        #expect(keys.filter { $0.privateKey == nil }.map { .string($0.id) } == [first.header["kid"]])
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 900_000))
        #expect(try await Self.verify(old, server).isSigned)
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 1_200_000))
        #expect(try await !Self.verify(old, server).isSigned)
        #expect(try await Self.verify(try await Self.token(server), server).isSigned)
    }

    @Test func `are signed by one private key, which the public list never contains`() async throws {
        let server = try await Self.server()
        #expect(try await server.send(.get, "/.well-known/jwks.json", key: nil).count("keys") == 0)
        let tokens = try await [Self.token(server), Self.token(server)]
        let kids = try await [
            Self.verify(tokens[0], server).header["kid"], Self.verify(tokens[1], server).header["kid"],
        ]
        #expect(kids[0] == kids[1])
        let keys = try await server.send(.get, "/.well-known/jwks.json", key: nil).objects("keys")
        #expect(keys.map { $0.members.map(\.key) } == [["kty", "crv", "use", "alg", "kid", "x", "y"]])
    }
}
