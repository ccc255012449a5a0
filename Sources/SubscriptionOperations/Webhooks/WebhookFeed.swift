import SubscriptionCore
import SubscriptionStorage
import Synchronization

/// Something that an endpoint may receive: an event of the feed, or a notification of Apple.
struct WebhookItem: Sendable {
    /// What it is.
    enum Content: Sendable {
        case event(EventRecord)
        case notification(EvidenceRecord)
    }

    /// What many endpoints receive: it is in memory once.
    private final class Shared: Sendable {
        let content: Content
        let body = Mutex<[UInt8]?>(nil)

        init(_ content: Content) { self.content = content }
    }

    /// The position in the feed, or among the inputs.
    let sequence: Int64
    private let shared: Shared

    /// What it is.
    var content: Content { shared.content }

    /// Makes an item.
    init(sequence: Int64, content: Content) {
        self.sequence = sequence
        shared = Shared(content)
    }

    /// The body of the form `events`, which is made once for all endpoints.
    func body(_ make: () -> [UInt8]) -> [UInt8] {
        shared.body.withLock { body in
            let made = body ?? make()
            body = made
            return made
        }
    }

    /// The type that an endpoint chooses by.
    var type: String {
        switch content {
        case .event(let record): record.event.kind.rawValue
        case .notification(let record): record.type ?? "NOTIFICATION"
        }
    }

    /// The customer that it names.
    var customerID: CustomerID? { if case .event(let record) = content { record.customerID } else { nil } }

    /// What is kept in order: everything about a customer, or about a purchase without one.
    var orderKey: String? {
        switch content {
        case .event(let record): record.customerID?.rawValue ?? record.event.purchaseID.map { "purchase \($0)" }
        case .notification(let record): record.purchaseID?.rawValue
        }
    }

    /// The `webhook-id`.
    func messageID(of app: AppID) -> String {
        switch content {
        case .event(let record): record.publicID(of: app)
        case .notification(let record): record.id.notificationUUID ?? record.id.rawValue
        }
    }

    /// When it was recorded.
    var recordedAt: Timestamp {
        switch content {
        case .event(let record): record.recordedAt
        case .notification(let record): record.receivedAt
        }
    }
}

/// Reads what endpoints may receive, and keeps the newest events for a moment: many endpoints read the same ones.
final class WebhookFeed: Sendable {
    /// A part of the feed.
    struct Page: Sendable {
        let items: [WebhookItem]
        /// The position up to which the page is complete.
        let readThrough: Int64
    }

    /// Events older than this are read again, so that an erased name does not stay here.
    private static let lifetime = Duration.seconds(2)
    private static let countMax = 2_048

    private struct Newest {
        var items: [WebhookItem] = []
        /// When the oldest of them was read.
        var since: ContinuousClock.Instant
    }

    private let database: any SubscriptionDatabase
    private let newest = Mutex<[AppID: Newest]>([:])

    init(database: any SubscriptionDatabase) { self.database = database }

    /// The items after a position.
    ///
    /// - Throws: ``StorageError``.
    func page(
        of form: WebhookEndpoint.Form,
        after position: Int64,
        app: AppID,
        limit: Int
    ) async throws(StorageError) -> Page {
        guard form != .apple else { return try await notifications(after: position, app: app, limit: limit) }
        if let known = known(after: position, app: app, limit: limit) {
            return Page(items: known, readThrough: known.last?.sequence ?? position)
        }
        let began = ContinuousClock.now
        let records = try await database.read { storage throws(StorageError) in
            try storage.events(of: app, after: position, limit: limit)
        }
        let items = records.map { WebhookItem(sequence: $0.sequence, content: .event($0)) }
        keep(items, of: app, readAt: began)
        return Page(items: items, readThrough: items.last?.sequence ?? position)
    }

    /// One item; nil if it does not exist.
    ///
    /// - Throws: ``StorageError``.
    func item(
        _ sequence: Int64,
        of form: WebhookEndpoint.Form,
        app: AppID
    ) async throws(StorageError) -> WebhookItem? {
        try await page(of: form, after: sequence - 1, app: app, limit: 1).items.first { $0.sequence == sequence }
    }

    /// Forgets the events of an app that were read until now.
    func forget(_ app: AppID) { newest.withLock { $0[app] = Newest(since: .now) } }

    private func notifications(after position: Int64, app: AppID, limit: Int) async throws(StorageError) -> Page {
        let inputs = try await database.read { storage throws(StorageError) in
            try storage.evidence(of: app, after: position, limit: limit)
        }
        let items = inputs.filter { $0.record.kind == .notification }.map {
            WebhookItem(sequence: $0.sequence, content: .notification($0.record))
        }
        return Page(items: items, readThrough: inputs.last?.sequence ?? position)
    }

    private func known(after position: Int64, app: AppID, limit: Int) -> [WebhookItem]? {
        newest.withLock { newest in
            guard let known = newest[app], let first = known.items.first?.sequence,
                let last = known.items.last?.sequence, first - 1 <= position, position < last,
                ContinuousClock.now - known.since < Self.lifetime
            else { return nil }
            // The feed has no gaps.
            return Array(known.items[Int(position - first + 1)...].prefix(limit))
        }
    }

    private func keep(_ items: [WebhookItem], of app: AppID, readAt began: ContinuousClock.Instant) {
        guard let first = items.first?.sequence, let end = items.last?.sequence else { return }
        newest.withLock { newest in
            let fresh = Newest(items: items, since: began)
            guard let known = newest[app] else {
                newest[app] = fresh
                return
            }
            // What was read before the others were forgotten may name an erased customer.
            guard began >= known.since else { return }
            guard let last = known.items.last?.sequence, began - known.since < Self.lifetime else {
                newest[app] = fresh
                return
            }
            guard end > last else { return }
            if first > last + 1 || known.items.count > Self.countMax {
                newest[app] = fresh
            } else {
                newest[app]?.items += items.drop { $0.sequence <= last }
            }
        }
    }
}

extension WebhookEndpoint {
    /// Whether the endpoint receives a type.
    func wants(_ type: String) -> Bool {
        eventTypes.map { WebhookEventTypes.contain(type, in: $0) } ?? true
    }
}
