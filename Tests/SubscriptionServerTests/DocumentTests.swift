import AppStoreModel
import HTTPTypes
import Hummingbird
import Logging
import SubscriptionServer
import Testing

/// Compares the description of the API at `/openapi.yaml` with the routes.
@Suite struct `The server's OpenAPI document` {
    @Test
    func `contains exactly the existing routes`() async throws {
        let fixture = try await ServerFixture()
        let clock = ClockController(
            time: fixture.time,
            duePurchases: fixture.services.duePurchases,
            works: fixture.services.settledWork,
            webhooks: fixture.services.webhookDispatcher,
            tokens: ["sk_store"]
        )
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let router = buildRouter(services: fixture.services, clock: clock, logger: logger)
        #expect(Self.documentedRoutes() == router.routes.map(\.description).sorted())
    }

    @Test
    func `is served without a key, byte for byte`() async throws {
        let answer = try await ServerFixture().send(.get, "/openapi.yaml", key: nil)
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType] == "application/yaml")
        #expect(String(decoding: answer.bytes, as: UTF8.self) == DocumentController.document)
    }

    @Test(arguments: [
        (HTTPRequest.Method.patch, "/v1/customers/u_1", "GET"), (.delete, "/v1/apple/notifications", "GET, POST"),
        (.get, "/v1/transactions", "POST"), (.post, "/healthz", "GET"), (.trace, "/v1/entitlements/pro", "PUT"),
    ])
    func `is enforced by 405 with the allowed methods`(
        method: HTTPRequest.Method,
        path: String,
        allowed: String
    ) async throws {
        let answer = try await ServerFixture().send(method, path)
        #expect(answer.status == 405)
        #expect(try answer.errorCode() == "method_not_allowed")
        let names = Set(try #require(answer.headers[.allow]).split(separator: ", ").map(String.init))
        #expect(names.isSuperset(of: allowed.split(separator: ", ").map(String.init)))
        #expect(!names.contains(method.rawValue))
    }

    /// On a persistent connection, a client would parse the content as the next response.
    @Test(arguments: ["/healthz", "/v1/customers/u_1", "/nothing"])
    func `defines no HEAD response with content`(path: String) async throws {
        let answer = try await ServerFixture().send(.head, path)
        #expect(answer.status >= 400 && answer.bytes.isEmpty)
    }

    @Test(arguments: ["/v1", "/v1/customer", "/v1/customers/u_1/else", "/v2/customers/u_1"])
    func `does not cover an unknown path, which is 404 for every method`(path: String) async throws {
        for method in [HTTPRequest.Method.get, .post, .put, .delete] {
            let answer = try await ServerFixture().send(method, path)
            #expect(answer.status == 404)
            #expect(try answer.errorCode() == "route_not_found")
        }
    }

    @Test
    func `has the version that the root path returns`() async throws {
        let answer = try await ServerFixture().send(.get, "/", key: nil)
        #expect(answer.status == 200)
        let body = try answer.json()
        #expect(body["name"] == "perennial")
        #expect(body["version"] == .string(ProgramVersion.current))
        let described = DocumentController.document.split(separator: "\n").first { $0.hasPrefix("  version: ") }
        let version = try #require(described).split(separator: "\"")[1]
        #expect(ProgramVersion.current.hasPrefix(version + "."))
    }

    /// `GET /path` for each operation in `paths:`, found by indentation.
    private static func documentedRoutes() -> [String] {
        let methods: Set<String> = ["get", "put", "post", "delete", "patch", "head", "options"]
        var routes: [String] = []
        var path = ""
        let lines = DocumentController.document.split(separator: "\n").drop { $0 != "paths:" }.dropFirst()
        for line in lines.prefix(while: { $0.first == " " }) {
            let name = line.drop { $0 == " " }.prefix { $0 != ":" }
            switch line.prefix(while: { $0 == " " }).count {
            case 2: path = String(name)
            case 4 where methods.contains(String(name)): routes.append("\(name.uppercased()) \(path)")
            default: break
            }
        }
        return routes.sorted()
    }
}
