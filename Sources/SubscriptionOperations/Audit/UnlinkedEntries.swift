import AppStoreModel
import SubscriptionStorage

/// The entries of an audit log that have no position, though a version with the chain wrote them.
///
/// Such a version gives each entry a position, so somebody removed it. An entry of an earlier version never had one.
struct UnlinkedEntries: Sendable {
    /// The number of these entries.
    private var count = 0
    private var first: AuditEntryID?

    /// What is wrong, for people; nil if there are none.
    var problem: String? {
        guard let first else { return nil }
        let id = first.rawValue
        let subject = count == 1 ? "the entry \(id) has" : "\(count) entries, \(id) among them, have"
        return "\(subject) no position, but only versions with the chain write such entries: positions were removed"
    }

    /// Records an entry without a position.
    mutating func note(_ entry: AuditEntry) {
        guard Self.isOfVersionWithChain(entry) else { return }
        count += 1
        first = first ?? entry.id
    }

    /// Whether only a version with the chain can have written an entry: by its action, or a member of its values.
    private static func isOfVersionWithChain(_ entry: AuditEntry) -> Bool {
        guard let action = AuditedAction(rawValue: entry.action) else { return false }
        if AuditedAction.sinceChain.contains(action) { return true }
        guard let member = AuditedAction.membersSinceChain[action] else { return false }
        return [entry.before, entry.after].contains { json in
            guard let json, let object = try? JSONParser.parseObject(Array(json.utf8)) else { return false }
            return object[member] != nil
        }
    }
}

extension AuditedAction {
    /// The actions that versions before the chain did not write.
    fileprivate static let sinceChain: Set<AuditedAction> = [
        .attributesChanged, .chainBegun, .consumptionReported, .entitlementTokenIssued, .extensionMade,
        .extensionRefused, .keyRotated, .operatorChanged, .operatorCreated, .operatorKeyCreated, .operatorKeyRevoked,
        .operatorLocked, .operatorRemoved, .operatorReset, .operatorSignedIn, .operatorSignedOut, .operatorUnlocked,
    ]

    /// For other actions, a member of their values that versions before the chain did not write.
    fileprivate static let membersSinceChain: [AuditedAction: String] = [
        .customerErased: EmptiedEntries.member, .keyCreated: "scope", .keyRevoked: "scope",
        .webhookEndpointChanged: "url_sha256", .webhookEndpointCreated: "url_sha256",
        .webhookEndpointRemoved: "url_sha256",
    ]
}
