package import AppStoreModel
import PerennialPrimitives
package import SubscriptionCore
package import SubscriptionStorage

/// What an operator did, as the audit log has it.
package enum AuditedAction: String, Sendable {
    case aliasAdded = "alias.added"
    case appChanged = "app.changed"
    case customerErased = "customer.erased"
    case entitlementDefined = "entitlement.defined"
    case grantCreated = "grant.created"
    case grantRevoked = "grant.revoked"
    case keyCreated = "key.created"
    case keyRevoked = "key.revoked"
    case productsReplaced = "products.replaced"
    case signingKeyRotated = "signing_key.rotated"
    case transferMade = "transfer.made"
    case transferUndone = "transfer.undone"
}

/// What an operator changed. Everything about a customer is found under the customer.
package enum AuditedTarget: Sendable {
    case app
    case customer(CustomerID)
    /// A customer whose name was forgotten.
    case erasedCustomer
    case entitlement(EntitlementID)
    case products
    case transfer(TransferID)
    /// By what is shown of it.
    case key(String)
    /// By its name.
    case signingKey(String)

    package var text: String {
        switch self {
        case .app: "app"
        case .customer(let id): "customer:\(id.rawValue)"
        case .erasedCustomer: "customer (erased)"
        case .entitlement(let id): "entitlement:\(id.rawValue)"
        case .products: "products"
        case .transfer(let id): "transfer:\(id.rawValue)"
        case .key(let shown): "key:\(shown)"
        case .signingKey(let name): "signing_key:\(name)"
        }
    }
}

/// How something that an operator changed was, or is: a small JSON object.
package struct AuditedValue: Sendable {
    /// Compact JSON.
    package let json: String

    /// Writes members in order; those that are nil are left out.
    package init(_ members: KeyValuePairs<String, JSONValue?>) {
        var object = JSONObject()
        for (name, value) in members {
            if let value { object[name] = value }
        }
        json = String(decoding: object.serialize(), as: UTF8.self)
    }
}

extension StorageWriting {
    /// Writes what an operator did, in the transaction that does it.
    ///
    /// - Throws: ``StorageError``.
    package func audit(
        _ action: AuditedAction,
        _ target: AuditedTarget,
        by who: Operator,
        app: AppID,
        at now: Timestamp,
        before: AuditedValue? = nil,
        after: AuditedValue? = nil
    ) throws(StorageError) {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<12).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let entry = AuditEntry(
            id: AuditEntryID(rawValue: "aud_" + bytes.hexadecimal),
            occurredAt: now,
            actor: who.name,
            action: action.rawValue,
            target: target.text,
            before: before?.json,
            after: after?.json,
            requestID: who.requestID
        )
        try insert(entry, of: app)
    }

    /// Takes a customer's names out of the audit log: what was done, by whom and when, stays.
    ///
    /// - Throws: ``StorageError``.
    func forgetInAudit(_ names: [CustomerID], transfers: [TransferID], app: AppID) throws(StorageError) {
        for name in names {
            try forgetInAudit(.customer(name), as: .erasedCustomer, app: app)
        }
        for transfer in transfers { try forgetInAudit(.transfer(transfer), as: .transfer(transfer), app: app) }
    }

    private func forgetInAudit(_ target: AuditedTarget, as new: AuditedTarget, app: AppID) throws(StorageError) {
        let pageSize = 500
        var last: AuditEntry?
        while true {
            let page = try auditEntries(of: app, about: target.text, before: last, limit: pageSize)
            for var entry in page {
                entry.target = new.text
                (entry.before, entry.after) = (nil, nil)
                try save(entry, in: app)
            }
            guard page.count == pageSize else { return }
            last = page.last
        }
    }
}
