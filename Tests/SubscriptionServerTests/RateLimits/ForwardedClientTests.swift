import Testing

@testable import SubscriptionServer

/// The client of a request, by the address of its connection and by `X-Forwarded-For`.
@Suite struct `The client of a request` {
    private static let peer = "10.0.0.7"

    private static func client(
        peer: String,
        _ lines: [String],
        trusting: [String] = ["10.0.0.0/8", "2001:db8:ffff::/48"]
    ) throws -> ClientAddress? {
        let clients = ForwardedClients(trusted: try trusting.map { try #require(NetworkBlock($0)) })
        return clients.client(peer: try #require(NetworkAddress(peer)), forwarded: lines)
    }

    private static func address(_ text: String) throws -> ClientAddress {
        ClientAddress(try #require(NetworkAddress(text)))
    }

    @Test(
        arguments: [
            (["203.0.113.5"], "203.0.113.5"),
            (["203.0.113.5:4711"], "203.0.113.5"),
            ([" 203.0.113.5\t"], "203.0.113.5"),
            (["1.1.1.1, 203.0.113.5"], "203.0.113.5"),
            (["1.1.1.1,203.0.113.5 , 10.0.0.8"], "203.0.113.5"),
            (["203.0.113.5, 10.0.0.8,10.0.0.9:80"], "203.0.113.5"),
            // What the client wrote does not matter.
            (["unknown, 10.0.0.1, <script>, 203.0.113.5"], "203.0.113.5"),
            // Several lines are one list.
            (["1.1.1.1", "203.0.113.5"], "203.0.113.5"),
            (["203.0.113.5", "10.0.0.8"], "203.0.113.5"),
            (["1.1.1.1, 203.0.113.5", "10.0.0.8, 10.0.0.9"], "203.0.113.5"),
            (["::ffff:203.0.113.5"], "203.0.113.5"),
            (["[::ffff:203.0.113.5]:80"], "203.0.113.5"),
            (["2001:db8:1:2::1"], "2001:db8:1:2:3::"),
            (["[2001:db8:1:2::1]"], "2001:db8:1:2::2"),
            (["[2001:db8:1:2::1]:443"], "2001:db8:1:2::2"),
            (["203.0.113.5, 2001:db8:ffff::9"], "203.0.113.5"),
        ]
    )
    func `is the last address that no trusted proxy has`(lines: [String], expected: String) throws {
        #expect(try Self.client(peer: Self.peer, lines) == Self.address(expected))
        #expect(try Self.client(peer: "2001:db8:ffff::1", lines) == Self.address(expected))
        #expect(try Self.client(peer: "::ffff:10.0.0.7", lines) == Self.address(expected))
        // Anybody can write the header, so without a trusted proxy it does not matter.
        #expect(try Self.client(peer: "198.51.100.1", lines) == Self.address("198.51.100.1"))
    }

    @Test(
        arguments: [
            [], [""], [" "], [","], ["unknown"], ["203.0.113.5, unknown"], ["203.0.113.5,"], ["203.0.113.5", ""],
            ["_hidden"], ["203.0.113"], ["203.0.113.256"], ["203.0.113.5:"], ["203.0.113.5:port"],
            ["203.0.113.5:123456"], ["[2001:db8::1"], ["2001:db8::1]"], ["[2001:db8::1]x"], ["[2001:db8::1]:"],
            ["[203.0.113.5]"], ["[]"], ["[]:80"], ["fe80::1%eth0"], ["localhost"], ["203.0.113.5 198.51.100.1"],
            ["203.0.113.5\u{0}"], ["\"203.0.113.5\""], ["for=203.0.113.5"], ["٢٠٣.0.113.5"], ["10.0.0.8"],
            [String(repeating: "1", count: 8_000)], [String(repeating: ",", count: 8_000)],
            [String(repeating: "[", count: 8_000)],
            [(0..<1_000).map { _ in "10.0.0.9" }.joined(separator: ", ")],
            ["203.0.113.5"] + Array(repeating: "10.0.0.9", count: 1_000),
        ]
    )
    func `is the proxy itself if what it wrote is no client`(lines: [String]) throws {
        #expect(try Self.client(peer: Self.peer, lines) == Self.address(Self.peer))
        #expect(try Self.client(peer: "2001:db8:ffff::1", lines) == Self.address("2001:db8:ffff::2"))
    }

    @Test func `is the last of a thousand addresses`() throws {
        let invented = (0..<1_000).map { "198.51.\($0 / 256).\($0 % 256)" }.joined(separator: ", ")
        #expect(try Self.client(peer: Self.peer, [invented + ", 203.0.113.5"]) == Self.address("203.0.113.5"))
        #expect(try Self.client(peer: Self.peer, [invented, "203.0.113.5"]) == Self.address("203.0.113.5"))
    }

    @Test(
        arguments: [
            "127.0.0.1", "127.9.9.9", "::1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.1.1",
            "100.64.0.1", "fe80::1", "fd00::1", "fc00::1", "::ffff:192.168.1.1", "64:ff9b::10.0.0.1",
        ]
    )
    func `is not limited on this machine or in a private network`(peer: String) throws {
        #expect(try Self.client(peer: peer, ["203.0.113.5"], trusting: []) == nil)
        #expect(try Self.client(peer: "198.51.100.1", [peer], trusting: ["198.51.100.1"]) == nil)
        #expect(try Self.client(peer: peer, [], trusting: [peer]) == Self.address(peer))
        #expect(try Self.client(peer: peer, ["203.0.113.5"], trusting: [peer]) == Self.address("203.0.113.5"))
    }

    @Test(arguments: ["8.8.8.8", "172.32.0.1", "11.0.0.1", "100.128.0.1", "2a00::1", "fec0::1", "64:ff9b::8.8.8.8"])
    func `is limited elsewhere`(peer: String) throws {
        #expect(try Self.client(peer: peer, ["203.0.113.5"], trusting: []) == Self.address(peer))
    }

    @Test func `is a network of 64 bits for IPv6, and one address behind a translator`() throws {
        #expect(try Self.address("2001:db8:1:2::1") == Self.address("2001:db8:1:2:ffff::"))
        #expect(try Self.address("2001:db8:1:2::1") != Self.address("2001:db8:1:3::1"))
        #expect(try Self.address("::ffff:192.0.2.1") == Self.address("192.0.2.1"))
        #expect(try Self.address("64:ff9b::192.0.2.1") == Self.address("192.0.2.1"))
        #expect(try Self.address("64:ff9b::192.0.2.1") != Self.address("192.0.2.2"))
        #expect(try Self.address("0.0.0.1") != Self.address("::1"))
    }

    @Test(
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.9.9.9/8", "10.0.0.1", true),
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.0/31", "192.0.2.1", true),
            ("192.0.2.0/31", "192.0.2.2", false), ("2001:db8::/32", "2001:db8:9::1", true),
            ("2001:db8::/32", "2001:db9::1", false), ("2001:db8::1", "2001:db8::2", false),
            ("::ffff:10.0.0.0/104", "10.1.1.1", true), ("::/1", "1.1.1.1", false), ("0.0.0.0/1", "::1", false),
        ]
    )
    func `can be in a trusted network`(network: String, address: String, isIn: Bool) throws {
        let block = try #require(NetworkBlock(network))
        #expect(block.contains(try #require(NetworkAddress(address))) == isIn)
    }

    @Test(
        arguments: [
            "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0.0/0",
            "::/0", "2001:db8::/129", "10.0.0/8", "example.com", "10.0.0.0/٨", "::ffff:0.0.0.0/96", "10.0.0.0/0008",
            "10.0.0.0 /8", "*",
        ]
    )
    func `cannot be in a network that is none, or in all of them`(text: String) {
        #expect(NetworkBlock(text) == nil)
    }
}
