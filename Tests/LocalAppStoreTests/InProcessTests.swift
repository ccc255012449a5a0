import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import LocalAppStore
import Testing

/// The store inside a user's test, as in the documentation.
@Suite struct `In process` {
    /// The code under test of a user: here it counts renewals.
    struct Backend {
        let verifier: SignedDataVerifier
        var renewals = 0

        mutating func receive(_ signedPayload: String) throws -> SendAttemptResult {
            if try verifier.verifyNotification(signedPayload).get().payload.notificationType == .didRenew {
                renewals += 1
            }
            return .success
        }
    }

    @Test func `five lines simulate a year of a subscription`() throws {
        let authority = try TestAuthority()
        let app = AppIdentity(bundleId: "com.example.perennial", environment: .sandbox)
        var backend = Backend(verifier: SignedDataVerifier(roots: [authority.trustedRoot], apps: [app]))

        var store = try LocalAppStore(authority: authority)
        let customer = try store.createAccount().accountId
        _ = try store.purchase(accountId: customer, request: PurchaseRequest(productId: "pro.monthly"))
        try store.advance(by: "P1Y") { try backend.receive($0.signedPayload) }
        #expect(backend.renewals == 12)
    }

    @Test func `a purchase is delivered before the clock moves`() throws {
        var store = try LocalAppStore(authority: TestAuthority())
        let customer = try store.createAccount().accountId
        _ = try store.purchase(accountId: customer, request: PurchaseRequest(productId: "lifetime"))
        var reported: [Int] = []
        try store.advance(by: "PT0S") { delivery in
            reported.append(delivery.attempt)
            return .success
        }
        #expect(reported == [1])
    }

    @Test func `a failed attempt is retried by Apple's schedule, also with an asynchronous receiver`() async throws {
        let production = LocalAppStore.Configuration(environment: .production)
        var store = try LocalAppStore(authority: TestAuthority(), configuration: production)
        let customer = try store.createAccount().accountId
        _ = try store.purchase(accountId: customer, request: PurchaseRequest(productId: "lifetime"))
        var attempts: [Int] = []
        try await store.advance(by: "P30D") { delivery async in
            attempts.append(delivery.attempt)
            return delivery.attempt < 3 ? .noResponse : .success
        }
        #expect(attempts == [1, 2, 3])
    }

    @Test func `an error of a receiver stops the advance at once`() throws {
        struct Refused: Error {}
        var store = try LocalAppStore(authority: TestAuthority())
        let customer = try store.createAccount().accountId
        _ = try store.purchase(accountId: customer, request: PurchaseRequest(productId: "lifetime"))
        let start = store.now
        #expect(throws: Refused.self) { try store.advance(by: "P1D") { _ in throw Refused() } }
        #expect(store.now == start)
        #expect(store.dueDeliveries().count == 1)
    }

    @Test func `an invalid duration is refused`() throws {
        var store = try LocalAppStore(authority: TestAuthority())
        expectRefusal(.durationInvalid, .unprocessable) { try store.advance(by: "1 month") { _ in .success } }
    }
}
