import Crypto
import Testing

@testable import AppStoreSigning

@Suite struct `SHA-256 of many messages` {
    /// The forms that this processor has; none on some, where the library's own hash does everything.
    static let forms = MultiBufferSHA256.available.indices

    @Test(arguments: forms)
    func `digests are those of the cryptographic library, for every length and any neighbours`(form: Int) {
        let sha256 = MultiBufferSHA256.available[form]
        // Every length around two blocks, then random ones; as many neighbours as fit, and fewer.
        var lengths = Array(0...200) + (0..<200).map { _ in Int.random(in: 0...20_000) }
        lengths.shuffle()
        while !lengths.isEmpty {
            let messages = lengths.prefix(Int.random(in: 1...MultiBufferSHA256.lanes)).map { length in
                (0..<length).map { _ in UInt8.random(in: .min ... .max) }
            }
            lengths.removeFirst(messages.count)

            let digests = sha256.digests(of: messages.map { .init(bytes: $0[...], start: .initial) })

            #expect(digests.map(Array.init) == messages.map { Array(SHA256.hash(data: $0)) })
        }
    }

    @Test(arguments: forms)
    func `a shared beginning is hashed once`(form: Int) {
        let sha256 = MultiBufferSHA256.available[form]
        for count in [0, 1, 63, 64, 65, 127, 128, 4_991] {
            let beginning = (0..<count).map { _ in UInt8.random(in: .min ... .max) }
            let midstate = sha256.midstate(after: beginning[...])
            let messages = (0..<MultiBufferSHA256.lanes).map { beginning + [UInt8](repeating: 7, count: $0 * 41) }

            let digests = sha256.digests(of: messages.map { .init(bytes: $0[...], start: midstate) })

            #expect(midstate.hashedBytes == count / 64 * 64)
            #expect(digests.map(Array.init) == messages.map { Array(SHA256.hash(data: $0)) })
        }
    }
}
