package import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// Reads deliveries, sends them again, and tests endpoints.
public struct WebhookDeliveries: Sendable {
    /// The most events that are sent again by one call.
    public static let resendMax = 1_000

    /// What a list has.
    public enum Selection: Hashable, Sendable {
        /// The deliveries to an endpoint, the newest events first.
        case endpoint(WebhookEndpointID)
        /// The deliveries to an endpoint that wait, the one that is due first first.
        case waiting(WebhookEndpointID)
        /// The deliveries to an endpoint that are held back, by customer.
        case held(WebhookEndpointID)
        /// The deliveries to an endpoint that were given up, the newest first.
        case failed(WebhookEndpointID)
        /// The deliveries about a customer.
        case customer(CustomerID, WebhookEndpointID?)
    }

    private let endpoints: WebhookEndpoints
    private var database: any SubscriptionDatabase { endpoints.database }

    /// Makes the use case.
    public init(endpoints: WebhookEndpoints) {
        self.endpoints = endpoints
    }

    /// A delivery.
    ///
    /// - Throws: ``OperationError`` `webhook_delivery_not_found`, or storage's codes.
    public func delivery(_ id: WebhookDeliveryID, app: AppID) async throws(OperationError) -> WebhookDelivery {
        let found: WebhookDelivery?
        do {
            found = try await database.read { storage throws(StorageError) in
                try storage.webhookDelivery(id.sequence, to: id.endpointID, app: app)
            }
        } catch {
            throw OperationError(error)
        }
        guard let found else { throw .deliveryNotFound }
        return found
    }

    /// A page of deliveries.
    ///
    /// - Parameter last: The last delivery of the previous page; nil for the first page.
    /// - Throws: ``OperationError`` `webhook_endpoint_not_found`; `webhook_delivery_not_found` for an unknown `last`;
    ///   or storage's codes.
    public func deliveries(
        _ selection: Selection,
        after last: WebhookDeliveryID? = nil,
        app: AppID,
        limit: Int
    ) async throws(OperationError) -> [WebhookDelivery] {
        let result: Result<[WebhookDelivery], OperationError>
        do {
            result = try await database.read { storage throws(StorageError) in
                if let id = selection.endpointID, try storage.webhookEndpoint(id, of: app) == nil {
                    return .failure(.endpointNotFound)
                }
                // The deliveries are found by the main name.
                let selection = try selection.resolved(in: storage, app: app)
                var start: WebhookDelivery?
                if let last {
                    start = try storage.webhookDelivery(last.sequence, to: last.endpointID, app: app)
                    guard start != nil else { return .failure(.deliveryNotFound) }
                }
                return .success(try storage.webhookDeliveries(selection, after: start, app: app, limit: limit))
            }
        } catch {
            throw OperationError(error)
        }
        return try result.get()
    }

