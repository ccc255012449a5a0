import PerennialPrimitives
import SubscriptionStorage
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Promise 5, for the format of stored signed inputs.
@Suite struct `A stored input` {
    private static let header = Array((0..<900).map { _ in "eyJhbGciOiJFUzI1NiJ9" }.joined().utf8.prefix(6_000))
    private static let signature = Array("\(String(repeating: "s", count: 85))A".utf8)

    private static func text(_ payload: String) -> [UInt8] {
        Array(
            Data(payload.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
                "=",
                with: ""
            ).utf8
        )
    }

    private static func jws(_ payload: String) -> [UInt8] {
        header + [UInt8(ascii: ".")] + text(payload) + [UInt8(ascii: ".")] + signature
    }

    /// A notification with two signed texts inside.
    private static let notification = jws(
        """
        {"data":{"signedTransactionInfo":"\(inner("{\"price\":9990}"))","signedRenewalInfo":"\(inner("{}"))"},"é":1}
        """
    )

    private static func inner(_ payload: String) -> String { String(decoding: jws(payload), as: UTF8.self) }

    private func restored(_ input: [UInt8]) -> [UInt8] {
        let split = SplitJWS(input)
        return SplitJWS.joined(header: split.header.map(Array.init), remainder: Array(split.remainder)) ?? []
    }

    @Test func `contains its certificates once, even if they are repeated in it`() {
        let split = SplitJWS(Self.notification)
        #expect(restored(Self.notification) == Self.notification)
        #expect(split.header.map(Array.init) == Self.header)
        #expect(Self.notification.count > 20_000)
        #expect(split.remainder.count < 220, "\(split.remainder.count)")
    }

    @Test func `in the format of earlier files is restored as it was sent`() {
        let payload = "{\"signedTransactionInfo\":\"\(Self.inner("{}"))\"}"
        let input = Self.jws(payload)
        let marked = Array(payload.utf8).split(separator: Self.header, maxSplits: 1, omittingEmptySubsequences: false)
        let remainder = [0x01, 86] + Self.signature + marked[0] + [0xFF] + marked[1]
        #expect(SplitJWS.joined(header: Self.header, remainder: remainder) == input)
        #expect(remainder != Array(SplitJWS(input).remainder))
    }

    @Test func `that is not compressed is restored as it was sent`() {
        let signature = [UInt8]("s".utf8) + (0..<63).map { UInt8($0) }
        let outer = Array(Data(signature).base64EncodedString().replacing("+", with: "-").utf8).filter { $0 != 0x3D }
        let payload = "{\"signedTransactionInfo\":\"\(Self.inner("{}"))\"}"
        let input = Self.header + [UInt8(ascii: ".")] + Self.text(payload) + [UInt8(ascii: ".")] + outer
        let marked = Array(payload.utf8).split(separator: Self.header, maxSplits: 1, omittingEmptySubsequences: false)
        let remainder = [0x02] + signature + marked[0] + [0xFF] + marked[1]
        #expect(SplitJWS.joined(header: Self.header, remainder: remainder) == input)
        #expect(remainder.count > SplitJWS(input).remainder.count)
    }

    @Test(arguments: ["", "x.", ".", "{}", "A.A", "e30.", "e30.AAAA", "e31.\(String(repeating: "A", count: 86))"])
    func `with other text after an inner header is restored`(rest: String) {
        let input = Self.jws("{\"a\":\"\(String(decoding: Self.header, as: UTF8.self))\(rest)\"}")
        #expect(restored(input) == input)
        let unclosed = Self.jws("{\"a\":\"\(String(decoding: Self.header, as: UTF8.self))\(rest)")
        #expect(restored(unclosed) == unclosed)
    }

    @Test func `with an inner signed text of 64 KiB and more is restored`() {
        for count in [65_530, 65_535, 65_536, 70_000] {
            let input = Self.jws("{\"a\":\"\(Self.inner(String(repeating: "a", count: count)))\"}")
            #expect(restored(input) == input)
        }
    }

    @Test func `that is damaged is read without a crash`() {
        let remainder = Array(SplitJWS(Self.notification).remainder)
        for count in remainder.indices {
            let joined = SplitJWS.joined(header: Self.header, remainder: Array(remainder[..<count]))
            #expect(count == 0 || joined == nil, "\(count) bytes")
        }
        for index in remainder.indices {
            var damaged = remainder
            damaged[index] ^= 0xFF
            _ = SplitJWS.joined(header: Self.header, remainder: damaged)
        }
    }

    @Test func `is restored byte for byte with any byte changed, added or removed`() {
        var random = SplitMix64(seed: 1)
        let indices =
            [0, 5, 5_999, 6_000, 6_001]
            + (0..<120).map { _ in Self.notification.indices.randomElement(using: &random) ?? 0 }
        for index in indices {
            for byte in [UInt8(ascii: "."), UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "A"), 0x01, 0xFF, 0x00] {
                var changed = Self.notification
                changed[index] = byte
                #expect(restored(changed) == changed, "byte \(byte) at \(index)")
                changed.insert(byte, at: index)
                #expect(restored(changed) == changed, "byte \(byte) added at \(index)")
            }
            #expect(restored(Array(Self.notification[..<index])) == Array(Self.notification[..<index]))
        }
    }

    @Test(arguments: [
        "", ".", "..", "...", "a", "a.", "a.b", "a.b.", "a.b.c", ".b.c", "a..c", "\u{1}.b.c", "a.\u{1}b.c", "a.YQ.c",
        "a.YR.c", "a.YQ==.c", "a.Y Q.c", "a.Y.c",
    ])
    func `is restored byte for byte, for any content`(text: String) {
        #expect(restored(Array(text.utf8)) == Array(text.utf8))
    }

    @Test func `with the marker byte in the payload or a long signature is restored`() {
        for payload: [UInt8] in [[0xFF], [0x22, 0xFF], Array("\"a".utf8) + [0xFF], []] {
            let text = Array(
                Data(payload).base64EncodedString().replacing("/", with: "_").replacing("=", with: "").utf8
            )
            let input = Array("a.".utf8) + text + Array(".s".utf8)
            #expect(restored(input) == input)
        }
        let long = Array("a.YQ.".utf8) + [UInt8](repeating: UInt8(ascii: "s"), count: 300)
        #expect(restored(long) == long)
    }
}
