import AppStoreSigning
import AppStoreTestAuthorities
import PerennialPrimitives
import SwiftASN1
import Testing

@Suite struct `The reader of BER` {
    /// The same tree, by our reader and by SwiftASN1's parser.
    private indirect enum Tree: Equatable {
        case primitive(UInt8, [UInt8])
        case constructed(UInt8, [Tree])
    }

    private static func ours(_ reader: inout BERReader) throws -> Tree {
        let element = try reader.next()
        guard element.isConstructed else { return .primitive(element.tag, Array(reader.bytes[element.content])) }
        var children: [Tree] = []
        var contents = try reader.contents(of: element)
        while !contents.isAtEnd {
            children.append(try ours(&contents))
        }
        return .constructed(element.tag, children)
    }

    private static func ours(_ bytes: [UInt8]) -> Tree? {
        var reader = BERReader(bytes[...])
        guard let tree = try? ours(&reader), reader.isAtEnd else { return nil }
        return tree
    }

    private static func theirs(_ node: ASN1Node) -> Tree {
        switch node.content {
        case .primitive(let bytes): .primitive(node.encodedBytes.first ?? 0, Array(bytes))
        case .constructed(let nodes): .constructed(node.encodedBytes.first ?? 0, nodes.map { theirs($0) })
        }
    }

    private static func theirs(_ bytes: [UInt8]) -> Tree? {
        (try? BER.parse(bytes)).map { theirs($0) }
    }

    private static func depth(_ tree: Tree) -> Int {
        guard case .constructed(_, let children) = tree else { return 1 }
        return 1 + (children.map { depth($0) }.max() ?? 0)
    }

    /// Whether a tag has several bytes, which our reader refuses.
    private static func hasLongTag(_ tree: Tree) -> Bool {
        switch tree {
        case .primitive(let tag, _): tag & 0x1F == 0x1F
        case .constructed(let tag, let children): tag & 0x1F == 0x1F || children.contains { hasLongTag($0) }
        }
    }

    @Test func `receipts, damaged receipts and random elements are read as by SwiftASN1`() throws {
        var random = SplitMix64(seed: 3)
        var samples: [[UInt8]] = []
        for isIndefinite in [false, true] {
            var recipe = TestReceiptRecipe()
            recipe.hasIndefiniteLengths = isIndefinite
            samples.append(try ReceiptSamples.authority.mint(ReceiptSamples.receipt, recipe: recipe))
        }
        for _ in 0..<1500 {
            var damaged = samples[Int.random(in: 0...1, using: &random)]
            // The first bytes are all headers.
            let index = Int.random(in: 0..<(Bool.random(using: &random) ? 100 : damaged.count), using: &random)
            damaged[index] = UInt8.random(in: .min ... .max, using: &random)
            samples.append(damaged)
            samples.append(random.elements(depth: 0))
        }
        var readable = 0
        for sample in samples {
            let ours = Self.ours(sample)
            let theirs = Self.theirs(sample)
            guard let theirs, !Self.hasLongTag(theirs), Self.depth(theirs) <= BERReader.depthMax else {
                // What their parser refuses, ours refuses too.
                if theirs == nil { #expect(ours == nil) }
                continue
            }
            #expect(ours == theirs)
            readable += 1
        }
        #expect(readable > 500)
    }
}

extension SplitMix64 {
    /// Nested elements, mostly well formed.
    mutating func elements(depth: Int) -> [UInt8] {
        let isConstructed = depth < 6 && Int.random(in: 0...2, using: &self) > 0
        guard isConstructed else {
            let content = bytes(0...10)
            return [UInt8.random(in: 1...30, using: &self), UInt8(content.count)] + content
        }
        let children = (0..<Int.random(in: 0...4, using: &self)).flatMap { _ in elements(depth: depth + 1) }
        let tag = [0x30, 0x31, 0x24, 0xA0][Int.random(in: 0...3, using: &self)] as UInt8
        switch Int.random(in: 0...3, using: &self) {
        case 0: return [tag, 0x80] + children + [0, 0]
        case 1: return [tag, 0x82, UInt8(children.count >> 8 & 0xFF), UInt8(children.count & 0xFF)] + children
        case 2: return BERSample.element(tag, children)
        default: return [tag, UInt8(min(children.count, 0x7F))] + children
        }
    }
}
