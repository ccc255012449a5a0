#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The CPU time that this thread has used, which other processes on the machine do not change.
enum ThreadClock {
    /// Nanoseconds since the thread began.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// How many nanoseconds a piece of work takes.
    static func measure<Failure: Error>(_ work: () throws(Failure) -> Void) throws(Failure) -> Int64 {
        let start = now()
        try work()
        return now() - start
    }
}
