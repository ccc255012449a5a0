import Foundation

/// Real data of Apple's systems, from the folder of an environment variable.
enum Vectors {
    static let isConfigured = ProcessInfo.processInfo.environment["PERENNIAL_VECTORS"] != nil
    static let skipReason = "PERENNIAL_VECTORS does not name the folder of real data"

    static func bytes(_ path: String) throws -> [UInt8] {
        let folder = ProcessInfo.processInfo.environment["PERENNIAL_VECTORS"] ?? ""
        return Array(try Data(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent(path)))
    }
}
