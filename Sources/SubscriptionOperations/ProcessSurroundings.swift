import PerennialPrimitives
import Synchronization

/// What a process takes from the system besides its clock. A simulation replaces it, so that a seed determines it.
package enum ProcessSurroundings {
    /// Runs work that must not run on the executor of a request.
    @TaskLocal package static var backgroundExecutor: any TaskExecutor = globalConcurrentExecutor

    /// The random bits of new names; nil for those of the system.
    @TaskLocal package static var nameBits: SeededBits?
}

/// Random bits that a seed determines.
package final class SeededBits: Sendable {
    private let generator: Mutex<SplitMix64>

    /// Starts the sequence of a seed.
    package init(seed: UInt64) { generator = Mutex(SplitMix64(seed: seed)) }

    /// The next 64 bits.
    func next() -> UInt64 { generator.withLock { $0.next() } }
}
