import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

/// The entries of an audit log without content, and the erasures that explain them.
///
/// An erasure names the positions that it emptied. One of an earlier version does not: it may have emptied any entry
/// before it. After the first one that names them, no version writes one that does not.
struct EmptiedEntries: Sendable {
    /// The member of an erasure's value with the positions.
    static let member = "emptied"

    private var emptied: Set<Int64> = []
    /// The position of the erasure for each position that an erasure names.
    private var erasures: [Int64: Int64] = [:]
    /// The position of the first erasure that names positions.
    private var firstNaming = Int64.max
    /// The positions of the erasures that name none.
    private var unnaming: [Int64] = []

    /// The positions without content that no erasure explains, in order.
    var unexplained: [Int64] {
        let lastUnnaming = unnaming.filter { $0 < firstNaming }.max() ?? 0
        return emptied.filter { position in
            position >= lastUnnaming && (erasures[position].map { position >= $0 } ?? true)
        }
        .sorted()
    }

    /// The positions of erasures that name no positions, though an erasure before them does.
    var unnamed: [Int64] { unnaming.filter { $0 > firstNaming } }

    /// Records an entry without content.
    mutating func note(emptied position: Int64) {
        emptied.insert(position)
    }

    /// Records an entry whose content and digest are those that were written.
    mutating func note(_ entry: AuditEntry, at position: Int64) {
        guard entry.action == AuditedAction.customerErased.rawValue else { return }
        guard let named = Self.positions(in: entry.after) else {
            unnaming.append(position)
            return
        }
        firstNaming = min(firstNaming, position)
        for other in named { erasures[other] = max(erasures[other] ?? 0, position) }
    }

    /// Whether an erasure leaves entries with this action and this target.
    static func isPossible(_ entry: AuditEntry) -> Bool {
        let actions: [AuditedAction]
        if entry.target == AuditedTarget.erasedCustomer.text {
            actions = AuditedAction.ofCustomers
        } else if entry.target.hasPrefix(AuditedTarget.transfer(TransferID(rawValue: "")).text) {
            actions = AuditedAction.ofTransfers
        } else if entry.target.hasPrefix(AuditedTarget.purchase(OriginalTransactionID("")).text) {
            actions = AuditedAction.ofCustomersPurchases
        } else {
            return false
        }
        return actions.contains { $0.rawValue == entry.action }
    }

    /// The value of an erasure's entry.
    static func value(_ positions: [Int64]) -> AuditedValue {
        AuditedValue([member: .array(positions.sorted().map { .integer($0) })])
    }

    /// Reads the value of an erasure's entry; nil if it has no positions.
    private static func positions(in json: String?) -> [Int64]? {
        guard
            let json, let object = try? JSONParser.parseObject(Array(json.utf8)),
            case .array(let values)? = object[member]
        else { return nil }
        return values.compactMap { value in
            guard case .integer(let position) = value else { return nil }
            return position
        }
    }
}

extension AuditedAction {
    /// The actions whose target is a customer. An erasure empties their entries and removes the name.
    static let ofCustomers: [AuditedAction] = [
        .aliasAdded, .attributesChanged, .entitlementTokenIssued, .grantCreated, .grantRevoked,
    ]
    /// The actions whose target is a transfer, which names two customers.
    static let ofTransfers: [AuditedAction] = [.transferMade, .transferUndone]
    /// The actions on a purchase whose values may name a customer, or say what the customer used.
    static let ofCustomersPurchases: [AuditedAction] = [
        .accountTokenFailed, .accountTokenRequested, .accountTokenSet, .consumptionReported,
    ]
}
