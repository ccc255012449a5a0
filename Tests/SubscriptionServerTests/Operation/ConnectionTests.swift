import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import SubscriptionServer

/// A connection in an embedded channel, with a chosen address and body rate.
@Suite struct `A connection` {
    private let connections = ConnectionCount()

    private func open(from address: String?, _ limits: ServerLimits) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: ConnectionHandler(connections: connections, limits: limits))
        channel.remoteAddress = try address.map { try SocketAddress(ipAddress: $0, port: 40_000) }
        channel.pipeline.fireChannelActive()
        return channel
    }

    private func begin(_ limits: ServerLimits) throws -> EmbeddedChannel {
        let channel = try open(from: nil, limits)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/")
        try channel.writeInbound(HTTPRequestPart.head(head))
        return channel
    }

    private func send(_ bytes: Int, to channel: EmbeddedChannel) throws {
        try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0, count: bytes)))
    }

    @Test func `counts against its address until it closes`() throws {
        let limits = ServerLimits(connectionsPerAddressMax: 2)
        let first = try open(from: "192.0.2.1", limits)
        _ = try open(from: "192.0.2.1", limits)
        _ = try open(from: "192.0.2.2", limits)
        #expect(connections.current == 3)
        _ = try open(from: "192.0.2.1", limits)
        #expect(connections.current == 3)
        #expect(connections.refused == 1)
        first.pipeline.fireChannelInactive()
        _ = try open(from: "::ffff:192.0.2.1", limits)
        #expect(connections.current == 3)
        #expect(connections.refused == 1)
    }

    @Test func `counts by network for IPv6`() throws {
        let limits = ServerLimits(connectionsPerAddressMax: 1)
        _ = try open(from: "2001:db8:1:2::1", limits)
        _ = try open(from: "2001:db8:1:2:3:4:5:6", limits)
        _ = try open(from: "2001:db8:1:3::1", limits)
        #expect(connections.current == 2)
        #expect(connections.refused == 1)
    }

    @Test(arguments: ["127.0.0.1", "::1", "127.3.2.1", "::ffff:127.0.0.1"])
    func `is not limited for a proxy on this machine`(_ loopback: String) throws {
        let limits = ServerLimits(connectionsPerAddressMax: 1)
        for _ in 0..<5 { _ = try open(from: loopback, limits) }
        #expect(connections.current == 5)
        #expect(connections.refused == 0)
    }

    @Test func `is accepted without a limit`() throws {
        let limits = ServerLimits(connectionsPerAddressMax: 0)
        for _ in 0..<5 { _ = try open(from: "192.0.2.1", limits) }
        #expect(connections.current == 5)
    }

    @Test func `ends when a body arrives too slowly`() throws {
        let channel = try begin(ServerLimits(bodyBytesPerSecondMin: 100))
        try send(1_000, to: channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(5))
        try send(499, to: channel)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(4_900))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(200))
        #expect(!channel.isActive)
    }

    @Test func `ends at the deadline of a body that arrives fast enough`() throws {
        let channel = try begin(ServerLimits(bodyMillisecondsMax: 12_000, bodyBytesPerSecondMin: 100))
        for _ in 0..<11 {
            try send(120, to: channel)
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        }
        #expect(channel.isActive)
        try send(120, to: channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `has no timer after the body is complete`() throws {
        let channel = try begin(ServerLimits(bodyBytesPerSecondMin: 100))
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .minutes(10))
        #expect(channel.isActive)
    }
}
