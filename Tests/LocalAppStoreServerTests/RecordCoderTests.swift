import AppStoreModel
import PerennialPrimitives
import Testing

@testable import LocalAppStoreServer

/// The blocks of records in a store's file.
@Suite struct `The coder of records` {
    /// A record with every kind of value.
    private struct Sample: Hashable, Codable {
        enum Kind: Hashable, Codable {
            case plain
            case named(String, times: Int)
            case nested([Kind])
        }

        struct Position: Hashable, Codable {
            let number: UInt32

            init(_ number: UInt32) { self.number = number }
            init(from decoder: any Decoder) throws { number = try UInt32(from: decoder) }
            func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
        }

        struct Nothing: Hashable, Codable {}

        var flag = false
        var text = ""
        var wide: Int64 = 0
        var unsigned: UInt64 = 0
        var small: Int8 = 0
        var share = 0.0
        var half: Float = 0
        var missing: String?
        var kind = Kind.plain
        var positions: [Position] = []
        var bytes: [UInt8] = []
        var byPosition: [Position: [String]] = [:]
        var byName: [String: Int?] = [:]
        var once: Set<Int> = []
        var nothing = Nothing()

        init() {}

        init(_ random: inout SplitMix64, depth: Int = 2) {
            flag = .random(using: &random)
            let character = ["ä", "x", "\n", "🦆"].randomElement(using: &random) ?? ""
            text = String(repeating: character, count: .random(in: 0...200, using: &random))
            let wides: [Int64] = [.min, .max, 0, -1, .random(in: .min ... .max, using: &random)]
            wide = wides.randomElement(using: &random) ?? 0
            let largest: [UInt64] = [0, .max, .random(in: 0 ... .max, using: &random)]
            unsigned = largest.randomElement(using: &random) ?? 0
            small = .random(in: .min ... .max, using: &random)
            share = .random(in: -1e300...1e300, using: &random)
            half = .random(in: -1...1, using: &random)
            missing = flag ? text : nil
            kind = .nested([.plain, .named(text, times: Int(small)), .nested([])])
            let (positionCount, byteCount) = (
                Int.random(in: 0...9, using: &random), Int.random(in: 0...300, using: &random)
            )
            positions = (0..<positionCount).map { _ in Position(.random(in: 0 ... .max, using: &random)) }
            bytes = (0..<byteCount).map { _ in .random(in: 0 ... .max, using: &random) }
            byPosition = Dictionary(positions.map { ($0, [text, ""]) }, uniquingKeysWith: { first, _ in first })
            byName = ["": nil, "one": Int(small), "other \(text)": Int(small)]
            once = Set(positions.map { Int($0.number) })
        }
    }

    @Test func `encoded records decode to the same values`() throws {
        var random = SplitMix64(seed: 1)
        let samples = [Sample()] + (0..<200).map { _ in Sample(&random) }
        let block = try RecordEncoder.block(of: samples)
        #expect(try RecordDecoder.records(Sample.self, in: block[...]) == samples)
        #expect(try RecordDecoder.records(Sample.self, in: RecordEncoder.block(of: [Sample]())[...]) == [])
    }

    @Test func `a value of unknown type is decoded by trying several types`() throws {
        var random = SplitMix64(seed: 2)
        let values = (0..<400).map { _ in JSONValue.random(&random, depth: 3) }
        let block = try RecordEncoder.block(of: values)
        #expect(try RecordDecoder.records(JSONValue.self, in: block[...]) == values)
    }

    @Test func `a class keeps the fields of its superclass`() throws {
        let block = try RecordEncoder.block(of: [Dog(name: "Rex", age: 3)])
        let dog = try #require(try RecordDecoder.records(Dog.self, in: block[...]).first)
        #expect(dog.name == "Rex" && dog.age == 3)
    }

    @Test func `new members are absent in older records, and removed members are skipped`() throws {
        struct Older: Codable {
            let gone: [Int]
            let kept: String
        }
        struct Newer: Hashable, Codable {
            let kept: String
            let new: Int?
        }
        let block = try RecordEncoder.block(of: [Older(gone: [1, 2], kept: "x")])
        #expect(try RecordDecoder.records(Newer.self, in: block[...]) == [Newer(kept: "x", new: nil)])
    }

    @Test func `arbitrary bytes are refused or decoded, without further effect`() throws {
        var random = SplitMix64(seed: 3)
        let block = try RecordEncoder.block(of: [Sample(&random), Sample(&random)])
        for length in 0..<min(block.count, 400) {
            #expect(throws: (any Error).self) { try RecordDecoder.records(Sample.self, in: block.prefix(length)) }
        }
        var refused = 0
        for _ in 0..<4_000 {
            var changed = block
            changed[.random(in: block.indices, using: &random)] = .random(in: 0 ... .max, using: &random)
            if (try? RecordDecoder.records(Sample.self, in: changed[...])) == nil { refused += 1 }
        }
        #expect(refused > 100)
    }
}

extension JSONValue {
    private static func anyInteger(_ random: inout SplitMix64) -> Int64 {
        let values: [Int64] = [.min, .max, 0, 1_767_830_400_000, .random(in: .min ... .max, using: &random)]
        return values.randomElement(using: &random) ?? 0
    }

    fileprivate static func random(_ random: inout SplitMix64, depth: Int) -> JSONValue {
        switch Int.random(in: depth == 0 ? 2...6 : 0...6, using: &random) {
        case 0: .array((0..<3).map { _ in .random(&random, depth: depth - 1) })
        case 1: .object(["a": .random(&random, depth: depth - 1), "b": .random(&random, depth: depth - 1)])
        case 2: .null
        case 3: .bool(.random(using: &random))
        case 4: .decimal("\(Double.random(in: -1e9...1e9, using: &random))")
        case 5: .string(["", "x", "ä\n"].randomElement(using: &random) ?? "")
        default: .integer(anyInteger(&random))
        }
    }
}

private class Animal: Codable {
    let name: String

    init(name: String) { self.name = name }
}

private final class Dog: Animal {
    private enum CodingKeys: CodingKey { case age }

    let age: Int

    init(name: String, age: Int) {
        self.age = age
        super.init(name: name)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        age = try container.decode(Int.self, forKey: .age)
        try super.init(from: try container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(age, forKey: .age)
        try super.encode(to: container.superEncoder())
    }
}