    /// Sends an event to an endpoint once more. It keeps its `webhook-id`, and nothing waits for it.
    ///
    /// - Throws: ``OperationError`` `webhook_delivery_not_found`, `webhook_endpoint_disabled`, or storage's codes.
    public func resend(
        _ id: WebhookDeliveryID,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> WebhookDelivery {
        let now = endpoints.time.now()
        return try await endpoints.write { storage throws(StorageError) in
            guard let view = try storage.webhookView(of: id.endpointID, app: app),
                var row = try storage.webhookDelivery(id.sequence, to: id.endpointID, app: app)
            else { return .failure(.deliveryNotFound) }
            guard view.endpoint.disabledReason == nil else { return .failure(.endpointDisabled) }
            // One that waits keeps holding back the later ones of its customer.
            let wasOpen = row.isOpen
            if row.state != .waiting {
                guard row.state != .held else {
                    let front = try storage.webhookDeliveryInFront(of: row, app: app)
                    return .failure(.deliveryHeld(by: front))
                }
                (row.state, row.settledAt, row.blocks, row.tries) = (.waiting, nil, false, 0)
            }
            row.dueAt = now
            try storage.save(row, of: app)
            try storage.note(dueAt: now, opened: wasOpen ? 0 : 1, view.progress, app: app)
            let after = AuditedValue(["sequence": .integer(id.sequence), "event": .string(row.messageID)])
            try storage.audit(
                .webhookDeliveryResent,
                .webhookEndpoint(id.endpointID),
                by: who,
                app: app,
                at: now,
                after: after
            )
            return .success(row)
        }
    }

    /// Sends the events of a part of the feed to an endpoint once more, in order per customer.
    ///
    /// - Parameters:
    ///   - start: The position before the first event; nil for the beginning.
    ///   - end: The position after the last event; nil for the newest that was sent before.
    /// - Returns: How many events are sent again, and the position up to which the feed was looked at: a longer part
    ///   needs further calls.
    /// - Throws: ``OperationError`` `webhook_endpoint_not_found`, `webhook_endpoint_disabled`,
    ///   `webhook_resend_impossible`, or storage's codes.
    public func resend(
        to id: WebhookEndpointID,
        after start: EventCursor?,
        through end: EventCursor?,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> (count: Int, through: Int64, hasMore: Bool) {
        let now = endpoints.time.now()
        return try await endpoints.write { storage throws(StorageError) in
            guard let view = try storage.webhookView(of: id, app: app) else { return .failure(.endpointNotFound) }
            guard view.endpoint.disabledReason == nil else { return .failure(.endpointDisabled) }
            guard view.endpoint.form != .apple else { return .failure(.resendImpossible) }
            if let start, try !storage.hasPosition(start) { return .failure(.positionUnknown("after")) }
            if let end, try !storage.hasPosition(end) { return .failure(.positionUnknown("through")) }
            let start = start?.sequence ?? 0
            // What was not sent yet is sent anyway.
            let end = min(end?.sequence ?? view.progress.cursor, view.progress.cursor)
            let records = try storage.events(of: app, after: start, limit: Self.resendMax)
                .filter { $0.sequence <= end }
            var keys: Set<String> = []
            var count = 0
            for record in records {
                let item = WebhookItem(sequence: record.sequence, content: .event(record))
                guard view.endpoint.wants(item.type) else { continue }
                var row = WebhookDelivery(item, to: view.endpoint, of: app, at: now)
                if let old = try storage.webhookDelivery(record.sequence, to: id, app: app) {
                    if old.isOpen {
                        if old.blocks || old.state == .held, let key = old.orderKey { keys.insert(key) }
                        continue
                    }
                    (row.attemptCount, row.attempts) = (old.attemptCount, old.attempts)
                }
                let isFirst = row.orderKey.map { keys.insert($0).inserted } ?? true
                (row.state, row.dueAt) = isFirst ? (.waiting, now) : (.held, nil)
                row.blocks = isFirst && row.orderKey != nil
                try storage.save(row, of: app)
                count += 1
            }
            let through = records.last?.sequence ?? end
            guard count > 0 else { return .success((count, through, through < end)) }
            try storage.note(dueAt: now, opened: count, view.progress, app: app)
            let after = AuditedValue([
                "after": .integer(start), "through": .integer(through), "events": .integer(Int64(count)),
            ])
            try storage.audit(.webhookDeliveryResent, .webhookEndpoint(id), by: who, app: app, at: now, after: after)
            return .success((count, through, through < end))
        }
    }

    /// Sends a test message at once, and returns what became of it as the API shows it.
    ///
    /// - Throws: ``OperationError`` `webhook_endpoint_not_found`, `webhook_test_impossible`, `webhook_secret_missing`,
    ///   or storage's codes.
    package func test(
        _ id: WebhookEndpointID,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> JSONObject {
        let view = try await endpoints.endpoint(id, app: app)
        let (now, realNow) = (endpoints.time.now(), endpoints.realTime.now())
        guard let message = WebhookMessages.test(of: view.endpoint, app: app, at: now) else { throw .testImpossible }
        let signing = WebhookSigning(view.secrets.filter { $0.expiresAt.map { $0 > realNow } ?? true })
        guard signing.canSign else { throw .secretMissing }
        try await endpoints.write { storage throws(StorageError) in
            try storage.audit(.webhookEndpointTested, .webhookEndpoint(id), by: who, app: app, at: now)
            return .success(())
        }
        let seconds = realNow.milliseconds / 1_000
        let headers = signing.headers(id: message.id, seconds: seconds, body: message.body, form: view.endpoint.form)
        let request = WebhookRequest(url: view.endpoint.url, headers: headers, body: message.body)
        let (attempt, _) = await endpoints.transport.attempt(request, timeout: endpoints.settings.timeout, at: now)
        var object = JSONObject()
        object["object"] = .string("webhook_endpoint_test")
        object["endpoint_id"] = .string(id.rawValue)
        object["message_id"] = .string(message.id)
        object["delivered"] = .bool(attempt.isSuccess)
        object["attempt"] = .object(attempt.json)
        return object
    }
}

extension WebhookDeliveries.Selection {
    fileprivate var endpointID: WebhookEndpointID? {
        switch self {
        case .endpoint(let id), .waiting(let id), .held(let id), .failed(let id): id
        case .customer(_, let id): id
        }
    }

    /// The same with the main name of a customer instead of an alias.
    fileprivate func resolved(in storage: any StorageReading, app: AppID) throws(StorageError) -> Self {
        guard case .customer(let name, let id) = self else { return self }
        return .customer(try storage.customer(named: name, of: app)?.id ?? name, id)
    }
}

/// The identifier of a delivery: the endpoint and the position.
public struct WebhookDeliveryID: Hashable, Sendable, CustomStringConvertible {
    private static let prefix = "wd_"
    private static let endpointPrefix = "we_"

    /// The endpoint.
    public let endpointID: WebhookEndpointID
    /// The position in the feed.
    public let sequence: Int64

    /// The identifier of a delivery.
    public init(_ delivery: WebhookDelivery) {
        self.init(endpointID: delivery.endpointID, sequence: delivery.sequence)
    }

    init(endpointID: WebhookEndpointID, sequence: Int64) {
        self.endpointID = endpointID
        self.sequence = sequence
    }

    /// Reads an identifier; nil if the text is none.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), let line = text.lastIndex(of: "_"),
            let sequence = Int64(text[text.index(after: line)...]), sequence > 0
        else { return nil }
        let name = text[..<line].dropFirst(Self.prefix.count)
        guard !name.isEmpty else { return nil }
        endpointID = WebhookEndpointID(rawValue: Self.endpointPrefix + name)
        self.sequence = sequence
    }

    /// `wd_`, the endpoint and the position.
    public var description: String {
        "\(Self.prefix)\(endpointID.rawValue.dropFirst(Self.endpointPrefix.count))_\(sequence)"
    }
}

extension StorageReading {
    /// The delivery for which a held one waits; nil if it was delivered or removed just now.
    fileprivate func webhookDeliveryInFront(
        of held: WebhookDelivery,
        app: AppID
    ) throws(StorageError) -> WebhookDeliveryID? {
        let pageSize = 1_024
        var last: WebhookDeliveryOutline?
        while true {
            let page = try waitingWebhookDeliveryOutlines(to: held.endpointID, after: last, app: app, limit: pageSize)
            if let front = page.first(where: { $0.blocks && $0.orderKey == held.orderKey }) {
                return WebhookDeliveryID(endpointID: held.endpointID, sequence: front.sequence)
            }
            guard page.count == pageSize else { return nil }
            last = page.last
        }
    }

    fileprivate func webhookDeliveries(
        _ selection: WebhookDeliveries.Selection,
        after last: WebhookDelivery?,
        app: AppID,
        limit: Int
    ) throws(StorageError) -> [WebhookDelivery] {
        switch selection {
        case .endpoint(let id):
            try webhookDeliveries(
                to: id,
                after: last?.sequence ?? .max,
                order: .descending,
                app: app,
                limit: limit
            )
        case .waiting(let id): try waitingWebhookDeliveries(to: id, after: last, app: app, limit: limit)
        case .held(let id): try heldWebhookDeliveries(to: id, after: last, app: app, limit: limit)
        case .failed(let id): try failedWebhookDeliveries(to: id, before: last, app: app, limit: limit)
        case .customer(let customer, let id):
            try webhookDeliveries(about: customer, to: id, before: last, app: app, limit: limit)
        }
    }
}

extension StorageWriting {
    fileprivate func note(
        dueAt: Timestamp,
        opened: Int,
        _ progress: WebhookProgress,
        app: AppID
    ) throws(StorageError) {
        var progress = progress
        progress.nextDueAt = min(progress.nextDueAt ?? dueAt, dueAt)
        progress.openCount += opened
        try save(progress, of: app)
    }
}

extension OperationError {
    fileprivate static let deliveryNotFound = OperationError(
        "webhook_delivery_not_found",
        """
        There is no such delivery. It may have been removed from the log; \
        POST /v1/webhook_endpoints/{id}/resend sends a part of the feed again.
        """,
        kind: .notFound
    )

    fileprivate static let endpointDisabled = OperationError(
        "webhook_endpoint_disabled",
        "The webhook endpoint is disabled. Enable it first: PATCH /v1/webhook_endpoints/{id} with enabled true.",
        kind: .conflict
    )

    fileprivate static func deliveryHeld(by front: WebhookDeliveryID?) -> OperationError {
        let text =
            front.map {
                "the earlier one \($0). Send that one again: POST /v1/webhook_deliveries/\($0)/resend."
            } ?? "an earlier one of the same customer, which is done just now. Try again in a moment."
        return OperationError("webhook_delivery_held", "This delivery waits for \(text)", kind: .conflict)
    }

    fileprivate static let resendImpossible = OperationError(
        "webhook_resend_impossible",
        "An endpoint of the form apple has no part of the feed. Send single deliveries again.",
        kind: .conflict
    )

    fileprivate static func positionUnknown(_ parameter: String) -> OperationError {
        OperationError(
            "webhook_resend_impossible",
            "\(parameter) is no event of the feed; the database may be an older copy. GET /v1/events lists the events.",
            kind: .conflict,
            parameter: parameter
        )
    }

    fileprivate static let secretMissing = OperationError(
        "webhook_secret_missing",
        """
        The endpoint has no secret. Make one: POST /v1/webhook_endpoints/{id}/rotate (perennial webhooks rotate).
        """,
        kind: .conflict
    )

    fileprivate static let testImpossible = OperationError(
        "webhook_test_impossible",
        "An endpoint of the form apple gets what Apple signed. Request a test notification from Apple instead.",
        kind: .conflict
    )
}
