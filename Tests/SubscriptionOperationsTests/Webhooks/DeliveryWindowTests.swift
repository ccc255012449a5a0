import PerennialPrimitives
import Testing

@testable import SubscriptionOperations

/// The order of an endpoint's deliveries, against a simple model.
@Suite struct `The window of deliveries` {
    private typealias Item = DeliveryWindow.Item

    @Test func `sends one item of a key at a time, and all keys at the same time`() {
        var window = DeliveryWindow(cursor: 0, blockedKeys: [])
        for (sequence, key) in [(1, "a"), (2, "a"), (3, "b"), (4, "a")] {
            let isHeld = window.add(Item(sequence: Int64(sequence), key: key))
            #expect(!isHeld)
        }
        let ready = [window.next(), window.next(), window.next()].compactMap(\.self)
        #expect(ready.map(\.sequence) == [1, 3])
        var held = window.finish(Item(sequence: 3, key: "b"), .done)
        #expect(held.isEmpty && window.settledThrough == 0)
        held = window.finish(Item(sequence: 1, key: "a"), .done)
        #expect(held.isEmpty && window.settledThrough == 1)
        let second = window.next()
        #expect(second?.sequence == 2)
        held = window.finish(Item(sequence: 2, key: "a"), .blocks)
        #expect(held.map(\.sequence) == [4])
        #expect(window.settledThrough == 4)
        let isFifthHeld = window.add(Item(sequence: 5, key: "a"))
        window.unblock("a")
        let isSixthHeld = window.add(Item(sequence: 6, key: "a"))
        #expect(isFifthHeld && !isSixthHeld)
        #expect(window.settledThrough == 5)
    }

    @Test func `moves over items that nobody wants`() {
        var window = DeliveryWindow(cursor: 10, blockedKeys: ["a"])
        window.skip(through: 20)
        #expect(window.settledThrough == 20)
        _ = window.add(Item(sequence: 25, key: nil))
        window.skip(through: 30)
        #expect(window.settledThrough == 24)
        let next = window.next()
        #expect(next?.sequence == 25)
        _ = window.finish(Item(sequence: 25, key: nil), .overtaken)
        #expect(window.settledThrough == 30)
    }

    /// Random items and outcomes: whatever is sent, everything before it with its key is settled.
    @Test(arguments: 1...40) func `keeps the order of each key in every interleaving`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let keys: [String?] = ["a", "b", "c", nil]
        var window = DeliveryWindow(cursor: 0, blockedKeys: [])
        var (open, inFlight, blocked): ([Item], [Item], Set<String>) = ([], [], [])
        var settled: Set<Int64> = []
        var last: Int64 = 0
        for _ in 0..<3_000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                last += 1
                let item = Item(sequence: last, key: keys[Int.random(in: 0..<4, using: &random)])
                let isHeld = window.add(item)
                #expect(isHeld == item.key.map(blocked.contains) ?? false)
                if isHeld { settled.insert(last) } else { open.append(item) }
            case 1:
                guard let item = window.next() else {
                    // Whatever is open waits for something in flight with its key.
                    #expect(open.allSatisfy { item in inFlight.contains { $0.key == item.key && item.key != nil } })
                    continue
                }
                #expect(item.key == nil || !inFlight.contains { $0.key == item.key })
                #expect(open.first { $0.key == item.key } == item || item.key == nil)
                open.removeAll { $0 == item }
                inFlight.append(item)
            case 2:
                guard !inFlight.isEmpty else { continue }
                let item = inFlight.remove(at: Int.random(in: inFlight.indices, using: &random))
                let outcomes: [DeliveryWindow.Outcome] = [.done, .done, .blocks, .overtaken]
                let outcome = outcomes[Int.random(in: 0..<4, using: &random)]
                let held = window.finish(item, outcome)
                settled.insert(item.sequence)
                let expected = outcome == .blocks && item.key != nil ? open.filter { $0.key == item.key } : []
                #expect(held == expected)
                settled.formUnion(held.map(\.sequence))
                open.removeAll(where: held.contains)
                if outcome == .blocks, let key = item.key { blocked.insert(key) }
            default:
                guard let key = blocked.sorted().first else { continue }
                blocked.remove(key)
                window.unblock(key)
            }
            let firstOpen = (1...max(last, 1)).first { !settled.contains($0) } ?? last + 1
            #expect(window.settledThrough == min(firstOpen - 1, last))
        }
    }
}
