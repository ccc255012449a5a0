import SubscriptionCore
import SubscriptionOperations
import Testing

/// One-time codes as RFC 4226 and RFC 6238 define them.
@Suite struct `One-time codes` {
    private static let secret = Array("12345678901234567890".utf8)

    @Test func `are those of RFC 4226, appendix D`() {
        let codes = (0..<10).map { OneTimeCode.code(of: $0, secret: Self.secret) }
        #expect(
            codes == [
                "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
            ]
        )
    }

    @Test(arguments: [
        (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
        (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ])
    func `are those of RFC 6238, appendix B`(seconds: Int64, code: String) {
        let step = OneTimeCode.step(at: Timestamp(milliseconds: seconds * 1_000))
        #expect(OneTimeCode.code(of: step, secret: Self.secret, digits: 8) == code)
    }

    @Test func `are accepted one step early or late, and no further`() {
        let now = Timestamp(milliseconds: 1_770_000_000_000)
        let current = OneTimeCode.step(at: now)
        for (offset, isAccepted) in [(-2, false), (-1, true), (0, true), (1, true), (2, false)] {
            let step = current + Int64(offset)
            let code = OneTimeCode.code(of: step, secret: Self.secret)
            let found = OneTimeCode.step(of: code, secret: Self.secret, at: now, after: nil)
            #expect(found == (isAccepted ? step : nil), "\(offset)")
        }
        for text in ["", "12345", "1234567", "abcdef"] {
            #expect(OneTimeCode.step(of: text, secret: Self.secret, at: now, after: nil) == nil)
        }
    }

    @Test func `are not accepted for a step that is not later than the last one`() {
        let now = Timestamp(milliseconds: 1_770_000_000_000)
        let current = OneTimeCode.step(at: now)
        let code = OneTimeCode.code(of: current, secret: Self.secret)
        #expect(OneTimeCode.step(of: code, secret: Self.secret, at: now, after: current - 1) == current)
        #expect(OneTimeCode.step(of: code, secret: Self.secret, at: now, after: current) == nil)
        #expect(OneTimeCode.step(of: code, secret: Self.secret, at: now, after: current + 1) == nil)
    }

    @Test func `have an address that an app reads`() {
        #expect(
            OneTimeCode.address(of: "Zoë K.", secret: Self.secret)
                == "otpauth://totp/Perennial:Zo%C3%AB%20K.?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Perennial"
        )
        let secret = OneTimeCode.makeSecret()
        #expect(secret.count == 20 && secret != OneTimeCode.makeSecret())
    }
}
