import PerennialPrimitives
import SubscriptionOperations
import Synchronization

/// What all parts of a simulation share: time, chance, and the record of what happened.
final class SimulatedWorld: Sendable {
    private struct State {
        var random: SplitMix64
        /// No more faults: everything settles.
        var isCalm = false
        /// Services and apps end before their next run.
        var isWithoutServices = false
        /// Every task ends at its next step.
        var isOver = false
        var trace = Trace()
        var failure: SimulationFailure?
        var commits = 0
        var faults: [SimulationOptions.Fault: Int] = [:]
    }

    let options: SimulationOptions
    let start: Int64
    let executor = SimulatedExecutor()
    let time: VirtualTime
    private let names: SeededBits
    private let state: Mutex<State>

    init(_ options: SimulationOptions, start: Int64) {
        self.options = options
        self.start = start
        time = VirtualTime(start)
        names = SeededBits(seed: options.seed ^ 0x4a4d_e500)
        state = Mutex(State(random: SplitMix64(seed: options.seed)))
    }

    var isCalm: Bool { state.withLock { $0.isCalm } }
    var isWithoutServices: Bool { state.withLock { $0.isWithoutServices } }
    var isOver: Bool { state.withLock { $0.isOver } }
    var failure: SimulationFailure? { state.withLock { $0.failure } }
    var commits: Int { state.withLock { $0.commits } }
    var faults: [SimulationOptions.Fault: Int] { state.withLock { $0.faults } }
    var trace: Trace { state.withLock { $0.trace } }

    /// Starts a task of the simulation.
    func spawn(_ work: @escaping @Sendable () async -> Void) {
        Task(executorPreference: executor) {
            await ProcessSurroundings.$backgroundExecutor.withValue(self.executor) {
                await ProcessSurroundings.$nameBits.withValue(self.names) {
                    await work()
                }
            }
        }
    }

    /// Ends all faults.
    func calm() {
        state.withLock { $0.isCalm = true }
        note("calm")
    }

    /// Ends the services of the servers, and the apps.
    func endServices() { state.withLock { $0.isWithoutServices = true } }

    /// Ends every task at its next step.
    func end() {
        state.withLock { state in
            state.isCalm = true
            state.isWithoutServices = true
            state.isOver = true
        }
    }

    /// Whether a fault happens now.
    func happens(_ fault: SimulationOptions.Fault, _ probability: Double) -> Bool {
        state.withLock { state in
            guard options.faults.contains(fault), !state.isCalm else { return false }
            guard Double.random(in: 0..<1, using: &state.random) < probability else { return false }
            state.faults[fault, default: 0] += 1
            return true
        }
    }

    /// A random number.
    func random(in range: ClosedRange<Int64>) -> Int64 {
        state.withLock { Int64.random(in: range, using: &$0.random) }
    }

    /// One of the elements; nil if there is none.
    func pick<Element: Sendable>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[Int(random(in: 0...Int64(elements.count - 1)))]
    }

    /// Counts a commit; the invariants are checked before the time moves on.
    func countCommit() { state.withLock { $0.commits += 1 } }

    /// Records what happened.
    func note(_ text: @autoclosure () -> String) {
        let line = "\(SimulatedMoment(time.now - start)) \(text())"
        state.withLock { $0.trace.append(line) }
    }

    /// Records the first broken invariant; it ends the simulation.
    func fail(_ invariant: SimulationFailure.Invariant, _ message: String) {
        let failure = SimulationFailure(
            invariant: invariant,
            message: message,
            day: Int((time.now - start) / Int64.day) + 1
        )
        state.withLock { $0.failure = $0.failure ?? failure }
        note("FAILED \(failure)")
    }
}

extension Int64 {
    static let second: Int64 = 1_000
    static let minute: Int64 = 60_000
    static let hour: Int64 = 3_600_000
    static let day: Int64 = 86_400_000
}

/// A time since the start, as `day 3 07:15:02.120`.
struct SimulatedMoment: CustomStringConvertible {
    private let milliseconds: Int64

    init(_ milliseconds: Int64) { self.milliseconds = milliseconds }

    var description: String {
        let parts = [milliseconds / .hour % 24, milliseconds / .minute % 60, milliseconds / .second % 60]
        let clock = parts.map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
        return "day \(milliseconds / .day + 1) \(clock).\(milliseconds % 1_000)"
    }
}

/// What happened, as lines and as a number that is equal for equal simulations.
struct Trace: Sendable {
    private(set) var lines: [String] = []
    private var hash = FNV1a()

    /// The hash of the lines.
    var digest: UInt64 { hash.value }

    mutating func append(_ line: String) {
        hash.add(line.utf8)
        lines.append(line)
    }
}
