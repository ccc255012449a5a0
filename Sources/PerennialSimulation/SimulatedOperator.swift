import PerennialPrimitives
import SubscriptionCore
import Synchronization

/// The developer's operator: grants customers an entitlement and revokes some of the grants.
final class SimulatedOperator: Sendable {
    private let world: SimulatedWorld
    private let cluster: SimulatedCluster
    /// Its own chance: faults do not change what the operator wants.
    private let generator: Mutex<SplitMix64>

    init(in world: SimulatedWorld, cluster: SimulatedCluster) {
        self.world = world
        self.cluster = cluster
        generator = Mutex(SplitMix64(seed: world.options.seed ^ 0x617f_7000))
    }

    /// Grants each customer something now and then, until a time.
    func start(until end: Int64) {
        for number in 0..<world.options.customers {
            world.spawn {
                var grants = 0
                while true {
                    await self.world.time.pause(milliseconds: self.random(in: .hour...8 * .day))
                    guard self.world.time.now < end, !self.world.isOver else { return }
                    grants += 1
                    self.grant(grants, to: "a\(number)")
                }
            }
        }
    }

    private func grant(_ number: Int, to customer: String) {
        let length = random(in: .hour...10 * .day)
        let pause = random(in: .minute...length)
        let isRevoked = random(in: 0...1) == 0
        let grant = SimulatedGrant(id: GrantID("gr_\(customer)_\(number)"), endsAt: world.time.now + length)
        world.note("the operator grants \(customer) something for \(length / .minute) minutes")
        world.spawn { await self.cluster.grant(grant, to: customer, revokingAfter: isRevoked ? pause : nil) }
    }

    private func random(in range: ClosedRange<Int64>) -> Int64 {
        generator.withLock { Int64.random(in: range, using: &$0) }
    }
}
