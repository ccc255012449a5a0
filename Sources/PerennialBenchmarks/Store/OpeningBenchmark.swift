import AppStoreSigning
import AppStoreTestAuthorities
import Foundation
import LocalAppStore
import LocalAppStoreServer

/// Measures how long it takes to open the data file of a store.
struct OpeningBenchmark {
    private static let rounds = 3

    /// Customers of the silent population in the file.
    let accounts: Int
    /// Its number of months.
    let months: Int
    /// The time of the store, milliseconds since 1970.
    let now: Int64

    /// Writes the file, and opens it and reads its bytes in alternating rounds.
    ///
    /// - Returns: Medians.
    /// - Throws: Errors of the store, of its file and of the file system.
    func run() throws -> StoreBenchReport.Opening {
        let folder = try BenchmarkFolder()
        defer { folder.remove() }
        let file = try StoreFile(path: folder.url.appendingPathComponent("store.data").path)
        let report = try write(to: file)
        var (opening, cpu, reading): ([Double], [Double], [Double]) = ([], [], [])
        var bytes = 0
        let clock = ContinuousClock()
        for _ in 0..<Self.rounds {
            let (start, cpuStart) = (clock.now, ProcessClock.now())
            let subscriptions = try file.load()?.store.status.subscriptions
            opening.append((clock.now - start).inSeconds)
            cpu.append(Double(ProcessClock.now() - cpuStart) / 1e9)
            guard subscriptions == report.subscriptions else { throw BenchmarkError.storeNotRead }
            let middle = clock.now
            bytes = try Data(contentsOf: URL(fileURLWithPath: file.path)).count
            reading.append((clock.now - middle).inSeconds)
        }
        return StoreBenchReport.Opening(
            subscriptions: report.subscriptions,
            transactions: report.transactions,
            bytes: bytes,
            seconds: Statistics.median(opening),
            cpuSeconds: Statistics.median(cpu),
            readingSeconds: Statistics.median(reading)
        )
    }

    private func write(to file: StoreFile) throws -> PopulationReport {
        let keys = try StoreKeys(authority: TestAuthority(), clientKey: InAppPurchaseKey.generate())
        let origin = LocalAppStore(
            configuration: LocalAppStore.Configuration(seed: 1),
            catalog: try Catalog.example(),
            signer: keys.signer,
            receipts: keys.receipts,
            now: now
        )
        var store = origin
        let report = try store.populate(PopulationRequest(accounts: accounts, months: months, seed: 1))
        try file.save(store, openedAs: origin, keys: keys)
        return report
    }
}
