import Foundation
import PerennialPrimitives
import Testing

@Suite struct `The seeded generator` {
    /// The values that the published reference implementation gives for this seed.
    @Test func `gives the published sequence`() {
        var generator = SplitMix64(seed: 1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
        #expect((0..<5).map { _ in generator.next() } == expected)
    }

    @Test func `goes on where its coded form left off`() throws {
        var generator = SplitMix64(seed: 7)
        _ = generator.next()
        let coded = try JSONEncoder().encode(generator)
        #expect(String(decoding: coded, as: UTF8.self) == #"{"state":11400714819323198492}"#)
        var copy = try JSONDecoder().decode(SplitMix64.self, from: coded)
        #expect(copy.next() == generator.next())
    }

    @Test func `picks one of what there is`() {
        var generator = SplitMix64(seed: 1)
        #expect(Set((0..<100).compactMap { _ in generator.pick([1, 2, 3]) }) == [1, 2, 3])
        #expect(generator.pick([Int]()) == nil)
        #expect(Set((0..<100).map { _ in generator.one(of: [1, 2, 3]) }) == [1, 2, 3])
    }
}
