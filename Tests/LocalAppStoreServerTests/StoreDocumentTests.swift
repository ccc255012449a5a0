import AppStoreModel
import Testing

/// The document at `/_store/openapi.yaml`, compared with the actual calls.
@Suite struct `The store's OpenAPI document` {
    @Test func `the document has exactly the existing calls`() async throws {
        try await withStore { store in
            let document = try await store.get("/_store/openapi.yaml")
            #expect(document.status == 200 && document.contentType == "application/yaml")
            let calls = try await store.get("/_store").json["calls"].arrayValue ?? []
            #expect(calls.count > 100)
            #expect(Self.documentedCalls(document.text) == calls.compactMap(\.stringValue).sorted())
        }
    }

    @Test func `each call of Apple's table has exactly one route`() async throws {
        try await withStore { store in
            let routes = try await store.get("/_store").json["calls"].arrayValue?.compactMap(\.stringValue) ?? []
            let roots = Set(AppStoreServerCall.all.compactMap { $0.path.split(separator: "/").first })
            let apples = routes.filter { $0.split(separator: "/").dropFirst().first.map { roots.contains($0) } == true }
            let table = AppStoreServerCall.all.map { Self.withoutNames($0.description) }
            #expect(apples.map(Self.withoutNames).sorted() == table.sorted())
        }
    }

    /// A call without the names of its path parameters.
    private static func withoutNames(_ call: String) -> String {
        call.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : $0 }.joined(separator: "/")
    }

    /// `GET /path` for each operation below `paths:`, by the document's indentation.
    private static func documentedCalls(_ document: String) -> [String] {
        let methods: Set<String> = ["get", "put", "post", "delete", "patch", "head"]
        var calls: [String] = []
        var path = ""
        let lines = document.split(separator: "\n").drop { $0 != "paths:" }.dropFirst()
        for line in lines.prefix(while: { $0.first == " " }) {
            let name = line.drop { $0 == " " }.prefix { $0 != ":" }
            switch line.prefix(while: { $0 == " " }).count {
            case 2: path = String(name)
            case 4 where methods.contains(String(name)): calls.append("\(name.uppercased()) \(path)")
            default: break
            }
        }
        return calls.sorted()
    }
}
