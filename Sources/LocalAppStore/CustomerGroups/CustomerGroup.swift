public import AppStoreModel

/// A group of customers that shares a multiseat purchase.
public struct CustomerGroup: Hashable, Sendable, Codable {
    /// A customer in a group.
    public struct Member: Hashable, Sendable, Codable {
        /// The account.
        public let accountId: String
        /// What the customer may do for which product; in organizations only.
        public let roles: [RoleEntry]

        /// Makes a member.
        public init(accountId: String, roles: [RoleEntry] = []) {
            self.accountId = accountId
            self.roles = roles
        }
    }

    /// 18 digits that begin with 9.
    public let groupId: String
    /// What kind of group it is.
    public let groupType: CustomerGroupType
    /// In the order of their joining.
    public let members: [Member]
}

/// Every group of customers.
struct CustomerGroupList: Sendable, Codable {
    /// The number before that of the first group: the sandbox's placeholder.
    private static let placeholder: Int64 = 900_000_000_000_000_000

    private(set) var groups: [CustomerGroup] = []
    private var made: Int64 = 0

    /// Makes a group with an identifier that was never used.
    mutating func append(_ groupType: CustomerGroupType, members: [CustomerGroup.Member]) -> CustomerGroup {
        made += 1
        let group = CustomerGroup(groupId: String(Self.placeholder + made), groupType: groupType, members: members)
        groups.append(group)
        return group
    }

    /// Ends a group; whether there was one.
    mutating func remove(_ groupId: String) -> Bool {
        guard let position = groups.firstIndex(where: { $0.groupId == groupId }) else { return false }
        groups.remove(at: position)
        return true
    }
}
