import Dispatch
import Synchronization

/// Measures how much more two threads get done than one.
struct ParallelBenchmark {
    /// What the threads do, over and over; false when it went wrong.
    typealias Work = @Sendable (Int) -> Bool

    /// Two threads beside one.
    struct Scaling {
        /// By the clock on the wall: what a server gains, and what other processes on the machine take away.
        let wall: Double
        /// By the CPU time that each thread used: contention for caches and memory, other processes left out.
        let cpu: Double
    }

    /// How many threads share the work.
    static let threads = 2

    /// How many times each thread does the work in one measurement.
    let count: Int

    /// Measures one thread and two in turn, and gives the medians of the ratios.
    ///
    /// - Throws: `BenchmarkError.sampleRefused` when the work went wrong.
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

    /// How often per second the work is done, by the clock on the wall and added up over the threads' CPU time.
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

/// Numbers about numbers.
enum Statistics {
    /// The middle value; the mean of the two middle ones where there are two.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
