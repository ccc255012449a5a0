import AppStoreTestAuthorities
import Foundation
import Logging
import PerennialPrimitives
import Testing

@testable import LocalAppStore
@testable import LocalAppStoreServer

/// Opening the store's file: the same records, or an error.
@Suite struct `Opening the store's file` {
    private static let day: Int64 = 86_400_000

    @Test func `all records of a population and its notifications are as they were saved`() async throws {
        try await withDataFile { path in
            let keys = try StoreKeys.forOneTest()
            let origin = try newStore(keys)
            var store = origin
            _ = try store.populate(PopulationRequest(accounts: 1_000, months: 12, seed: 1))
            try store.setNotificationEndpoint(url: "http://127.0.0.1:1/")
            _ = try store.createAccount(accountId: "anna")
            _ = try store.purchase(accountId: "anna", request: PurchaseRequest(productId: "pro.weekly"))
            try store.step(to: store.now + 8 * Self.day)
            let file = try StoreFile(path: path)
            try file.save(store, openedAs: origin, keys: keys)
            let saved = try #require(try file.load())
            let opened = saved.store
            #expect(store.ledger.transactions.count > 4_096 && !store.notificationLog.records.isEmpty)
            #expect(opened.ledger.accounts.elementsEqual(store.ledger.accounts))
            #expect(opened.ledger.subscriptions.elementsEqual(store.ledger.subscriptions))
            #expect(opened.ledger.transactions.elementsEqual(store.ledger.transactions))
            #expect(opened.ledger.journal.entries.elementsEqual(store.ledger.journal.entries))
            #expect(opened.notificationLog.records.elementsEqual(store.notificationLog.records))
            #expect(opened.ledger.upgrades == store.ledger.upgrades)
        }
    }

    @Test func `damaged records with the right checksum are refused or decoded, without further effect`() async throws {
        try await withDataFile { path in
            let keys = try StoreKeys.forOneTest()
            let origin = try newStore(keys)
            var store = origin
            _ = try store.createAccount(accountId: "anna")
            _ = try store.purchase(accountId: "anna", request: PurchaseRequest(productId: "pro.weekly"))
            let file = try StoreFile(path: path)
            try file.save(store, openedAs: origin, keys: keys)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            let content = Array(try #require(try StoreFileFrame.entries(of: Array(bytes), path: path).first))
            let line = try #require(Data(content).range(of: Data("list store/ledger/transactions ".utf8)))
            let start = try #require(content[line.upperBound...].firstIndex(of: UInt8(ascii: "\n"))) + 1
            var random = SplitMix64(seed: 1)
            var refused = 0
            for _ in 0..<60 {
                var changed = content
                let position = start + Int.random(in: 0..<300, using: &random)
                changed[position] = UInt8.random(in: 0 ... .max, using: &random)
                let framed = StoreFileFrame.head + StoreFileFrame.framed(changed, number: 0)
                try Data(framed).write(to: URL(fileURLWithPath: path))
                do throws(StoreFileError) {
                    _ = try file.load()
                } catch {
                    #expect(error.code == .damaged)
                    refused += 1
                }
            }
            #expect(refused > 5)
        }
    }

    @Test func `the description of a server has nothing of its store`() throws {
        let keys = try StoreKeys.forOneTest()
        let server = LocalAppStoreServer(
            store: try newStore(keys),
            key: keys.clientKey,
            rootCertificatePEM: keys.authority.rootCertificatePEM,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            realSeconds: { 0 },
            onListening: { _ in }
        )
        #expect("\(server)" == "LocalAppStoreServer")
    }

    private func newStore(_ keys: StoreKeys) throws -> LocalAppStore {
        LocalAppStore(
            configuration: LocalAppStore.Configuration(seed: 7),
            catalog: try Catalog.example(),
            signer: keys.signer,
            receipts: keys.receipts,
            now: RunningStore.start
        )
    }
}
