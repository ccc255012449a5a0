import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// An endpoint gets the events of its own app and environment.
@Suite struct `Webhooks of several apps` {
    private static let other = AppRecord(
        bundleID: "com.example.other",
        environment: .production,
        appleID: 640_000_0002
    )
    private static let otherSecret = "sk_other6789abcdef012345"
    private static let hosts = ["main", "sandbox", "other"]

    private struct Scene {
        let scene: WebhookScene
        /// The endpoints of the app, of its sandbox, and of the other app.
        let ids: [String]

        static let keys = [ServerFixture.secret, ServerFixture.sandboxSecret, otherSecret]
        static let apps = [
            ServerFixture.app, AppID(bundleID: ServerFixture.bundle, environment: .sandbox), other.id,
        ]

        init() async throws {
            scene = try await WebhookScene()
            let now = scene.server.time.now()
            try await scene.server.database.write { storage throws(StorageError) in
                try storage.save(other)
                let key = KeyIssuing.record(of: otherSecret, app: other.id, createdAt: now)
                if let key { try storage.insert(key) }
            }
            var ids: [String] = []
            for (host, key) in zip(hosts, Self.keys) {
                let body = #"{"url":"https://\#(host).example.com/","after":"beginning"}"#
                let made = try await scene.server.send(.post, "/v1/webhook_endpoints", key: key, body: body)
                ids.append(try #require(try made.string("id")))
            }
            self.ids = ids
        }

        /// Appends an event about a customer who has the same name in each app.
        func append(to app: AppID) async throws {
            let now = scene.server.time.now()
            try await scene.server.database.write { storage throws(StorageError) in
                let customer = CustomerRecord(id: CustomerID("u_42"), firstSeenAt: now, stateVersion: 1)
                try storage.save(customer, of: app)
                let event = SubscriptionEvent(kind: .renewed, occurredAt: now)
                try storage.append([event], customer: customer, recordedAt: now, app: app)
            }
        }

        func send(_ method: HTTPRequest.Method, _ path: String, as index: Int) async throws -> Answer {
            try await scene.server.send(method, path, key: Self.keys[index])
        }
    }

    @Test(arguments: 0..<3) func `go to the endpoints of the event's app and environment only`(
        index: Int
    ) async throws {
        let scene = try await Scene()
        try await scene.append(to: Scene.apps[index])
        try await scene.scene.settle()
        #expect(scene.scene.receivers.received.map(\.url) == ["https://\(Self.hosts[index]).example.com/"])
        for (other, id) in scene.ids.enumerated() {
            let list = try await scene.send(.get, "/v1/webhook_deliveries?endpoint_id=\(id)", as: other)
            #expect(try list.objects("data").count == (other == index ? 1 : 0))
        }
    }

    @Test func `are listed, shown and sent again with a key of their app only`() async throws {
        let scene = try await Scene()
        for app in Scene.apps { try await scene.append(to: app) }
        try await scene.scene.settle()
        #expect(scene.scene.receivers.received.count == 3)
        for (index, id) in scene.ids.enumerated() {
            let list = "/v1/webhook_deliveries?endpoint_id=\(id)"
            let own = try await scene.send(.get, list, as: index).objects("data")
            let delivery = try #require(own.first?["id"]?.stringValue)
            let path = "/v1/webhook_deliveries/\(delivery)"
            for other in scene.ids.indices where other != index {
                #expect(try await scene.send(.get, list, as: other).status == 404)
                #expect(try await scene.send(.get, path, as: other).status == 404)
                #expect(try await scene.send(.post, path + "/resend", as: other).status == 404)
            }
            #expect(try await scene.send(.get, path, as: index).status == 200)
            let about = try await scene.send(.get, "/v1/webhook_deliveries?app_user_id=u_42", as: index)
            #expect(try about.objects("data").map { $0["id"] } == [.string(delivery)])
        }
        try await scene.scene.settle()
        #expect(scene.scene.receivers.received.count == 3)
    }

    /// A change is checked as a new endpoint is.
    @Test func `are not called at an address that a change may not name`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint()
        let path = "/v1/webhook_endpoints/\(id)"
        scene.receivers.refuse("https://intern.example.com/")
        for url in ["https://intern.example.com/", "http://example.com/", "example.com"] {
            let refused = try await scene.server.send(.patch, path, body: #"{"url":"\#(url)","label":"x"}"#)
            #expect(refused.status == 400, "\(url)")
            #expect(try refused.errorCode() == "webhook_url_refused", "\(url)")
        }
        let shown = try await scene.show(id)
        #expect(try shown.string("url") == WebhookScene.url)
        #expect(try shown.string("label") == nil)
        try await scene.append(["a"])
        try await scene.settle()
        #expect(scene.receivers.received.map(\.url) == [WebhookScene.url])
    }
}
