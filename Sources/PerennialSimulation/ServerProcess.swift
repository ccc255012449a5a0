import Synchronization

/// One life of a server process. After a crash, nothing that it began has an effect.
final class ServerProcess: Sendable {
    /// The process does not run any more.
    struct Ended: Error {}

    let name: String
    private let world: SimulatedWorld
    private let dead = Mutex(false)

    init(_ name: String, in world: SimulatedWorld) {
        self.name = name
        self.world = world
    }

    var isDead: Bool { dead.withLock { $0 } || world.isOver }

    /// Ends the process between two of its steps.
    func kill() {
        dead.withLock { $0 = true }
        world.note("\(name) crashed")
    }

    /// Crosses to another part of the world, such as the database, or back. The process may crash on the way.
    ///
    /// Everything between two crossings happens in the process's own memory, so that a crash there is equal to one at
    /// the next crossing.
    func cross(_ milliseconds: ClosedRange<Int64>) async throws(Ended) {
        guard !isDead else { throw Ended() }
        await world.time.pause(milliseconds: world.random(in: milliseconds))
        if !isDead, world.happens(.crash, 0.000_5) { kill() }
        guard !isDead else { throw Ended() }
    }
}
