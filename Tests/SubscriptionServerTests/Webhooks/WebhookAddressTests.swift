import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import Testing

@testable import SubscriptionOperations

/// The address of an endpoint may contain a secret, as that of a chat's hook does.
@Suite struct `The address of a webhook endpoint` {
    private static let url = "https://example.com/webhooks/B0CHANNEL?token=s3cr3t"

    /// A key or an operator for each scope below `admin`, and the header that an operator needs.
    private static func readers(_ server: ServerFixture) async throws -> [(key: String, headers: HTTPFields)] {
        var readers: [(key: String, headers: HTTPFields)] = []
        for scope in KeyScope.allCases where scope < .admin {
            let draft = APIKeys.Draft(kind: .secret, scope: scope)
            let key = try await server.services.apiKeys.create(draft, app: ServerFixture.app, by: Operator("test")).text
            readers.append((key, [:]))
        }
        let hashing = PasswordHashing(cost: OperatorScene.cost)
        let operators = OperatorAdministration(database: server.database, hashing: hashing, time: server.time)
        let viewer = try await operators.add("anna", role: .viewer, apps: nil, key: .init(), by: Operator("test"))
        let name = try #require(HTTPField.Name("Perennial-App"))
        readers.append((viewer, [name: ServerFixture.app.rawValue]))
        return readers
    }

    @Test func `is shown to admins only; others see scheme, host and port`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint(url: Self.url)
        let path = "/v1/webhook_endpoints/\(id)"
        let changed = #"{"url":"\#(Self.url)2"}"#
        #expect(try await scene.server.send(.patch, path, body: changed).status == 200)
        let full = try await scene.show(id)
        #expect(try full.string("url") == Self.url + "2")
        #expect(try full.bool("url_hidden") == false)
        let readers = try await Self.readers(scene.server)
        #expect(readers.count == 4)
        for (key, headers) in readers {
            let shown = try await scene.server.send(.get, path, key: key, headers: headers)
            #expect(try shown.string("url") == "https://example.com")
            #expect(try shown.bool("url_hidden") == true)
            let list = try await scene.server.send(.get, "/v1/webhook_endpoints", key: key, headers: headers)
            #expect(try list.objects("data").map { $0["url"] } == ["https://example.com"])
            for answer in [shown, list] {
                let text = String(decoding: answer.bytes, as: UTF8.self)
                #expect(!text.contains("s3cr3t") && !text.contains("B0CHANNEL"))
            }
        }
    }

    @Test func `is in the audit log as its origin and a digest, for everybody`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint(url: Self.url)
        let path = "/v1/webhook_endpoints/\(id)"
        let changed = #"{"url":"https://example.com/other?token=s3cr3t"}"#
        #expect(try await scene.server.send(.patch, path, body: changed).status == 200)
        #expect(try await scene.server.send(.delete, path).status == 200)
        var readers = try await Self.readers(scene.server)
        readers.append((ServerFixture.secret, [:]))
        for (key, headers) in readers {
            let log = try await scene.server.send(.get, "/v1/audit_log", key: key, headers: headers)
            #expect(log.status == 200)
            let text = String(decoding: log.bytes, as: UTF8.self)
            #expect(!text.contains("s3cr3t") && !text.contains("B0CHANNEL"))
            let entries = try log.objects("data")
            let entry = try #require(entries.first { $0["action"] == "webhook_endpoint.changed" })
            let (before, after) = (entry["before"]?.objectValue, entry["after"]?.objectValue)
            #expect(before?["url"] == "https://example.com" && after?["url"] == "https://example.com")
            #expect(before?["url_sha256"] != nil && before?["url_sha256"] != after?["url_sha256"])
        }
    }

    @Test func `is hidden in entries of earlier versions, except from admins`() async throws {
        let scene = try await WebhookScene()
        _ = try await scene.endpoint(url: Self.url)
        let found = try await scene.server.database.read { storage throws(StorageError) in
            try storage.auditChain(of: ServerFixture.app, after: 0, limit: 10)
        }
        var entry = try #require(found.first { $0.action == "webhook_endpoint.created" })
        entry.after = #"{"url":"\#(Self.url)"}"#
        try await scene.server.database.write { [entry] storage throws(StorageError) in
            try storage.save(entry, in: ServerFixture.app)
        }
        func urls(_ key: String, _ headers: HTTPFields = [:]) async throws -> [JSONValue?] {
            try await scene.server.send(.get, "/v1/audit_log", key: key, headers: headers).objects("data")
                .filter { $0["action"] == "webhook_endpoint.created" }.map { $0["after"]?.objectValue?["url"] }
        }
        for (key, headers) in try await Self.readers(scene.server) {
            #expect(try await urls(key, headers) == ["https://example.com"])
        }
        #expect(try await urls(ServerFixture.secret) == [.string(Self.url)])
    }

    @Test(arguments: [
        ("https://Example.com:8443/a?b", "https://example.com:8443"),
        ("http://[2001:db8::1]:80/x", "http://[2001:db8::1]:80"),
        ("https://example.com", "https://example.com"), ("https://example.com?token=x", "https://example.com"),
        ("https://user:secret@example.com/x", "https://example.com"), ("https://example.com#x", "https://example.com"),
        ("https://example.com\\@x/", "https://example.com"), ("token", ""), ("", ""),
    ])
    func `has an origin without path, query and user`(url: String, origin: String) {
        #expect(WebhookEndpoint.origin(of: url) == origin)
    }
}
