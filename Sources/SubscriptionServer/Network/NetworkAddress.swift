#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An address of the Internet Protocol, version 4 or 6.
struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// The bytes in network order: 4 or 16.
    let bytes: [UInt8]

    /// Makes an address of 4 or 16 bytes.
    init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads the address in a socket address of C, which is a `sockaddr_in` or `sockaddr_in6`.
    ///
    /// The members of these structures are not named: the order of imports decides which module defines them.
    ///
    /// - Source: RFC 3493, 3.2 and 3.3. The family and the port have two bytes each; in version 6, four bytes of the
    ///   flow follow.
    init?(socket: UnsafeRawBufferPointer, isVersionSix: Bool) {
        let range = isVersionSix ? 8..<24 : 4..<8
        guard socket.count >= range.upperBound else { return nil }
        bytes = Array(socket[range])
    }

    /// Reads an address in its usual text, such as `192.0.2.1` or `2001:db8::1`.
    init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: &six) { Array($0) }
        } else {
            return nil
        }
    }

    /// The usual text.
    var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "unknown" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether the address is one of the public internet.
    ///
    /// Private, loopback, link-local (with the metadata services of clouds), shared, documentation, benchmark,
    /// multicast and reserved addresses are not, and neither is the address of Azure's platform. An address that
    /// contains one of version 4 counts as that one.
    ///
    /// - Source: IANA's registries of special-purpose addresses (RFC 6890 and its updates).
    var isPublic: Bool {
        if bytes.count == 4 { return !Self.specialFour.contains { $0.contains(bytes) } }
        if let embedded { return embedded.isPublic }
        // Only 2000::/3 is assigned to hosts of the public internet.
        return bytes[0] & 0xE0 == 0x20 && !Self.specialSix.contains { $0.contains(bytes) }
    }

    /// The address of version 4 in a mapped, compatible, translated (NAT64) or 6to4 address.
    private var embedded: NetworkAddress? {
        let zeros = [UInt8](repeating: 0, count: 10)
        if bytes.starts(with: zeros), bytes[10] == bytes[11], bytes[10] == 0 || bytes[10] == 0xFF {
            return NetworkAddress(bytes: Array(bytes[12...]))
        }
        if bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) {
            return NetworkAddress(bytes: Array(bytes[12...]))
        }
        if bytes.starts(with: [0x20, 0x02]) { return NetworkAddress(bytes: Array(bytes[2..<6])) }
        return nil
    }

    private static let specialFour: [NetworkBlock] = [
        .four([0], 8), .four([10], 8), .four([100, 64], 10), .four([127], 8), .four([169, 254], 16),
        .four([172, 16], 12), .four([192, 0, 0], 24), .four([192, 0, 2], 24), .four([192, 88, 99], 24),
        .four([192, 168], 16), .four([198, 18], 15), .four([198, 51, 100], 24), .four([203, 0, 113], 24),
        .four([224], 4), .four([240], 4),
        // The address of Azure's platform, which machines there reach without leaving it.
        .four([168, 63, 129, 16], 32),
    ]

    private static let specialSix: [NetworkBlock] = [
        // Protocol assignments with Teredo, documentation, and segment routing.
        .six([0x20, 0x01, 0x00], 23), .six([0x20, 0x01, 0x0D, 0xB8], 32), .six([0x3F, 0xFF], 20),
    ]
}
