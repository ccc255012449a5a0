public import AppStoreModel

/// A customer group that shares a multiseat purchase.
public struct CustomerGroup: Hashable, Sendable, Codable {
    /// A customer in a group.
    public struct Member: Hashable, Sendable, Codable {
        /// The account.
        public let accountId: String
        /// The roles of the customer by product; in organizations only.
        public let roles: [RoleEntry]

        /// Makes a member.
        public init(accountId: String, roles: [RoleEntry] = []) {
            self.accountId = accountId
            self.roles = roles
        }
    }

    /// 18 digits that begin with 9.
    public let groupId: String
    /// The kind of group.
    public let groupType: CustomerGroupType
    /// In the order in which they joined.
    public let members: [Member]
}

/// All customer groups.
struct CustomerGroupList: Sendable, Codable {
    /// The number before that of the first group: the sandbox's placeholder.
    private static let placeholder: Int64 = 900_000_000_000_000_000

    private(set) var groups: [CustomerGroup] = []
    private var made: Int64 = 0

    /// Creates a group with a new identifier.
    mutating func append(_ groupType: CustomerGroupType, members: [CustomerGroup.Member]) -> CustomerGroup {
        made += 1
        let group = CustomerGroup(groupId: String(Self.placeholder + made), groupType: groupType, members: members)
        groups.append(group)
        return group
    }

    /// Deletes a group; returns whether it existed.
    mutating func remove(_ groupId: String) -> Bool {
        guard let position = groups.firstIndex(where: { $0.groupId == groupId }) else { return false }
        groups.remove(at: position)
        return true
    }
}
