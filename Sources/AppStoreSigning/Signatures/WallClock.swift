#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The system's clock, for convenience methods without a time argument.
enum WallClock {
    /// Now.
    ///
    /// - Units: milliseconds since 1970-01-01T00:00:00Z.
    static func milliseconds() -> Int64 {
        Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))
    }
}
