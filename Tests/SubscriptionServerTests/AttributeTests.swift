import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// Strings that the developer stores with a customer.
@Suite struct `Attributes of a customer` {
    private static let path = "/v1/customers/u_1/attributes"

    private static func attributes(_ server: ServerFixture, of customer: String = "u_1") async throws -> JSONValue? {
        try await server.send(.get, "/v1/customers/\(customer)/attributes").json()["attributes"]
    }

    private static func object(_ texts: KeyValuePairs<String, String>) -> JSONValue {
        var object = JSONObject()
        for (name, text) in texts { object[name] = .string(text) }
        return .object(object)
    }

    @Test func `are replaced together, changed one by one, and exported`() async throws {
        let server = try await ServerFixture()
        let put = try await server.send(.put, Self.path, body: #"{"attributes":{"plan":"gold","seat":"4b"}}"#)
        #expect(put.status == 200)
        #expect(try put.json()["attributes"] == Self.object(["plan": "gold", "seat": "4b"]))
        let patch = #"{"attributes":{"plan":null,"name":"Zo\u00eb"}}"#
        #expect(try await server.send(.patch, Self.path, body: patch).status == 200)
        #expect(try await Self.attributes(server) == Self.object(["name": "Zoë", "seat": "4b"]))
        let export = try await server.send(.get, "/v1/customers/u_1/export")
        #expect(try export.json()["attributes"] == Self.object(["name": "Zoë", "seat": "4b"]))
        _ = try await server.send(.put, Self.path, body: #"{"attributes":{}}"#)
        #expect(try await Self.attributes(server) == Self.object([:]))
    }

    @Test func `change neither the version nor an app's answer`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_1")
        let before = try await server.send(.get, "/v1/customers/u_1")
        _ = try await server.send(.put, Self.path, body: #"{"attributes":{"note":"called twice"}}"#)
        let after = try await server.send(.get, "/v1/customers/u_1")
        #expect(before.bytes == after.bytes)
        #expect(try await server.send(.get, Self.path, key: ServerFixture.publishable).status == 403)
    }

    @Test(arguments: [
        (#"{"attributes":{"$email":"a"}}"#, "attribute_name_reserved"),
        (#"{"attributes":{"_x":"a"}}"#, "attribute_name_reserved"),
        (#"{"attributes":{"":"a"}}"#, "attribute_name_invalid"),
        (#"{"attributes":{"a b":"a"}}"#, "attribute_name_invalid"),
        (#"{"attributes":{"\#(String(repeating: "n", count: 41))":"a"}}"#, "attribute_name_invalid"),
        (#"{"attributes":{"a":"\#(String(repeating: "é", count: 251))"}}"#, "attribute_value_invalid"),
        (#"{"attributes":{"a":"\u0000"}}"#, "attribute_value_invalid"),
        (#"{"attributes":{"a":1}}"#, "parameter_invalid"),
        (#"{"attributes":[]}"#, "parameter_invalid"),
        (#"{"attribute":{}}"#, "parameter_unknown"),
    ])
    func `that are invalid are rejected and not stored`(body: String, code: String) async throws {
        let server = try await ServerFixture()
        for method in [HTTPRequest.Method.put, .patch] {
            let answer = try await server.send(method, Self.path, body: body)
            #expect(answer.status == 400)
            #expect(try answer.errorCode() == code)
        }
        #expect(try await server.send(.get, Self.path).errorCode() == "customer_not_found")
    }

    @Test func `are limited in number`() async throws {
        let server = try await ServerFixture()
        let texts = (0..<50).map { #""a\#($0)":"""# }.joined(separator: ",")
        #expect(try await server.send(.put, Self.path, body: #"{"attributes":{\#(texts)}}"#).status == 200)
        let more = try await server.send(.patch, Self.path, body: #"{"attributes":{"b":"1"}}"#)
        #expect(try more.errorCode() == "too_many_attributes")
        let swapped = try await server.send(.patch, Self.path, body: #"{"attributes":{"b":"1","a0":null}}"#)
        #expect(swapped.status == 200)
    }

    @Test(arguments: permutations(of: [0, 1, 2]))
    func `of two identifiers are merged, and the last write wins`(order: [Int]) async throws {
        let server = try await ServerFixture()
        for (index, name) in ["a_1", "a_2", "u_1"].enumerated() {
            server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + Int64(index)))
            let body = #"{"attributes":{"plan":"of \#(name)","only_\#(name)":"x"}}"#
            _ = try await server.send(.put, "/v1/customers/\(name)/attributes", body: body)
        }
        for index in order where index < 2 {
            let body = #"{"alias":"a_\#(index + 1)"}"#
            #expect(try await server.send(.post, "/v1/customers/u_1/aliases", body: body).status == 200)
        }
        let expected = Self.object(["only_a_1": "x", "only_a_2": "x", "only_u_1": "x", "plan": "of u_1"])
        #expect(try await Self.attributes(server) == expected)
        #expect(try await Self.attributes(server, of: "a_2") == expected)
    }
}
