import Foundation
import NIOCore

/// The address of a client: an IPv4 address, or the first half of an IPv6 address.
///
/// A provider assigns at least a /64 network to each customer.
package struct ClientAddress: Hashable, Sendable {
    private let bits: UInt64
    private let isVersionSix: Bool

    /// The client with an address.
    init(_ address: NetworkAddress) {
        let plain = address.withoutMapping
        bits = plain.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        isVersionSix = plain.bytes.count > 4
    }

    /// The client of a connection.
    ///
    /// - Returns: nil for loopback, because a proxy on this machine has one address for all its clients; for Unix
    ///   sockets; and for unknown addresses.
    init?(_ address: SocketAddress?) {
        guard let address = NetworkAddress(address), !address.isLoopback else { return nil }
        self.init(address)
    }
}

extension NetworkAddress {
    /// The address of a connection's other end.
    ///
    /// - Returns: nil for Unix sockets and for unknown addresses.
    init?(_ address: SocketAddress?) {
        let found: NetworkAddress?
        switch address {
        case .v4(let four)?: found = withUnsafeBytes(of: four.address) { Self(socket: $0, isVersionSix: false) }
        case .v6(let six)?: found = withUnsafeBytes(of: six.address) { Self(socket: $0, isVersionSix: true) }
        default: found = nil
        }
        guard let found else { return nil }
        self = found
    }

    /// The address of version 4 in a mapped or translated (NAT64) address; any other address as it is.
    var withoutMapping: NetworkAddress {
        guard bytes.count == 16, Self.mapped.contains(bytes) || Self.translated.contains(bytes) else { return self }
        return NetworkAddress(bytes: Array(bytes[12...])) ?? self
    }

    /// Whether it is this machine.
    var isLoopback: Bool { Self.loopback.contains { $0.contains(withoutMapping) } }

    /// Whether it is this machine, or an address that only a private network uses.
    ///
    /// - Source: RFC 1918, RFC 3927, RFC 4193, RFC 4291 and RFC 6598.
    var isLocal: Bool {
        let plain = withoutMapping
        return Self.loopback.contains { $0.contains(plain) } || Self.local.contains { $0.contains(plain) }
    }

    private static let mapped = NetworkBlock.six([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96)
    private static let translated = NetworkBlock.six([0, 0x64, 0xFF, 0x9B], 96)
    private static let loopback: [NetworkBlock] = [
        .four([127], 8), .six([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 128),
    ]
    private static let local: [NetworkBlock] = [
        .four([10], 8), .four([172, 16], 12), .four([192, 168], 16), .four([169, 254], 16), .four([100, 64], 10),
        .six([0xFC], 7), .six([0xFE, 0x80], 10),
    ]
}
