import AppStoreModel
import Foundation
public import SubscriptionCore
public import SubscriptionStorage

/// Makes, changes and reads webhook endpoints.
public struct WebhookEndpoints: Sendable {
    /// The most endpoints of an app.
    public static let countMax = 2_000
    /// The most types that an endpoint chooses.
    public static let eventTypesMax = 100
    /// The longest address, in bytes.
    public static let urlBytesMax = 2_048
    /// The most secrets that sign at the same time.
    public static let secretsMax = 5
    /// The longest time for which a rotated secret stays valid, in milliseconds: seven days.
    public static let overlapMax: Int64 = 604_800_000

    let database: any SubscriptionDatabase
    let transport: any WebhookTransport
    let settings: WebhookSettings
    let time: any TimeSource
    let realTime: any TimeSource

    /// Makes the use case.
    public init(
        database: any SubscriptionDatabase,
        transport: any WebhookTransport,
        settings: WebhookSettings = WebhookSettings(),
        time: any TimeSource,
        realTime: any TimeSource = SystemTimeSource()
    ) {
        self.database = database
        self.transport = transport
        self.settings = settings
        self.time = time
        self.realTime = realTime
    }

    /// Makes an endpoint.
    ///
    /// - Throws: ``OperationError`` `webhook_url_refused`, `webhook_event_type_unknown`, `webhook_endpoints_too_many`,
    ///   `webhook_start_impossible`, or storage's codes.
    public func create(
        _ draft: Draft,
        id: WebhookEndpointID,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> View {
        try await check(draft.url)
        try draft.eventTypes?.check(for: draft.form)
        let (now, realNow) = (time.now(), realTime.now())
        let endpoint = WebhookEndpoint(
            id: id,
            createdAt: now,
            url: draft.url,
            label: draft.label,
            form: draft.form,
            eventTypes: draft.eventTypes
        )
        var secrets = [WebhookSecret(draft.isAsymmetric ? .ed25519 : .hmac, of: id, at: realNow)]
        if let authorization = draft.authorization {
            secrets.append(WebhookSecret(.authorization, of: id, text: authorization, at: realNow))
        }
        // A notification that comes in between is sent.
        let position = try await position(of: draft.start, form: draft.form, app: app)
        return try await write { [secrets] storage throws(StorageError) in
            // A copy of a request with an idempotency key.
            if let made = try storage.webhookView(of: id, app: app) { return .success(made) }
            guard try storage.webhookEndpoints(of: app).count < Self.countMax else { return .failure(.tooMany) }
            guard let position else { return .failure(.startImpossible) }
            let progress = WebhookProgress(endpointID: id, cursor: position)
            try storage.save(endpoint, of: app)
            try storage.save(progress, of: app)
            for secret in secrets { try storage.save(secret, of: app) }
            let view = View(endpoint: endpoint, progress: progress, secrets: secrets)
            let after = AuditedValue(view)
            try storage.audit(.webhookEndpointCreated, .webhookEndpoint(id), by: who, app: app, at: now, after: after)
            return .success(view)
        }
    }

    /// Replaces the signing secret. The old one signs too until the overlap has passed.
    ///
    /// - Parameter secretID: The identifier of the new secret; if the endpoint has it, nothing is changed.
    /// - Throws: ``OperationError`` `webhook_endpoint_not_found`, `webhook_secrets_too_many`, or storage's codes.
    public func rotate(
        _ id: WebhookEndpointID,
        to secretID: String,
        overlapMilliseconds: Int64,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> View {
        let (now, realNow) = (time.now(), realTime.now())
        return try await write { storage throws(StorageError) in
            guard var view = try storage.webhookView(of: id, app: app) else { return .failure(.endpointNotFound) }
            guard !view.secrets.contains(where: { $0.id == secretID }) else { return .success(view) }
            let end = realNow.adding(milliseconds: overlapMilliseconds)
            let kept = view.secrets.filter { $0.kind != .authorization && min($0.expiresAt ?? end, end) > realNow }
            guard kept.count < Self.secretsMax else { return .failure(.secretsTooMany) }
            let current = view.secrets.first { $0.kind != .authorization && $0.expiresAt == nil }
            let new = WebhookSecret(current?.kind ?? .hmac, of: id, secretID: secretID, at: realNow)
            var secrets = [new]
            for var secret in view.secrets {
                if secret.kind != .authorization {
                    secret.expiresAt = min(secret.expiresAt ?? end, end)
                    guard end > realNow, secret.expiresAt ?? end > realNow else {
                        try storage.remove(secret, of: app)
                        continue
                    }
                    try storage.save(secret, of: app)
                }
                secrets.append(secret)
            }
            try storage.save(new, of: app)
            view.secrets = secrets
            let after = AuditedValue([
                "secret_id": .string(new.id), "overlap_ms": .integer(overlapMilliseconds),
            ])
            try storage.audit(.webhookSecretRotated, .webhookEndpoint(id), by: who, app: app, at: now, after: after)
            return .success(view)
        }
    }

    /// Removes an endpoint with its deliveries. Requests that are under way end, and their results are not stored.
    ///
    /// The audit log has the removal from the moment at which nothing more is sent. An interrupted removal leaves a
    /// disabled endpoint, and can be repeated: each request has its own entry.
    ///
    /// - Throws: ``OperationError`` `webhook_endpoint_not_found`, or storage's codes.
    public func remove(_ id: WebhookEndpointID, app: AppID, by who: Operator) async throws(OperationError) {
        let now = time.now()
        try await write { storage throws(StorageError) -> Result<Void, OperationError> in
            guard let view = try storage.webhookView(of: id, app: app) else { return .failure(.endpointNotFound) }
            var endpoint = view.endpoint
            endpoint.disabledReason = endpoint.disabledReason ?? .byOperator
            try storage.save(endpoint, of: app)
            let (target, before) = (AuditedTarget.webhookEndpoint(id), AuditedValue(view))
            try storage.audit(.webhookEndpointRemoved, target, by: who, app: app, at: now, before: before)
            return .success(())
        }
        var goesOn = true
        while goesOn {
            goesOn = try await write { storage throws(StorageError) in
                try storage.removeWebhookDeliveries(to: id, app: app, limit: 1_000)
                return .success(try !storage.webhookDeliveries(to: id, after: 0, app: app, limit: 1).isEmpty)
            }
        }
        try await write { storage throws(StorageError) in
            // A server that was at work may have stored results meanwhile.
            try storage.removeWebhookDeliveries(to: id, app: app, limit: 1_000)
            try storage.removeWebhookEndpoint(id, of: app)
            return .success(())
        }
    }

    /// An endpoint.
    ///
    /// - Throws: ``OperationError`` `webhook_endpoint_not_found`, or storage's codes.
    public func endpoint(_ id: WebhookEndpointID, app: AppID) async throws(OperationError) -> View {
        let view: View?
        do {
            view = try await database.read { storage throws(StorageError) in try storage.webhookView(of: id, app: app) }
        } catch {
            throw OperationError(error)
        }
        guard let view else { throw .endpointNotFound }
        return view
    }

    /// Endpoints, oldest first.
    ///
    /// - Parameter last: The last endpoint of the previous page; nil for the first page.
    /// - Throws: ``OperationError`` `webhook_endpoint_not_found` for an unknown `last`, or storage's codes.
    public func endpoints(
        after last: WebhookEndpointID? = nil,
        app: AppID,
        limit: Int
    ) async throws(OperationError) -> [View] {
        let result: Result<[View], OperationError>
        do {
            result = try await database.read { storage throws(StorageError) in
                var start: WebhookEndpoint?
                if let last {
                    start = try storage.webhookEndpoint(last, of: app)
                    guard start != nil else { return .failure(.endpointNotFound) }
                }
                var views: [View] = []
                for endpoint in try storage.webhookEndpoints(of: app, after: start, limit: limit) {
                    if let view = try storage.webhookView(of: endpoint.id, app: app) { views.append(view) }
                }
                return .success(views)
            }
        } catch {
            throw OperationError(error)
        }
        return try result.get()
    }

    private func position(
        of start: Draft.Start,
        form: WebhookEndpoint.Form,
        app: AppID
    ) async throws(OperationError) -> Int64? {
        do {
            return try await database.read { storage throws(StorageError) in
                try storage.position(of: start, form: form, app: app)
            }
        } catch {
            throw OperationError(error)
        }
    }

    /// Checks that an address may be called.
    ///
    /// - Throws: ``OperationError`` `webhook_url_refused`.
    func check(_ url: String) async throws(OperationError) {
        do throws(WebhookSendError) {
            try await transport.check(url)
        } catch {
            throw OperationError("webhook_url_refused", error.message, kind: .invalidRequest, parameter: "url")
        }
    }

    /// Writes, and throws what the body returns as a failure.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result<Value, OperationError>
    ) async throws(OperationError) -> Value {
        let result: Result<Value, OperationError>
        do {
            result = try await database.write(body)
        } catch {
            throw OperationError(error)
        }
        return try result.get()
    }
}

extension StorageReading {
    /// An endpoint with its progress and its secrets; nil if there is none.
    ///
    /// - Throws: ``StorageError``.
    func webhookView(of id: WebhookEndpointID, app: AppID) throws(StorageError) -> WebhookEndpoints.View? {
        guard let endpoint = try webhookEndpoint(id, of: app), let progress = try webhookProgress(of: id, app: app)
        else { return nil }
        let secrets = try webhookSecrets(of: id, app: app)
        return WebhookEndpoints.View(endpoint: endpoint, progress: progress, secrets: secrets)
    }

