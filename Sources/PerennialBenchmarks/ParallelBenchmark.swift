import Dispatch
import Synchronization

/// Measures the throughput of two threads relative to one.
struct ParallelBenchmark {
    /// The repeated work of the threads; false after an error.
    typealias Work = @Sendable (Int) -> Bool

    /// The ratio of two threads to one.
    struct Scaling {
        /// By wall-clock time: the gain of a server, reduced by other processes on the machine.
        let wall: Double
        /// By CPU time of each thread: contention for caches and memory, without other processes.
        let cpu: Double
    }

    /// The number of threads.
    static let threads = 2

    /// The number of repetitions per thread in one measurement.
    let count: Int

    /// Measures one thread and two in alternation, and returns the medians of the ratios.
    ///
    /// - Throws: `BenchmarkError.sampleRefused` after an error of the work.
    func scaling(of work: @escaping Work, rounds: Int) throws -> Scaling {
        var wall: [Double] = []
        var cpu: [Double] = []
        for _ in 0..<rounds {
            let one = try rate(of: work, threads: 1)
            let both = try rate(of: work, threads: Self.threads)
            wall.append(both.wall / one.wall)
            cpu.append(both.cpu / one.cpu)
        }
        return Scaling(wall: Statistics.median(wall), cpu: Statistics.median(cpu))
    }

    /// The repetitions per second, by wall-clock time and by the total CPU time of the threads.
    private func rate(of work: @escaping Work, threads: Int) throws -> (wall: Double, cpu: Double) {
        let count = count
        let sums = Mutex((cpuRate: 0.0, failures: 0))
        let clock = ContinuousClock()
        let elapsed = clock.measure {
            DispatchQueue.concurrentPerform(iterations: threads) { thread in
                var failures = 0
                let nanoseconds = ThreadClock.measure {
                    for index in 0..<count where !work(index &+ thread) { failures += 1 }
                }
                let rate = Double(count) * 1e9 / Double(max(1, nanoseconds))
                sums.withLock { sums in
                    sums.cpuRate += rate
                    sums.failures += failures
                }
            }
        }
        let (cpuRate, failures) = sums.withLock { $0 }
        guard failures == 0 else { throw BenchmarkError.sampleRefused }
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        return (Double(count * threads) / seconds, cpuRate)
    }
}

/// Statistics.
enum Statistics {
    /// The median; the mean of the two middle values for an even count.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
