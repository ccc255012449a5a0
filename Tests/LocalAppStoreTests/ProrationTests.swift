import PerennialPrimitives
import Testing

@testable import LocalAppStore

@Suite struct `Proration of prices` {
    @Test func `the refund is between zero and the price, and decreases over time`() {
        var generator = SplitMix64(seed: 11)
        for _ in 0..<2_000 {
            let price = Int64.random(in: 0...1_000_000_000_000, using: &generator)
            let start = Int64.random(in: -4_000_000_000_000...4_000_000_000_000, using: &generator)
            let end = start + Int64.random(in: 1...40_000_000_000, using: &generator)
            let first = Int64.random(in: start...end, using: &generator)
            let second = Int64.random(in: first...end, using: &generator)
            let early = Proration.unused(ofPrice: price, from: start, to: end, at: first)
            let late = Proration.unused(ofPrice: price, from: start, to: end, at: second)
            #expect(0 <= late && late <= early && early <= price)
        }
    }

    @Test func `refund and used part add up to the price, to within one thousandth`() {
        var generator = SplitMix64(seed: 12)
        for _ in 0..<2_000 {
            let price = Int64.random(in: 0...1_000_000_000_000, using: &generator)
            let length = Int64.random(in: 1...40_000_000_000, using: &generator)
            let used = Int64.random(in: 0...length, using: &generator)
            let back = Proration.unused(ofPrice: price, from: 0, to: length, at: used)
            let kept = Proration.unused(ofPrice: price, from: 0, to: length, at: length - used)
            #expect((0...1).contains(price - back - kept))
        }
    }

    @Test(arguments: [(0, 9_990), (-5, 9_990), (50, 4_995), (99, 99), (100, 0), (200, 0)])
    func `the refund falls from the whole price at the start to nothing at the end`(time: Int64, back: Int64) {
        #expect(Proration.unused(ofPrice: 9_990, from: 0, to: 100, at: time) == back)
    }

    @Test func `a free period has no refund`() {
        #expect(Proration.unused(ofPrice: 0, from: 0, to: 100, at: 1) == 0)
    }
}
