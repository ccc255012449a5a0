import AppStoreModel
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
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
        scene.receivers.answer(status: 503)
        for step in 0..<72 {
            try await scene.append(["c\(step % 7)", "c\(step % 5)", nil])
            try await scene.pass(Self.hour)
            #expect(try await scene.show(id).bool("enabled") == true, "after \(step + 1) hours")
        }
        #expect(scene.receivers.taken.isEmpty)
        #expect(scene.receivers.received.count > 72)
        #expect(try await scene.deliveries(id, state: "failed").isEmpty)

        scene.receivers.answer(status: 200)
        // The longest wait of an event is a day.
        for _ in 0..<30 { try await scene.pass(Self.hour) }
        let events = try await scene.server.events()
        #expect(events.count == 3 * 72)
        let taken = scene.sequences(of: scene.receivers.taken)
        #expect(taken.sorted() == events.map(\.sequence))
        if !overtakes {
            for customer in Set(events.compactMap(\.customerID)) {
                let own = events.filter { $0.customerID == customer }.map(\.sequence)
                #expect(taken.filter(own.contains) == own, "\(customer)")
            }
        }
        let shown = try await scene.show(id)
        #expect(try shown.bool("enabled") == true)
        #expect(try shown.integer("failures") == 0)
        #expect(try shown.integer("open_deliveries") == 0)
        #expect(try await scene.deliveries(id, state: "failed").isEmpty)
    }
}
