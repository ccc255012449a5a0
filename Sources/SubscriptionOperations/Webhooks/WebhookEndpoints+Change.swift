public import SubscriptionCore
public import SubscriptionStorage

extension WebhookEndpoints {
    /// Changes an endpoint. Enabling it lets it go on where it stopped.
    ///
    /// A change that leaves everything as it was has no entry in the audit log.
    ///
    /// - Throws: ``OperationError`` `webhook_endpoint_not_found`, the codes of a new endpoint, or storage's codes.
    public func change(
        _ id: WebhookEndpointID,
        _ change: Change,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> View {
        if let url = change.url { try await check(url) }
        let (now, realNow) = (time.now(), realTime.now())
        return try await write { storage throws(StorageError) in
            guard let old = try storage.webhookView(of: id, app: app) else { return .failure(.endpointNotFound) }
            var view = old
            if case .some(let types) = change.eventTypes {
                do throws(OperationError) {
                    try types?.check(for: view.endpoint.form)
                } catch {
                    return .failure(error)
                }
                view.endpoint.eventTypes = types
            }
            var authorization = change.authorization
            if let url = change.url, url != view.endpoint.url {
                // It was given for the earlier receiver.
                let isElsewhere = WebhookEndpoint.origin(of: url) != view.endpoint.origin
                if isElsewhere { authorization = authorization ?? .some(nil) }
                view.endpoint.url = url
            }
            if case .some(let value) = authorization, value != old.authorization {
                for secret in view.secrets where secret.kind == .authorization { try storage.remove(secret, of: app) }
                view.secrets.removeAll { $0.kind == .authorization }
                if let value {
                    let secret = WebhookSecret(.authorization, of: id, text: value, at: realNow)
                    try storage.save(secret, of: app)
                    view.secrets.insert(secret, at: 0)
                }
            }
            if let label = change.label { view.endpoint.label = label.isEmpty ? nil : label }
            if let isEnabled = change.isEnabled {
                view.endpoint.disabledReason = isEnabled ? nil : view.endpoint.disabledReason ?? .byOperator
                if isEnabled { view.progress.health = WebhookHealth() }
            }
            guard view != old else { return .success(view) }
            try storage.save(view.endpoint, of: app)
            try storage.save(view.progress, of: app)
            try storage.audit(view, changedFrom: old, by: who, app: app, at: now)
            return .success(view)
        }
    }
}

extension StorageWriting {
    /// Writes the audit entry of a changed endpoint.
    ///
    /// - Throws: ``StorageError``.
    func audit(
        _ view: WebhookEndpoints.View,
        changedFrom old: WebhookEndpoints.View,
        by who: Operator,
        app: AppID,
        at now: Timestamp
    ) throws(StorageError) {
        try audit(
            .webhookEndpointChanged,
            .webhookEndpoint(view.endpoint.id),
            by: who,
            app: app,
            at: now,
            before: AuditedValue(old),
            after: AuditedValue(view, changedFrom: old)
        )
    }
}
