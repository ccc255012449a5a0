import Foundation
import SubscriptionStorageSQLite

/// Reviews the volume and the permissions of the files of a SQLite database.
struct DiskReview: Sendable {
    private static let freeBytesMin: Int64 = 100 << 20
    private static let freeBytesEnough: Int64 = 1 << 30
    private static let fullPercent: Int64 = 90

    let path: String
    /// The limit of the setting `database.sqlite.bytes_max`; nil for none.
    let fileBytesMax: Int64?

    func findings() -> [DoctorFinding] {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let volume = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        let file = try? FileManager.default.attributesOfItem(atPath: path)
        let open = SQLiteDatabase.filesOpenToOthers(path: path)
        return open.map(Self.finding(openToOthers:)) + [
            finding(
                freeBytes: (volume?[.systemFreeSize] as? NSNumber)?.int64Value,
                fileBytes: (file?[.size] as? NSNumber)?.int64Value ?? 0
            )
        ]
    }

    private static func finding(openToOthers file: String) -> DoctorFinding {
        let message = "Other users may read or write this file, which contains customers' purchases."
        return .warning(.disk, "file_open_to_others", file, message, remedy: "Run chmod 600 on it.")
    }

    func finding(freeBytes: Int64?, fileBytes: Int64) -> DoctorFinding {
        guard let freeBytes else { return .skipped(.disk, path, "The free space of its volume cannot be read.") }
        let free = "\(freeBytes >> 20) MiB are free on its volume"
        if freeBytes < Self.freeBytesMin {
            let message = "Only \(free). When it is full, notifications are answered 503."
            return .problem(.disk, "disk_full", path, message, remedy: "Free space, or move the database.")
        }
        if let fileBytesMax, fileBytes >= fileBytesMax / 100 * Self.fullPercent {
            let message = "It has \(fileBytes >> 20) MiB of the \(fileBytesMax >> 20) MiB that the setting allows."
            let remedy = "Raise database.sqlite.bytes_max. When it is reached, notifications are answered 503."
            return .warning(.disk, "file_limit_near", path, message, remedy: remedy)
        }
        if freeBytes < Self.freeBytesEnough {
            return .warning(.disk, "disk_low", path, "Only \(free).", remedy: "Free space, or move the database.")
        }
        return .ok(.disk, path, "It has \(fileBytes >> 20) MiB; \(free).")
    }
}
