#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The peak memory of this process in RAM: it never decreases, so it cannot hide growth.
enum PeakMemory {
    /// Resident bytes at the peak.
    static func bytes() -> Int64 {
        var usage = rusage()
        #if canImport(Darwin) || canImport(Musl)
            getrusage(RUSAGE_SELF, &usage)
        #else
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #endif
        #if canImport(Darwin)
            return Int64(usage.ru_maxrss)
        #else
            // Linux counts in kibibytes.
            return Int64(usage.ru_maxrss) << 10
        #endif
    }
}
