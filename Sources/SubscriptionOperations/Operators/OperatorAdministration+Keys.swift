import SubscriptionCore
public import SubscriptionStorage

extension OperatorAdministration {
    /// Makes a key of an operator.
    ///
    /// - Returns: The key, which is not stored.
    /// - Throws: ``OperatorError`` `operator_not_found`, `operator_keys_too_many`, or storage's codes.
    public func addKey(
        _ draft: KeyDraft,
        to name: String,
        by who: Operator
    ) async throws(OperatorError) -> String {
        let id = try await view(of: name).account.id
        let key = issue(draft, of: id)
        try await write { storage throws(StorageError) -> Result<Void, OperatorError> in
            guard let account = try storage.operatorAccount(id) else { return .failure(.notFound) }
            guard try storage.operatorKeys(of: id).count < Self.keysMax else { return .failure(.tooManyKeys) }
            try storage.insert(key.record)
            try storage.audit(
                .operatorKeyCreated,
                account,
                by: who,
                at: key.record.createdAt,
                after: AuditedValue(key.record)
            )
            return .success(())
        }
        return key.text
    }

    /// Revokes a key, or ends a session.
    ///
    /// - Parameter text: The key as it is listed, its identifier, its last characters, or the whole key.
    /// - Throws: ``OperatorError`` `operator_not_found`, `operator_key_not_found`, `operator_key_ambiguous`, or
    ///   storage's codes.
    public func revokeKey(
        _ text: String,
        of name: String,
        by who: Operator
    ) async throws(OperatorError) -> OperatorKey {
        let id = try await view(of: name).account.id
        let now = time.now()
        return try await write { storage throws(StorageError) in
            guard let account = try storage.operatorAccount(id) else { return .failure(.notFound) }
            let named = try storage.operatorKeys(of: id).filter { $0.isNamed(text) }
            guard let key = named.first else { return .failure(.keyNotFound) }
            guard named.count == 1 else { return .failure(.keyAmbiguous) }
            try storage.remove(key)
            try storage.audit(.operatorKeyRevoked, account, by: who, at: now, before: AuditedValue(key))
            return .success(key)
        }
    }

    func issue(_ draft: KeyDraft, of id: OperatorID) -> (text: String, record: OperatorKey) {
        let now = time.now()
        let end = draft.lifetime.map { now.adding(milliseconds: $0) }
        return OperatorKey.issue(.key, of: id, label: draft.label, at: now, expiresAt: end)
    }
}
