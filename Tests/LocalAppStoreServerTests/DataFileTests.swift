import AppStoreModel
import AppStoreSigning
import Foundation
import LocalAppStore
import LocalAppStoreServer
import NIOHTTP1
import Testing

/// The store's file: the restored state, and refused files.
@Suite struct `The store's file` {
    @Test func `a store continues after a restart as if it had not stopped`() async throws {
        try await withDataFile { path in
            let before = try await withKeptStore(path) { store in
                _ = try await store.buy("pro.weekly")
                _ = try await store.post("/_store/snapshots", ["name": "sold"])
                _ = try await store.put("/_store/settings", ["gracePeriod": "three_days"])
                _ = try await store.advance(by: "P8D")
                return try await store.everything()
            }
            let after = try await withKeptStore(path) { store in
                let everything = try await store.everything()
                #expect(try await store.advance(by: "P7D")["steps"].integerValue == 1)
                #expect(try await store.post("/_store/snapshots/sold/restore").status == 200)
                #expect(try await store.get("/_store/status").json["transactions"].integerValue == 1)
                return everything
            }
            #expect(after == before)
        }
    }

    @Test func `answered commands are in the file: a copy equals the store at that time`() async throws {
        try await withDataFile { path in
            let killed = path + ".killed"
            let before = try await withKeptStore(path) { store in
                _ = try await store.buy("pro.monthly")
                _ = try await store.advance(by: "P40D")
                try FileManager.default.copyItem(atPath: path, toPath: killed)
                return try await store.everything()
            }
            let after = try await withKeptStore(killed) { try await $0.everything() }
            #expect(after == before)
        }
    }

    @Test func `delivery results are kept after a restart, and failed ones are retried`() async throws {
        try await withDataFile { path in
            try await withDeveloperServer { developer in
                await developer.log.answerNotifications([200, 503])
                let before = try await withKeptStore(path, environment: .production) { store in
                    let endpoint = JSONValue.string(developer.notificationURL)
                    _ = try await store.put("/_store/notification-endpoint", ["url": endpoint])
                    for account in ["a", "b"] { _ = try await store.buy("pro.monthly", account: account) }
                    return try await store.get("/_store/notifications").json
                }
                let attempts = before["notifications"].arrayValue?.map { $0["attempts"].arrayValue?.count }
                #expect(attempts == [1, 1])
                try await withKeptStore(path, environment: .production) { store in
                    let after = try await store.get("/_store/notifications").json
                    #expect(after == before)
                    let report = try await store.advance(by: "PT1H")
                    #expect(report["notifications"]["sent"] == 1)
                }
                #expect(await developer.log.payloads.count == 3)
            }
        }
    }

    @Test func `after a crash new content has a later signing date than earlier reads`() async throws {
        try await withDataFile { path in
            let killed = path + ".killed"
            let path2000 = "/inApps/v1/transactions/2000000000000001"
            let read = try await withKeptStore(path) { store in
                _ = try await store.buy("lifetime")
                _ = try await store.advance(by: "P1D")
                try FileManager.default.copyItem(atPath: path, toPath: killed)
                let jws = try await store.apple(.GET, path2000).json["signedTransactionInfo"].stringValue ?? ""
                return try store.verifier.verifyTransaction(jws).get().signedDate
            }
            try await withKeptStore(killed) { store in
                _ = try await store.post("/_store/transactions/2000000000000001/refund")
                let jws = try await store.apple(.GET, path2000).json["signedTransactionInfo"].stringValue ?? ""
                let refunded = try store.verifier.verifyTransaction(jws).get()
                #expect(refunded.revocationDate != nil)
                #expect(refunded.signedDate > read)
            }
        }
    }

    @Test func `concurrent commands are all in the file when they are answered`() async throws {
        try await withDataFile { path in
            try await withKeptStore(path) { store in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 1...50 {
                        group.addTask { _ = try await store.buy("lifetime", account: "customer-\(number)") }
                    }
                    try await group.waitForAll()
                }
                try FileManager.default.copyItem(atPath: path, toPath: path + ".killed")
            }
            try await withKeptStore(path + ".killed") { store in
                let status = try await store.get("/_store/status").json
                #expect(status["transactions"].integerValue == 50)
            }
        }
    }

    @Test func `only the owner can read the file, because it contains keys`() async throws {
        try await withDataFile { path in
            try await withKeptStore(path) { _ = try await $0.buy("lifetime") }
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `a file that another store uses is refused`() async throws {
        try await withDataFile { path in
            let held = try StoreFile(path: path)
            expectRefusal(.inUse) { _ = try StoreFile(path: path) }
            #expect(held.path.hasSuffix("store.data"))
        }
    }

    @Test func `a missing folder is refused`() throws {
        expectRefusal(.unreadable) { _ = try StoreFile(path: "/nowhere/at/all/store.data") }
    }

    @Test(arguments: Damage.allCases)
    func `an incomplete file is refused and stays unchanged`(damage: Damage) async throws {
        try await withDataFile { path in
            try await withKeptStore(path) { _ = try await $0.buy("pro.monthly") }
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            let bytes = damage.applied(to: Array(whole))
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            expectRefusal(damage.code) { _ = try StoreFile(path: path).load() }
            #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == bytes)
        }
    }

    /// The damage to a file.
    enum Damage: String, CaseIterable, Sendable {
        case cutShort, longer, oneBitInside, firstLineOnly, empty, foreign, newer, older, nonsenseVersion
        case otherContent, noEntry

        var code: StoreFileError.Code {
            switch self {
            case .cutShort, .longer, .oneBitInside, .firstLineOnly, .nonsenseVersion, .otherContent, .noEntry: .damaged
            case .empty, .foreign: .foreign
            case .newer: .newer
            case .older: .older
            }
        }

        func applied(to bytes: [UInt8]) -> [UInt8] {
            let lineEnd = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0
            switch self {
            case .cutShort: return Array(bytes.dropLast())
            case .longer: return bytes + [0x20]
            case .oneBitInside:
                var changed = bytes
                changed[bytes.count / 2] ^= 1
                return changed
            case .firstLineOnly: return Array(bytes[...lineEnd])
            case .empty: return []
            case .foreign: return Array("{\"version\": 1}\n".utf8)
            case .newer: return Array("perennial-store-data 5\n".utf8)
            case .nonsenseVersion: return Array("perennial-store-data one\n".utf8)
            case .older: return Array("perennial-store-data 2\nentry 0 2 8f44b07b5901a25 0\n{}".utf8)
            case .noEntry: return bytes[...lineEnd] + Array("something else\n".utf8)
            // A complete file whose single entry is not a store.
            case .otherContent:
                let line = "entry 0 15 cd5247ad3475d45d 79f95ea028f96193"
                return Array("perennial-store-data 4\n\(line)\nvalue desk 2\n{}".utf8)
            }
        }
    }
}

private func expectRefusal(_ code: StoreFileError.Code, _ body: () throws -> Void) {
    #expect { try body() } throws: { ($0 as? StoreFileError)?.code == code }
}
