import PerennialPrimitives

/// The start of a page of the notification history, as an opaque text.
struct NotificationHistoryCursor: Hashable, Sendable {
    /// The lifetime of a token in milliseconds. Apple publishes none; here it is a day.
    static let lifetime = Milliseconds.day

    /// The position of the first possible notification of the page.
    let position: Int
    /// When the first page was requested, milliseconds since 1970; later pages end there too.
    let askedAt: Int64
    /// A digest of the body, which must be equal for every page.
    let requestDigest: UInt64

    private static let radix = 36

    /// The token: three numbers and a checksum.
    var token: String {
        let numbers = [UInt64(position), UInt64(bitPattern: askedAt), requestDigest]
        let text = numbers.map { String($0, radix: Self.radix) }.joined(separator: "-")
        return text + "-" + String(Self.digest(Array(text.utf8)), radix: Self.radix)
    }

    init(position: Int, askedAt: Int64, requestDigest: UInt64) {
        self.position = position
        self.askedAt = askedAt
        self.requestDigest = requestDigest
    }

    /// Parses a token; `nil` if no store created it.
    init?(token: String) {
        let parts = token.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { UInt64($0, radix: Self.radix) }
        guard parts.count == 4, numbers.count == 4, let position = Int(exactly: numbers[0]) else { return nil }
        self.init(position: position, askedAt: Int64(bitPattern: numbers[1]), requestDigest: numbers[2])
        guard self.token == token else { return nil }
    }

    /// A digest that is equal in every run.
    static func digest(_ bytes: [UInt8]) -> UInt64 { FNV1a(of: bytes).value }
}
