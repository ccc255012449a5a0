import AppStoreModel
import Foundation
import LocalAppStore
import LocalAppStoreServer
import NIOHTTP1
import Testing

/// The entries that commands append to a store's file.
@Suite struct `Entries of the store's file` {
    @Test func `after each command the file equals the current store, whatever the command changed`() async throws {
        try await withDataFile { path in
            var states: [[String]] = []
            try await withKeptStore(path) { store in
                for command in Self.commands {
                    try await command(store)
                    try FileManager.default.copyItem(atPath: path, toPath: "\(path).\(states.count)")
                    states.append(try await store.everything())
                }
            }
            for (number, state) in states.enumerated() {
                let reopened = try await withKeptStore("\(path).\(number)") { try await $0.everything() }
                #expect(reopened == state)
            }
        }
    }

    private static let commands: [@Sendable (RunningStore) async throws -> Void] = [
        { _ = try await $0.buy("pro.weekly") },
        { _ = try await $0.buy("coins.100", account: "other") },
        { _ = try await $0.post("/_store/snapshots", ["name": "two"]) },
        { _ = try await $0.advance(by: "P30D") },
        { _ = try await $0.post("/_store/transactions/2000000000000001/refund") },
        { _ = try await $0.post("/_store/snapshots/two/restore") },
        { _ = try await $0.put("/_store/settings", ["gracePeriod": "three_days"]) },
        { _ = try await $0.send(.DELETE, "/_store/snapshots/two") },
        { _ = try await $0.advance(by: "P8D") },
        { _ = try await $0.post("/_store/reset") },
        { _ = try await $0.buy("pro.monthly", account: "new") },
    ]

    @Test func `timers that only differ in their owner reach the file`() async throws {
        try await withDataFile { path in
            let (first, second) = try await withKeptStore(path) { store in
                let purchases = [
                    try await store.buy("pro.weekly", account: "x"), try await store.buy("pro.weekly", account: "y"),
                ]
                let first = try #require(purchases[0]["originalTransactionId"].stringValue)
                let second = try #require(purchases[1]["originalTransactionId"].stringValue)
                // Either extension has the same number and time in the queue.
                _ = try await store.post("/_store/snapshots", ["name": "none"])
                try await extend(first, store)
                _ = try await store.post("/_store/snapshots", ["name": "first"])
                _ = try await store.post("/_store/snapshots/none/restore")
                try await extend(second, store)
                _ = try await store.post("/_store/snapshots/first/restore")
                try FileManager.default.copyItem(atPath: path, toPath: "\(path).copy")
                return (first, second)
            }
            let alive = try await withKeptStore(path) { try await renewals($0) }
            let reopened = try await withKeptStore("\(path).copy") { try await renewals($0) }
            #expect(first != second && alive == reopened)
            #expect(alive.count == 2 && alive.allSatisfy { $0 > 1 })
        }
    }

    private func extend(_ id: String, _ store: RunningStore) async throws {
        let answer = try await store.apple(
            .PUT,
            "/inApps/v1/subscriptions/extend/\(id)",
            ["extendByDays": 10, "extendReasonCode": 3, "requestIdentifier": "outage"]
        )
        #expect(answer.status == 200)
    }

    /// The number of transactions of each of the two accounts after two months.
    private func renewals(_ store: RunningStore) async throws -> [Int] {
        _ = try await store.advance(by: "P2M")
        var counts: [Int] = []
        for account in ["x", "y"] {
            let report = try await store.get("/_store/accounts/\(account)").json
            counts.append(report["transactions"].arrayValue?.count ?? 0)
        }
        return counts
    }

    @Test func `a truncated entry is ignored, and the commands before it are kept`() async throws {
        try await withDataFile { path in
            let (before, after) = try await withKeptStore(path) { store in
                _ = try await store.buy("lifetime", account: "first")
                let before = try Data(contentsOf: URL(fileURLWithPath: path))
                _ = try await store.buy("lifetime", account: "second")
                return (before, try Data(contentsOf: URL(fileURLWithPath: path)))
            }
            #expect(after.starts(with: before) && after.count > before.count)
            let lengths = [before.count, before.count + 1, before.count + 20, before.count + 60, after.count - 1]
            for length in lengths {
                try after.prefix(length).write(to: URL(fileURLWithPath: path))
                let saved = try #require(try StoreFile(path: path).load())
                #expect(saved.store.status.transactions == 1)
            }
            try after.write(to: URL(fileURLWithPath: path))
            #expect(try StoreFile(path: path).load()?.store.status.transactions == 2)
        }
    }

    @Test func `a changed bit in any entry is reported as damage, and the file stays unchanged`() async throws {
        try await withDataFile { path in
            let (before, after) = try await withKeptStore(path) { store in
                _ = try await store.buy("lifetime", account: "first")
                let before = try Data(contentsOf: URL(fileURLWithPath: path))
                _ = try await store.buy("lifetime", account: "second")
                return (before.count, try Data(contentsOf: URL(fileURLWithPath: path)))
            }
            let positions = [
                before / 2, before + 3, before + 8, before + 12, (before + after.count) / 2, after.count - 1,
            ]
            for position in positions {
                var changed = after
                changed[position] ^= 1
                try changed.write(to: URL(fileURLWithPath: path))
                #expect { _ = try StoreFile(path: path).load() } throws: {
                    ($0 as? StoreFileError)?.code == .damaged
                }
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == changed)
            }
        }
    }

    @Test func `the size of an appended entry does not grow with the store`() async throws {
        func appended(customers: Int) async throws -> Int {
            var appended = 0
            try await withDataFile { path in
                appended = try await withKeptStore(path) { store in
                    for number in 0..<customers { _ = try await store.createAccount("c\(number)") }
                    let before = try size(of: path)
                    _ = try await store.createAccount("one-more")
                    return try size(of: path) - before
                }
            }
            return appended
        }
        let (few, many) = (try await appended(customers: 3), try await appended(customers: 300))
        #expect(few > 0)
        #expect(many < few + 200)
    }

    @Test func `a file is replaced when the appended part is longer than the store`() async throws {
        try await withDataFile { path in
            let killed = path + ".killed"
            let before = try await withKeptStore(path) { store in
                for number in 0..<8 { _ = try await store.buy("pro.weekly", account: "c\(number)") }
                _ = try await store.advance(by: "P70D")
                // Each appends the whole store, and is soon obsolete.
                var sizes: [Int] = []
                for _ in 0..<6 {
                    _ = try await store.post("/_store/snapshots", ["name": "passing"])
                    sizes.append(try size(of: path))
                    _ = try await store.send(.DELETE, "/_store/snapshots/passing")
                }
                #expect(zip(sizes, sizes.dropFirst()).contains { $0 > $1 })
                try FileManager.default.copyItem(atPath: path, toPath: killed)
                return try await store.everything()
            }
            #expect(try await withKeptStore(killed) { try await $0.everything() } == before)
        }
    }
}

private func size(of path: String) throws -> Int {
    try Data(contentsOf: URL(fileURLWithPath: path)).count
}

extension RunningStore {
    fileprivate func createAccount(_ name: String) async throws -> Answer {
        try await post("/_store/accounts", ["accountId": .string(name)])
    }
}
