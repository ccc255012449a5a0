/// What a process takes from the system besides its clock. A simulation replaces it, so that a seed determines it.
package enum ProcessSurroundings {
    /// Runs work that must not run on the executor of a request.
    @TaskLocal package static var backgroundExecutor: any TaskExecutor = globalConcurrentExecutor

    /// The random bits of new names; nil for those of the system.
    @TaskLocal package static var nameBits: (@Sendable () -> UInt64)?
}
