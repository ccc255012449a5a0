import Foundation
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// Random histories of customers: a server on the imported database gives the same answers.
@Suite struct `A server on an imported database` {
    @Test(arguments: CopyEngine.pairs, [1, 2, 3] as [UInt64])
    func `gives every answer that the old one gave, and goes on alike`(pair: CopyPair, seed: UInt64) async throws {
        try await withCopyFolder { folder in
            let (source, target) = (try await pair.from.open(in: folder), try await pair.to.open(in: folder))
            var simulation = try OwnershipSimulation(server: try await ServerFixture(database: source), seed: seed)
            let server = simulation.server
            try await simulation.begin()
            let definition = #"{"product_ids":["pro.monthly","pro.yearly"]}"#
            #expect(try await server.send(.put, "/v1/entitlements/pro", body: definition).status == 200)
            for step in 0..<40 {
                try await simulation.advance()
                if step % 8 == 0 {
                    let grant = #"{"entitlement_id":"vip"}"#
                    _ = try await server.send(.post, "/v1/customers/u_\(step % 3)/grants", body: grant)
                }
            }
            let export = folder.appendingPathComponent("export").path
            _ = try await DatabaseExport(of: source, to: export, withKeys: true).run()
            _ = try await DatabaseImport(into: target, from: export).run()
            #expect(try await source.allRows() == target.allRows())
            let copy = try await ServerFixture(database: target, apple: server.apple)
            copy.time.advance(to: server.time.now())
            let before = try await answers(of: server)
            #expect(before.count > 20)
            #expect(try await answers(of: copy) == before)
            // The same operations have the same effects, such as the next sequence number.
            let signed = try server.apple.sign(
                SignedApple.period(id: "2000000000000099", original: "2000000000000099")
            )
            for server in [server, copy] {
                #expect(try await server.submit(signed, customer: "u_9").status == 200)
            }
            let after = try await answers(of: server)
            #expect(after != before)
            #expect(try await answers(of: copy) == after)
            try await source.close()
            try await target.close()
        }
    }

    /// The bodies of all answers about all customers, and the feed from its beginning.
    private func answers(of server: ServerFixture) async throws -> [String: String] {
        let customers = try await server.database.read { storage throws(StorageError) in
            try storage.customers(of: ServerFixture.app, after: nil, limit: 1_000).map(\.id.rawValue)
        }
        var paths = ["/v1/events?limit=1000", "/v1/entitlements", "/v1/products", "/v1/app"]
        for customer in customers {
            let path = "/v1/customers/\(customer)"
            paths += ["", "/entitlements", "/timeline", "/grants", "/export", "?explain=true"].map { path + $0 }
        }
        var answers: [String: String] = [:]
        for path in paths {
            let answer = try await server.send(.get, path)
            // The text of an error has the number of the request.
            answers[path] =
                "\(answer.status) " + (answer.status == 200 ? String(decoding: answer.bytes, as: UTF8.self) : "")
        }
        return answers
    }
}
