import AppStoreModel
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Synchronization
import Testing

/// A receiver that is down for three days.
@Suite struct `A receiver that fails for three days` {
    private static let hour: Int64 = 3_600_000

    /// - Parameter overtakes: Whether a failed event lets the later ones of its customer pass after an hour.
    @Test(arguments: [false, true]) func `gets every event once when it is back, and is never disabled`(
        overtakes: Bool
    ) async throws {
        var settings = WebhookSettings()
        if !overtakes { settings.holdMilliseconds = nil }
        let scene = try await WebhookScene(settings: settings)
        let id = try await scene.endpoint()
        let isUp = Mutex(false)
        let requests = Mutex<[Request]>([])
        let time = scene.server.time
        scene.receivers.answer { received in
            let sequence = WebhookScene.sequence(ofEvent: received.id) ?? 0
            requests.withLock { $0.append(Request(sequence: sequence, at: time.now())) }
            return .success(WebhookAnswer(status: isUp.withLock(\.self) ? 200 : 503))
        }
        for step in 0..<72 {
            try await scene.append(["c\(step % 7)", "c\(step % 5)", nil])
            try await scene.pass(Self.hour)
            #expect(try await scene.show(id).bool("enabled") == true, "after \(step + 1) hours")
        }
        #expect(scene.receivers.taken.isEmpty)
        #expect(scene.receivers.received.count > 72)
        #expect(try await scene.deliveries(id, state: "failed").isEmpty)

        isUp.withLock { $0 = true }
        // The longest wait of an event is a day.
        for _ in 0..<30 { try await scene.pass(Self.hour) }
        let events = try await scene.server.events()
        #expect(events.count == 3 * 72)
        let taken = scene.sequences(of: scene.receivers.taken)
        #expect(taken.sorted() == events.map(\.sequence))
        for customer in Set(events.compactMap(\.customerID)) {
            let own = events.filter { $0.customerID == customer }.map(\.sequence)
            let order = taken.filter(own.contains)
            guard let hold = settings.holdMilliseconds else {
                #expect(order == own, "\(customer)")
                continue
            }
            try expectHeld(order, for: hold, requests.withLock(\.self))
        }
        let shown = try await scene.show(id)
        #expect(try shown.bool("enabled") == true)
        #expect(try shown.integer("failures") == 0)
        #expect(try shown.integer("open_deliveries") == 0)
        #expect(try await scene.deliveries(id, state: "failed").isEmpty)
    }

    /// A request for an event.
    private struct Request: Sendable {
        let sequence: Int64
        let at: Timestamp
    }

    /// Checks that an event that arrived after a later one had held it back for at least the configured time.
    ///
    /// - Parameter order: The events of a customer, in the order in which they were taken.
    private func expectHeld(_ order: [Int64], for hold: Int64, _ requests: [Request]) throws {
        let first = Dictionary(requests.map { ($0.sequence, $0.at) }) { first, _ in first }
        // The last request for each event is the one that was taken.
        let last = Dictionary(requests.map { ($0.sequence, $0.at) }) { _, last in last }
        for (index, later) in order.enumerated() {
            for earlier in order[index...] where earlier < later {
                let (tried, passed) = (try #require(first[earlier]), try #require(last[later]))
                #expect(passed >= tried.adding(milliseconds: hold), "\(later) passed \(earlier)")
            }
        }
    }
}
