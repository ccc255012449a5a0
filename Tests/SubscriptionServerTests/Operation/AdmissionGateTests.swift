import PerennialPrimitives
import Synchronization
import Testing

@testable import SubscriptionServer

/// Admission of requests while their bodies arrive.
@Suite struct `The admission gate` {
    /// The names of dropped bodies, and a manual clock.
    private final class GateHarness: Sendable {
        let dropped = Mutex<[String]>([])
        private let elapsed = Mutex(Duration.zero)
        private let start = ContinuousClock.now

        func wait(_ duration: Duration) { elapsed.withLock { $0 += duration } }

        func gate(requests: Int = 10, bytes: Int) -> AdmissionGate {
            AdmissionGate(requestsMax: requests, bytesMax: bytes) { self.start + self.elapsed.withLock { $0 } }
        }

        func begin(_ name: String, at gate: AdmissionGate) -> Int {
            gate.begin { self.dropped.withLock { $0.append(name) } }
        }
    }

    @Test func `counts received bytes, not the declared length`() {
        let harness = GateHarness()
        let gate = harness.gate(bytes: 1_000)
        let slow = (0..<64).map { harness.begin("slow \($0)", at: gate) }
        for body in slow { #expect(gate.add(1, to: body)) }
        let body = harness.begin("fast", at: gate)
        #expect(gate.add(900, to: body))
        #expect(gate.complete(body))
        #expect(gate.requests == 1)
        #expect(gate.bytes == 964)
    }

    @Test func `counts a request when its body is complete`() {
        let gate = AdmissionGate(requestsMax: 1, bytesMax: 1_000)
        let arriving = (0..<10).map { _ in gate.begin {} }
        #expect(gate.enter())
        #expect(!gate.complete(arriving[0]))
        gate.leave()
        #expect(gate.complete(arriving[0]))
        #expect(!gate.enter())
    }

    @Test func `drops the largest slow body when the bytes run out`() {
        let harness = GateHarness()
        let gate = harness.gate(bytes: 1_000)
        let small = harness.begin("small", at: gate)
        let large = harness.begin("large", at: gate)
        #expect(gate.add(300, to: small))
        #expect(gate.add(600, to: large))
        harness.wait(.seconds(2))
        let body = harness.begin("new", at: gate)
        #expect(gate.add(500, to: body))
        #expect(harness.dropped.withLock { $0 } == ["large"])
        #expect(!gate.add(1, to: large))
        gate.end(large)
        #expect(gate.bytes == 800)
    }

    @Test func `never drops a fast body or a complete one`() {
        let harness = GateHarness()
        let gate = harness.gate(bytes: 1_000)
        let whole = harness.begin("whole", at: gate)
        #expect(gate.add(600, to: whole))
        #expect(gate.complete(whole))
        harness.wait(.seconds(2))
        let quick = harness.begin("quick", at: gate)
        #expect(gate.add(300, to: quick))
        let body = harness.begin("new", at: gate)
        #expect(!gate.add(200, to: body))
        #expect(harness.dropped.withLock { $0.isEmpty })
        gate.end(whole)
        #expect(gate.add(200, to: body))
    }

    @Test func `releases everything after any sequence of events`() {
        var generator = SplitMix64(seed: 22)
        for _ in 0..<200 {
            let harness = GateHarness()
            let gate = harness.gate(requests: 3, bytes: 1_000)
            var bodies: [Int] = []
            var sizes: [Int: Int] = [:]
            var requests = 0
            for _ in 0..<100 {
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: bodies.append(harness.begin("", at: gate))
                case 1, 2:
                    guard let body = bodies.randomElement(using: &generator) else { continue }
                    // A route has a limit too: no body is larger than the total limit.
                    let bytes = min(Int.random(in: 1...400, using: &generator), 1_000 - sizes[body, default: 0])
                    if gate.add(bytes, to: body) { sizes[body, default: 0] += bytes }
                case 3:
                    guard let body = bodies.randomElement(using: &generator) else { continue }
                    if gate.complete(body) { requests += 1 }
                case 4: harness.wait(.milliseconds(700))
                default: if gate.enter() { requests += 1 }
                }
                #expect(gate.requests <= 3)
                #expect(gate.bytes <= 1_000)
            }
            for body in bodies { gate.end(body) }
            for _ in 0..<requests { gate.leave() }
            #expect(gate.bytes == 0)
            #expect(gate.requests == 0)
        }
    }
}
