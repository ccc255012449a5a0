import Testing

@testable import SubscriptionServer

/// Which addresses are on the public internet.
@Suite struct `Network addresses` {
    @Test(arguments: [
        // The first and the last address of each block of RFC 6890 and its updates.
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.0",
        "127.255.255.255", "169.254.0.0", "169.254.169.254", "169.254.255.255", "172.16.0.0", "172.31.255.255",
        "192.0.0.0", "192.0.0.255", "192.0.2.0", "192.0.2.255", "192.88.99.0", "192.88.99.255", "192.168.0.0",
        "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.0", "198.51.100.255", "203.0.113.0",
        "203.0.113.255", "224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255",
        // Azure's platform.
        "168.63.129.16",
        // Unspecified, loopback, discard-only, unique local, link-local, site-local and multicast.
        "::", "::1", "100::1", "fc00::1", "fd00::1", "fe80::1", "fec0::1", "ff02::1",
        // Local NAT64, protocol assignments with Teredo, documentation, and segment routing.
        "64:ff9b:1::1", "2001::1", "2001:1ff:ffff::1", "2001:db8::1", "3fff::1", "3fff:fff:ffff::1", "5f00::1",
        // With an address of version 4: mapped, compatible, NAT64 and 6to4.
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::7f00:1", "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe", "2002:7f00:1::1", "2002:a9fe:a9fe::1",
    ])
    func `are not public in special blocks`(text: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(!address.isPublic)
    }

    @Test(arguments: [
        // The neighbours of the blocks.
        "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
        "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.167.255.255",
        "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "8.8.8.8",
        "2001:200::1", "2001:4860:4860::8888", "2606:4700:4700::1111", "2a00:1450::1",
        "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1",
    ])
    func `are public elsewhere`(text: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(address.isPublic)
    }
}
