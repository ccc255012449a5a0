import Foundation
import LocalAppStoreServer
import NIOHTTP1

/// A path in a separate folder, which is removed afterwards.
func withDataFile(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
        try await body(folder.appendingPathComponent("store.data").path)
    } catch {
        try FileManager.default.removeItem(at: folder)
        throw error
    }
    try FileManager.default.removeItem(at: folder)
}

extension RunningStore {
    /// The store's answers about itself, byte for byte.
    func everything() async throws -> [String] {
        var texts: [String] = []
        let paths = [
            "status", "credentials", "keys", "settings", "catalog", "clock", "accounts", "notifications", "snapshots",
        ]
        for path in paths {
            texts.append(try await get("/_store/\(path)").text)
        }
        return texts
    }
}
