import Foundation
import PerennialPrimitives
import Testing

@testable import LocalAppStore

/// Lists of records in pieces, compared with arrays.
@Suite struct `Lists of records` {
    /// Equal random changes to a list and to an array, by a seed.
    private struct Run {
        var list = RecordList<Int>()
        var array: [Int] = []
        private var random: SplitMix64

        init(seed: UInt64) { random = SplitMix64(seed: seed) }

        mutating func change(times: Int) {
            for _ in 0..<times {
                let number = Int.random(in: 0..<1_000_000, using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0 where !array.isEmpty:
                    #expect(list.removeLast() == array.removeLast())
                case 1, 2:
                    guard let position = array.indices.randomElement(using: &random) else { continue }
                    list[position] = number
                    array[position] = number
                case 3:
                    guard let left = array.indices.randomElement(using: &random),
                        let right = array.indices.randomElement(using: &random)
                    else { continue }
                    list.swapAt(left, right)
                    array.swapAt(left, right)
                default:
                    list.append(number)
                    array.append(number)
                }
            }
        }
    }

    @Test(arguments: UInt64(0)..<20)
    func `a list has the same content as an array`(seed: UInt64) throws {
        var run = Run(seed: seed)
        for _ in 0..<10 {
            run.change(times: 50)
            #expect(Array(run.list) == run.array)
            #expect(run.list.count == run.array.count && run.list.last == run.array.last)
        }
        let encoded = try JSONEncoder().encode(run.list)
        #expect(try JSONDecoder().decode([Int].self, from: encoded) == run.array)
        #expect(try Array(JSONDecoder().decode(RecordList<Int>.self, from: encoded)) == run.array)
    }

    @Test(arguments: UInt64(20)..<40)
    func `the positions that differ from an earlier version are found, and no others`(seed: UInt64) {
        var run = Run(seed: seed)
        run.change(times: 400)
        for times in [0, 1, 2, 30, 300] {
            let earlier = run
            run.change(times: times)
            let expected = run.array.indices.filter { position in
                position >= earlier.array.count || run.array[position] != earlier.array[position]
            }
            #expect(run.list.positions(changedSince: earlier.list) == expected)
            #expect(run.list.positions(changedSince: nil) == Array(run.array.indices))
        }
    }

    @Test func `a truncated list keeps its start`() {
        var list = RecordList<Int>()
        for number in 0..<200 { list.append(number) }
        for count in [250, 200, 128, 65, 64, 63, 0] {
            list.truncate(to: count)
            #expect(Array(list) == Array(0..<min(200, count)))
        }
    }
}
