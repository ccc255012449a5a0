import Testing

@testable import SubscriptionServer

/// A limit for another route.
@Suite struct `An address limiter` {
    @Test func `takes the cost of a request from its address`() throws {
        let time = MovedTime()
        let limiter = AddressLimiter(perMinute: 6, burst: 10, now: time.source)
        let addresses = [NetworkAddress("192.0.2.1"), NetworkAddress("192.0.2.2")].compactMap(\.self)
        let clients = addresses.map(ClientAddress.init)
        #expect(limiter.admit(nil) == nil)
        #expect(limiter.admit(clients[0], cost: 8)?.isAdmitted == true)
        let refused = limiter.admit(clients[0], cost: 8)
        #expect(refused?.isAdmitted == false && refused?.remaining == 2 && refused?.retryAfterSeconds == 60)
        #expect(limiter.admit(clients[1], cost: 8)?.isAdmitted == true)
        #expect(limiter.admit(clients[0], cost: 2)?.isAdmitted == true)
        time.advance(seconds: 100)
        #expect(limiter.state(of: clients[0])?.remaining == 10)
        #expect(AddressLimiter(perMinute: 0, burst: 1).admit(clients[0]) == nil)
    }
}
