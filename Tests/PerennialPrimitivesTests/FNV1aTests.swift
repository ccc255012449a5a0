import PerennialPrimitives
import Testing

@Suite struct `The hash FNV-1a` {
    /// The values that the authors of the hash publish.
    private static let published: [(text: String, hash: UInt64)] = [
        ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
    ]

    @Test(arguments: published)
    func `gives the published values, in one part or several`(text: String, expected: UInt64) {
        #expect(FNV1a(of: text.utf8).value == expected)
        var hash = FNV1a()
        for byte in text.utf8 { hash.add([byte]) }
        #expect(hash.value == expected)
    }
}
