import PerennialPrimitives
import SubscriptionStorage
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct `A compressed payload` {
    private static let payload = Array(
        """
        {"notificationType":"DID_RENEW","notificationUUID":"85acf88c-466b-43b5-9f2a-c8056026b70d","version":"2.0",\
        "signedDate":1793196800000}
        """.utf8
    )

    @Test func `is restored, for any content`() {
        var random = SplitMix64(seed: 1)
        for length in [5, 6, 100, 1_500, 8_191, 8_192, 70_000] {
            let repeated = [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: length)
            let text = (0..<length).map { _ in Self.payload.randomElement(using: &random) ?? 0 }
            for payload in [repeated, text, Array(Self.payload + repeated)] {
                guard let stored = PayloadCompression.compressed(payload[...]) else { continue }
                #expect(stored.count < payload.count)
                #expect(PayloadCompression.payload(stored[...]) == payload)
            }
        }
    }

    @Test func `that would not be shorter is not created`() {
        var random = SplitMix64(seed: 2)
        let noise = (0..<1_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        #expect(PayloadCompression.compressed(noise[...]) == nil)
        #expect(PayloadCompression.compressed([]) == nil)
        #expect(PayloadCompression.compressed([1, 2, 3, 4]) == nil)
    }

    @Test func `of a notification is at most six tenths of its size`() throws {
        let stored = try #require(PayloadCompression.compressed(Self.payload[...]))
        #expect(stored.count < 80, "\(stored.count)")
    }

    /// Created by the command `zstd` with the first dictionary. If this test fails, the dictionary has changed, and
    /// stored inputs cannot be read.
    @Test func `of the first version is read`() throws {
        let text = "KLUv/SCF9QEABAM4NWFjZjg4Yy00NjZiLTQzYjUtOWYyYS1jODA1NjAyNmI3MGQ5MzE5NjgwMDAwMH0DEAq8YfwJGljqAwI="
        let stored = try #require(Data(base64Encoded: text))
        #expect(PayloadCompression.payload(Array(stored)[...]) == Self.payload)
    }

    @Test func `that is damaged or cut off is never more than a request may have`() throws {
        let stored = try #require(PayloadCompression.compressed(Self.payload[...]))
        for count in stored.indices { #expect(PayloadCompression.payload(stored[..<count]) == nil) }
        for index in stored.indices {
            for bit in 0..<8 {
                var damaged = stored
                damaged[index] ^= 1 << bit
                let payload = PayloadCompression.payload(damaged[...])
                #expect(payload?.count ?? 0 <= 16 << 20)
            }
        }
    }
}
