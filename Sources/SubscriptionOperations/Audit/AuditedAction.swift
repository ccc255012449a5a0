package import AppStoreModel
package import SubscriptionCore
package import SubscriptionStorage

/// An operator's action in the audit log.
package enum AuditedAction: String, Sendable {
    /// The first entry of the chain of an app that has entries from before it.
    case chainBegun = "audit.chain_begun"
    case accountTokenFailed = "account_token.failed"
    case accountTokenRequested = "account_token.requested"
    case accountTokenSet = "account_token.set"
    case aliasAdded = "alias.added"
    case appChanged = "app.changed"
    case attributesChanged = "attributes.changed"
    case campaignApproved = "extension_campaign.approved"
    case campaignCancelled = "extension_campaign.cancelled"
    case campaignDrafted = "extension_campaign.drafted"
    case campaignStarted = "extension_campaign.started"
    case campaignTried = "extension_campaign.dry_run"
    case consentRecorded = "consumption.consent_recorded"
    case consumptionReported = "consumption.reported"
    case customerErased = "customer.erased"
    case entitlementDefined = "entitlement.defined"
    case entitlementTokenIssued = "entitlement_token.issued"
    case extensionMade = "extension.extended"
    case extensionRefused = "extension.refused"
    case extensionRequested = "extension.requested"
    case extensionWithdrawn = "extension.withdrawn"
    case finishFailed = "transaction.finish_failed"
    case finishRequested = "transaction.finish_requested"
    case grantCreated = "grant.created"
    case grantRevoked = "grant.revoked"
    case keyCreated = "key.created"
    case keyRevoked = "key.revoked"
    case keyRotated = "key.rotated"
    case operatorChanged = "operator.changed"
    case operatorCreated = "operator.created"
    case operatorKeyCreated = "operator_key.created"
    case operatorKeyRevoked = "operator_key.revoked"
    case operatorLocked = "operator.locked"
    case operatorRemoved = "operator.removed"
    case operatorReset = "operator.reset"
    case operatorSignedIn = "operator.signed_in"
    case operatorSignedOut = "operator.signed_out"
    case operatorUnlocked = "operator.unlocked"
    case productsReplaced = "products.replaced"
    case purchaseRebuilt = "purchase.rebuilt"
    case recoveryRequested = "recovery.requested"
    case signingKeyRotated = "signing_key.rotated"
    case transactionFinished = "transaction.finished"
    case transferMade = "transfer.made"
    case transferUndone = "transfer.undone"
    case webhookDeliveryResent = "webhook_delivery.resent"
    case webhookEndpointChanged = "webhook_endpoint.changed"
    case webhookEndpointCreated = "webhook_endpoint.created"
    case webhookEndpointRemoved = "webhook_endpoint.removed"
    case webhookEndpointTested = "webhook_endpoint.tested"
    case webhookSecretRotated = "webhook_endpoint.secret_rotated"
}

/// The target of an operator's action. All actions on a customer have the customer as target.
package enum AuditedTarget: Sendable {
    case app
    case auditLog
    case customer(CustomerID)
    /// A customer whose name was erased.
    case erasedCustomer
    case entitlement(EntitlementID)
    case products
    case purchase(OriginalTransactionID)
    case transfer(TransferID)
    /// An API key by its visible part.
    case key(String)
    /// A signing key by its name.
    case signingKey(String)
    case recoveryWindow(RecoveryWindowID)
    case extensionCampaign(ExtensionCampaignID)
    case webhookEndpoint(WebhookEndpointID)
    /// A person who operates the server, by name.
    case operatorAccount(String)

    package var text: String {
        switch self {
        case .app: "app"
        case .auditLog: "audit_log"
        case .customer(let id): "customer:\(id.rawValue)"
        case .erasedCustomer: "customer (erased)"
        case .entitlement(let id): "entitlement:\(id.rawValue)"
        case .products: "products"
        case .purchase(let id): "purchase:\(id.rawValue)"
        case .transfer(let id): "transfer:\(id.rawValue)"
        case .key(let shown): "key:\(shown)"
        case .signingKey(let name): "signing_key:\(name)"
        case .recoveryWindow(let id): "recovery_window:\(id.rawValue)"
        case .extensionCampaign(let id): "extension_campaign:\(id.rawValue)"
        case .webhookEndpoint(let id): "webhook_endpoint:\(id.rawValue)"
        case .operatorAccount(let name): "operator:\(name)"
        }
    }
}

/// The value before or after an operator's change: a small JSON object.
package struct AuditedValue: Sendable {
    /// Compact JSON.
    package let json: String

    /// Writes members in order, without those that are nil.
    package init(_ members: KeyValuePairs<String, JSONValue?>) {
        var object = JSONObject()
        for (name, value) in members {
            if let value { object[name] = value }
        }
        json = String(decoding: object.serialize(), as: UTF8.self)
    }
}

extension StorageWriting {
    /// Writes an audit entry in the transaction of the action.
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
        let sequence = (try auditHead(of: app)?.sequence ?? 0) + 1
        try append(
            AuditEntry(
                id: AuditEntryID(sequence: sequence),
                occurredAt: now,
                actor: who.name,
                action: action.rawValue,
                target: target.text,
                before: before?.json,
                after: after?.json,
                requestID: who.requestID
            ),
            to: app
        )
    }

    /// Removes a customer's names from the audit log. Action, operator, time and the digest of what was there stay.
    ///
    /// - Parameter purchases: The customer's purchases, whose account tokens may name the customer, and about whose
    ///   consumption something was reported.
    /// - Returns: The positions of the entries that have no content from now on.
    /// - Throws: ``StorageError``.
    func forgetInAudit(
        _ names: [CustomerID],
        transfers: [TransferID],
        purchases: Set<OriginalTransactionID>,
        app: AppID
    ) throws(StorageError) -> [Int64] {
        var emptied: [Int64] = []
        for name in names {
            emptied += try forgetInAudit(.customer(name), as: .erasedCustomer, app: app)
        }
        for transfer in transfers {
            emptied += try forgetInAudit(.transfer(transfer), as: .transfer(transfer), app: app)
        }
        let actions = AuditedAction.ofCustomersPurchases
        for purchase in purchases.sorted() {
            emptied += try forgetInAudit(.purchase(purchase), as: .purchase(purchase), only: actions, app: app)
        }
        return emptied
    }

    /// - Parameter actions: The actions whose values are removed; nil for all.
    /// - Returns: The positions of the entries that had the content that was written.
    private func forgetInAudit(
        _ target: AuditedTarget,
        as new: AuditedTarget,
        only actions: [AuditedAction]? = nil,
        app: AppID
    ) throws(StorageError) -> [Int64] {
        let pageSize = 500
        var emptied: [Int64] = []
        var last: AuditEntry?
        while true {
            let page = try auditEntries(of: app, about: target.text, before: last, limit: pageSize)
            for var entry in page where actions?.contains(where: { $0.rawValue == entry.action }) ?? true {
                // One that was changed before remains among the findings of a check.
                if let link = entry.link, let salt = link.salt,
                    AuditChain.content(of: entry, salt: salt) == link.content
                {
                    emptied.append(link.sequence)
                }
                entry.target = new.text
                (entry.before, entry.after) = (nil, nil)
                entry.link?.salt = nil
                try save(entry, in: app)
            }
            guard page.count == pageSize else { return emptied }
            last = page.last
        }
    }
}
