import Foundation
import HTTPTypes
package import Hummingbird
package import NIOCore

/// Finds the client of a request: the other end of its connection, or what a trusted proxy says.
package struct ForwardedClients: Sendable {
    /// The maximum number of proxies that one request may have passed.
    static let proxiesMax = 32
    /// The length of the longest address with brackets and a port.
    private static let entryBytesMax = 64

    private let trusted: [NetworkBlock]

    /// - Parameter trusted: The proxies whose `X-Forwarded-For` is used.
    init(trusted: [NetworkBlock]) {
        self.trusted = trusted
    }

    /// The client whose requests are limited.
    ///
    /// - Returns: nil if it is not limited by address.
    package func client(of request: Request, on channel: any Channel) -> ClientAddress? {
        let remote = channel.remoteAddress
        // A proxy on the same machine is the usual case, and is recognised without an allocation.
        if trusted.isEmpty, let remote, remote.isLoopbackFour { return nil }
        guard let peer = NetworkAddress(remote) else { return nil }
        guard !trusted.isEmpty else { return peer.isLocal ? nil : ClientAddress(peer) }
        let lines = request.headers.lazy.filter { $0.name == .forwardedFor }.map(\.value)
        return client(peer: peer, forwarded: Array(lines))
    }

    /// The client behind a peer.
    ///
    /// A peer that is not a trusted proxy is the client; if it is local, it is not limited. Behind a trusted proxy the
    /// client is the last address that is not one of a trusted proxy: a client can write anything to the left of it. If
    /// there is no such address, or what a proxy wrote is no address, the request counts for the peer, even a local
    /// one.
    ///
    /// - Parameters:
    ///   - peer: The other end of the connection.
    ///   - forwarded: The values of `X-Forwarded-For`, in the order of the lines.
    func client(peer: NetworkAddress, forwarded: [String]) -> ClientAddress? {
        let peer = peer.withoutMapping
        guard isTrusted(peer) else { return peer.isLocal ? nil : ClientAddress(peer) }
        var passed = 0
        for line in forwarded.reversed() {
            var rest = Substring(line)
            while true {
                let comma = rest.utf8.lastIndex(of: UInt8(ascii: ","))
                let entry = comma.map { rest[rest.utf8.index(after: $0)...] } ?? rest
                passed += 1
                guard passed <= Self.proxiesMax, let address = Self.address(entry) else { return ClientAddress(peer) }
                if !isTrusted(address) { return address.isLocal ? nil : ClientAddress(address) }
                guard let comma else { break }
                rest = rest[..<comma]
            }
        }
        return ClientAddress(peer)
    }

    private func isTrusted(_ address: NetworkAddress) -> Bool { trusted.contains { $0.contains(address) } }

    /// The address in an entry: `192.0.2.1`, `192.0.2.1:8080`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:8080`.
    ///
    /// - Returns: nil for anything else, such as `unknown`.
    static func address(_ entry: Substring) -> NetworkAddress? {
        guard entry.utf8.count <= entryBytesMax else { return nil }
        var text = entry.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else { return nil }
            text = text[text.index(after: text.startIndex)..<end]
            guard text.contains(":") else { return nil }
        } else if let colon = text.firstIndex(of: ":"), text[..<colon].contains(".") {
            guard isPort(text[colon...]) else { return nil }
            text = text[..<colon]
        }
        // The C library reads up to the first zero byte.
        guard text.utf8.allSatisfy({ $0 != 0 }) else { return nil }
        return NetworkAddress(String(text))?.withoutMapping
    }

    /// Whether a text is empty or a port after a colon.
    private static func isPort(_ text: Substring) -> Bool {
        guard let first = text.first else { return true }
        let digits = text.dropFirst().utf8
        return first == ":" && (1...5).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
    }
}

extension SocketAddress {
    /// Whether it is a loopback address of version 4.
    fileprivate var isLoopbackFour: Bool {
        guard case .v4(let address) = self else { return false }
        // As NetworkAddress reads it.
        return withUnsafeBytes(of: address.address) { $0[4] == 127 }
    }
}

extension HTTPField.Name {
    /// The addresses that a request came through, by the proxies on its way.
    fileprivate static let forwardedFor = HTTPField.Name("X-Forwarded-For")
}
