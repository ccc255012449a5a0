#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// How many files this process may have open: each connection is one.
enum OpenFiles {
    /// What a server has open beside its connections: its database, its log, the event loops.
    static let besideConnections = 128

    /// Raises the limit as far as the system lets this process, and answers it.
    static func raiseLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(openFiles, &limit) == 0 else { return .max }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if setrlimit(openFiles, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }

    #if canImport(Glibc)
        private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let openFiles = RLIMIT_NOFILE
    #endif
}
