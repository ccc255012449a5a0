#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The most memory that this process has had in RAM so far: it never falls, so it cannot hide growth.
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
