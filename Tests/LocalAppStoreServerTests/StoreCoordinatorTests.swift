import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import LocalAppStore
import Logging
import Testing

@testable import LocalAppStoreServer

/// The guarantees of the coordinator between its calls, which clients cannot time exactly.
@Suite struct `The store's coordinator` {
    private struct Refusal: Error {}

    private func store(signer: JWSSigner) throws -> LocalAppStore {
        var store = LocalAppStore(
            configuration: LocalAppStore.Configuration(seed: 7),
            catalog: try Catalog.example(),
            signer: signer,
            now: 1_790_000_000_000
        )
        try store.setNotificationEndpoint(url: "http://127.0.0.1:9/notifications")
        return store
    }

    private func coordinator(caller: any FollowerCaller, deliverer: Deliverer) throws -> StoreCoordinator {
        coordinator(with: try store(signer: try TestAuthority().signer), caller: caller, deliverer: deliverer)
    }

    private func coordinator(with store: LocalAppStore, caller: any FollowerCaller, deliverer: Deliverer)
        -> StoreCoordinator
    {
        StoreCoordinator(
            state: CoordinatorState(opening: store),
            firstKey: .generate(),
            deliverer: deliverer,
            caller: caller,
            realtimeCaller: UnresponsiveDeveloper(),
            timeouts: FollowerTimeouts(),
            realTime: ManualTime(),
            realSeconds: { 0 },
            clockSpeed: 0,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    @Test func `a test notification is sent even if the command after it is refused`() async throws {
        let deliverer = Deliverer()
        let coordinator = try coordinator(caller: WillingFollower(), deliverer: deliverer)
        // As when it is requested between two commands: the next one finds it due.
        await #expect(throws: Refusal.self) {
            try await coordinator.perform { store -> Void in
                _ = try store.requestTestNotification()
                throw Refusal()
            }
        }
        #expect(await deliverer.bodies.count == 1)
        #expect(await coordinator.dueDeliveries().isEmpty)
    }

    @Test func `many threads sign the same as one, byte for byte and in the same order`() async throws {
        let customers = 75
        var alone = try store(signer: try TestAuthority(seed: 7).deterministicSigner)
        for number in 0..<customers {
            let account = try alone.createAccount(accountId: "c\(number)")
            _ = try alone.purchase(accountId: account.accountId, request: PurchaseRequest(productId: "pro.monthly"))
        }
        let end = alone.now + 40 * 86_400_000
        let coordinator = coordinator(with: alone, caller: WillingFollower(), deliverer: Deliverer())
        _ = try await coordinator.advance { _ in end }
        while let time = alone.nextDue(atOrBefore: end) {
            try alone.step(to: time)
            for delivery in alone.dueDeliveries() {
                try alone.recordAttempt(notificationUUID: delivery.notificationUUID, result: .success, httpStatus: 200)
            }
        }
        let signed = try await coordinator.read { try $0.notifications(limit: 1_000) }
        #expect(signed.notifications.count == 3 * customers)
        #expect(try signed == alone.notifications(limit: 1_000))
    }

    @Test func `followers are called concurrently`() async throws {
        let meeting = Meeting(of: 3)
        let coordinator = try coordinator(caller: meeting, deliverer: Deliverer())
        for number in 0..<3 {
            let url = try WebURL("http://127.0.0.1:\(9000 + number)/settle", path: "settleUrl")
            _ = try await coordinator.join(settleURL: url, token: "t", notificationURL: nil)
        }
        let (report, _) = try await coordinator.advance { $0 + 1 }
        #expect(report.settled == 3)
    }
}

/// Never answers realtime requests.
private struct UnresponsiveDeveloper: RealtimeCaller {
    func answer(to call: RealtimeCall) -> RealtimeAnswer {
        RealtimeAnswer(failure: .timedOut, milliseconds: call.deadlineMilliseconds)
    }
}

/// Accepts every notification.
private actor Deliverer: NotificationDeliverer {
    private(set) var bodies: [[UInt8]] = []

    func deliver(_ queues: [[Delivery]], in round: DeliveryRound) async -> [[DeliveryAnswer]] {
        bodies += queues.joined().map(\.body.json)
        return queues.map { queue in queue.map { _ in DeliveryAnswer(httpStatus: 200) } }
    }
}

/// Has always caught up.
private struct WillingFollower: FollowerCaller {
    func settle(_ follower: Follower, now: Int64) async throws(CancellationError) -> Bool { true }
}

/// Answers no caller before a number of them have called.
private actor Meeting: FollowerCaller {
    private let count: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(of count: Int) {
        self.count = count
    }

    func settle(_ follower: Follower, now: Int64) async throws(CancellationError) -> Bool {
        guard waiting.count + 1 < count else {
            for continuation in waiting { continuation.resume() }
            waiting = []
            return true
        }
        await withCheckedContinuation { waiting.append($0) }
        return true
    }
}
