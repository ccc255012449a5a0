import SubscriptionCore
import Testing

/// Identifiers are equal if their bytes are equal (decision 16).
@Suite struct `Identifiers of the core` {
    @Test func `differ if a byte or the length differs`() {
        for length in 1...40 {
            let bytes = (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) }
            let text = OriginalTransactionID(String(decoding: bytes, as: UTF8.self))
            #expect(text == OriginalTransactionID(String(decoding: bytes, as: UTF8.self)))
            #expect(text != OriginalTransactionID(String(decoding: bytes.dropLast(), as: UTF8.self)))
            #expect(text != OriginalTransactionID(String(decoding: bytes.dropFirst(), as: UTF8.self)))
            for index in 0..<length {
                var other = bytes
                other[index] = UInt8(ascii: "-")
                #expect(text != OriginalTransactionID(String(decoding: other, as: UTF8.self)))
            }
        }
    }

    @Test func `that look the same differ if their bytes differ`() {
        #expect(CustomerID("caf\u{E9}") != CustomerID("cafe\u{301}"))
        #expect(CustomerID("caf\u{E9}") == CustomerID("caf\u{E9}"))
        #expect(CustomerID("") != CustomerID("\0"))
    }
}
