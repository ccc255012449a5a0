import Foundation
import PerennialCommandSupport

/// A temporary folder of a benchmark. Set `TMPDIR` to measure on another disk.
struct BenchmarkFolder {
    /// Its path.
    let url: URL

    /// Makes the folder.
    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// The file of a temporary SQLite database.
    func databaseFile(_ name: String = "perennial") -> URL { url.appendingPathComponent("\(name).db") }

    /// A temporary SQLite database.
    func database(_ name: String = "perennial") -> EmptyDatabase {
        EmptyDatabase(address: "sqlite:\(databaseFile(name).path)")
    }

    /// Removes the folder. What cannot be removed stays: the operating system clears temporary folders.
    func remove() { try? FileManager.default.removeItem(at: url) }
}
