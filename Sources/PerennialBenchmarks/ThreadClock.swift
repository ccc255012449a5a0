#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The CPU time of all threads of this process.
enum ProcessClock {
    /// Nanoseconds since the process started.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// The CPU time of this thread, independent of other processes on the machine.
enum ThreadClock {
    /// Nanoseconds since the thread started.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The nanoseconds of a piece of work.
    static func measure<Failure: Error>(_ work: () throws(Failure) -> Void) throws(Failure) -> Int64 {
        let start = now()
        try work()
        return now() - start
    }
}

extension ThreadClock {
    /// The approximate duration of one measurement of one round, in nanoseconds of CPU time.
    private static let batchNanoseconds: Int64 = 20_000_000

    /// The number of operations per measurement.
    static func batchCount(of work: (Int) throws -> Void) throws -> Int {
        let probe = 20
        let cost = try measure { for index in 0..<probe { try work(index) } }
        return max(1, Int(batchNanoseconds * Int64(probe) / max(1, cost)))
    }

    /// Nanoseconds per operation.
    static func cost(of work: (Int) throws -> Void, count: Int) throws -> Double {
        let total = try measure { for index in 0..<count { try work(index) } }
        return Double(total) / Double(count)
    }
}
