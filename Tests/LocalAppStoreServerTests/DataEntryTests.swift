import AppStoreModel
import Foundation
import LocalAppStore
import LocalAppStoreServer
import NIOHTTP1
import Testing

/// The entries that commands append to a store's file.
struct DataEntryTests {
    @Test func `after each command the file is the store as it stands, whatever the command changed`() async throws {
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

    @Test func `an entry that is cut off anywhere is left out, and the commands before it stand`() async throws {
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

    @Test func `a bit that changed in any entry is damage, and the file stays as it is`() async throws {
        try await withDataFile { path in
            let (before, after) = try await withKeptStore(path) { store in
                _ = try await store.buy("lifetime", account: "first")
                let before = try Data(contentsOf: URL(fileURLWithPath: path))
                _ = try await store.buy("lifetime", account: "second")
                return (before.count, try Data(contentsOf: URL(fileURLWithPath: path)))
            }
            let places = [before / 2, before + 3, before + 8, before + 12, (before + after.count) / 2, after.count - 1]
            for place in places {
                var changed = after
                changed[place] ^= 1
                try changed.write(to: URL(fileURLWithPath: path))
                #expect { _ = try StoreFile(path: path).load() } throws: {
                    ($0 as? StoreFileError)?.code == .damaged
                }
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == changed)
            }
        }
    }

    @Test func `what a command appends does not grow with the store`() async throws {
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

    @Test func `a file to which more was appended than the store is long is replaced`() async throws {
        try await withDataFile { path in
            let killed = path + ".killed"
            let before = try await withKeptStore(path) { store in
                for number in 0..<8 { _ = try await store.buy("pro.weekly", account: "c\(number)") }
                _ = try await store.advance(by: "P70D")
                // Each appends the whole store, and means nothing soon after.
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