    /// The position at which an endpoint begins; nil if its form knows no such position.
    fileprivate func position(
        of start: WebhookEndpoints.Draft.Start,
        form: WebhookEndpoint.Form,
        app: AppID
    ) throws(StorageError) -> Int64? {
        switch start {
        case .beginning: return 0
        case .now: return form == .apple ? try lastEvidence(of: app) : try lastEvent(of: app)
        case .after(let cursor):
            guard form != .apple, try hasPosition(cursor) else { return nil }
            return cursor.sequence
        }
    }

    /// Whether the feed has a position.
    ///
    /// - Throws: ``StorageError``.
    func hasPosition(_ cursor: EventCursor) throws(StorageError) -> Bool {
        guard cursor.sequence > 0 else { return true }
        return try events(of: cursor.app, after: cursor.sequence - 1, limit: 1).first.map(cursor.isAfter) ?? false
    }

    /// The position of the last notification of an app; 0 if there is none.
    private func lastEvidence(of app: AppID) throws(StorageError) -> Int64 {
        let pageSize = 10_000
        var position: Int64 = 0
        while let last = try evidence(.notification, of: app, after: position, limit: pageSize).last?.sequence {
            position = last
        }
        return position
    }
}

extension WebhookSecret {
    /// A new secret.
    init(
        _ kind: Kind,
        of endpoint: WebhookEndpointID,
        secretID: String = "whs_" + RandomName.make(),
        text: String? = nil,
        at now: Timestamp
    ) {
        self.init(
            endpointID: endpoint,
            id: secretID,
            kind: kind,
            text: text ?? WebhookSigning.makeSecret(kind),
            createdAt: now
        )
    }
}

extension [String] {
    /// Checks the types that an endpoint chooses.
    ///
    /// - Throws: ``OperationError`` `webhook_event_type_unknown`.
    func check(for form: WebhookEndpoint.Form) throws(OperationError) {
        // Apple's own types change without notice.
        guard form != .apple else { return }
        let known = SubscriptionEvent.Kind.allCases.map(\.rawValue) + [SubscriptionEvent.Kind.alertGroup]
        for chosen in self where chosen != "*" && !known.contains(chosen) {
            let isPrefix = chosen.hasSuffix(".*") && known.contains { $0.hasPrefix(chosen.dropLast()) }
            guard isPrefix else { throw .eventTypeUnknown(chosen) }
        }
    }
}

extension OperationError {
    /// There is no such endpoint.
    static let endpointNotFound = OperationError(
        "webhook_endpoint_not_found",
        "There is no such webhook endpoint. GET /v1/webhook_endpoints lists them.",
        kind: .notFound
    )

    fileprivate static let tooMany = OperationError(
        "webhook_endpoints_too_many",
        "The app has \(WebhookEndpoints.countMax) webhook endpoints. Remove one first.",
        kind: .conflict
    )

    fileprivate static let secretsTooMany = OperationError(
        "webhook_secrets_too_many",
        """
        \(WebhookEndpoints.secretsMax) secrets of the endpoint still sign. Wait until one expires, or rotate with \
        overlap_ms 0: then only the new one signs.
        """,
        kind: .conflict
    )

    fileprivate static let startImpossible = OperationError(
        "webhook_start_impossible",
        "after must be an event of the feed. With the form apple, only the beginning and the present are possible.",
        kind: .invalidRequest,
        parameter: "after"
    )

    fileprivate static func eventTypeUnknown(_ type: String) -> OperationError {
        OperationError(
            "webhook_event_type_unknown",
            "No event has the type \(type). Use a type of the events page, subscription.* or the like, alerts, or *.",
            kind: .invalidRequest,
            parameter: "event_types"
        )
    }
}
