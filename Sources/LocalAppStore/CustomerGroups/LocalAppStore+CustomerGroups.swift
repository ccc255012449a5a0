public import AppStoreModel

extension LocalAppStore {
    /// Creates a customer group of an organization or of a subscriber who buys seats.
    ///
    /// - Parameters:
    ///   - groupType: `ORGANIZATION` or `CONSUMER`.
    ///   - members: The members, each once; roles are for organizations only.
    /// - Throws: `group_type_unknown`, `group_member_invalid`, `account_not_found`, `product_not_found`.
    public mutating func makeCustomerGroup(
        _ groupType: CustomerGroupType,
        members: [CustomerGroup.Member]
    ) throws(StoreError) -> CustomerGroup {
        guard groupType.isDocumented else {
            let types = CustomerGroupType.documented.map(\.rawValue).joined(separator: ", ")
            let message = "\"\(groupType.rawValue)\" is no type of group; use one of \(types)."
            throw StoreError(.groupTypeUnknown, message, path: "groupType")
        }
        var seen: Set<String> = []
        for (position, member) in members.enumerated() {
            let path = "members[\(position)]"
            guard ledger.account(id: member.accountId) != nil else {
                let message = "There is no account \"\(member.accountId)\"."
                throw StoreError(.accountNotFound, message, path: "\(path).accountId")
            }
            guard seen.insert(member.accountId).inserted else {
                let message = "The account \"\(member.accountId)\" stands twice."
                throw StoreError(.groupMemberInvalid, message, path: "\(path).accountId")
            }
            guard groupType == .organization || member.roles.isEmpty else {
                let message = "Only in organizations do members have roles."
                throw StoreError(.groupMemberInvalid, message, path: "\(path).roles")
            }
            for role in member.roles { try check(role, path: "\(path).roles") }
        }
        return customerGroups.append(groupType, members: members)
    }

    /// Deletes a group, for example when its subscription ends.
    ///
    /// - Throws: `group_not_found`.
    public mutating func endCustomerGroup(_ groupId: String) throws(StoreError) {
        guard customerGroups.remove(groupId) else {
            throw StoreError(.groupNotFound, "There is no group \"\(groupId)\".")
        }
    }

    /// The groups of a customer; `nil` outside the sandbox, where the call does not exist yet.
    ///
    /// A customer in no consumer group gets the sandbox's placeholder.
    ///
    /// - Source: App Store Server API, Get Customer Groups.
    /// - Throws: One of `AppStoreServerCall.getCustomerGroups.errors`.
    public func customerGroups(
        anyTransactionId: String
    ) throws(AppStoreServerAPIError) -> GetCustomerGroupsResponse? {
        guard configuration.environment == .sandbox else { return nil }
        let accountId = ledger[try customer(of: anyTransactionId)].accountId
        var entries = customerGroups.groups.compactMap { group -> GroupEntry? in
            guard let member = group.members.first(where: { $0.accountId == accountId }) else { return nil }
            let roles = group.groupType == .organization ? member.roles : nil
            return GroupEntry(groupId: group.groupId, groupType: group.groupType, roles: roles)
        }
        if !entries.contains(where: { $0.groupType == .consumer }) { entries.append(placeholderEntry) }
        return GetCustomerGroupsResponse(groups: entries)
    }

    /// One page of the members of a group; `nil` outside the sandbox, where the call does not exist yet.
    ///
    /// - Parameters:
    ///   - groupId: The group.
    ///   - limit: The maximum number of members of the page, in the form of the query; the default is a hundred.
    ///   - paginationToken: The token of the previous page.
    /// - Source: App Store Server API, Get Group Members.
    /// - Throws: One of `AppStoreServerCall.getGroupMembers.errors`.
    public func groupMembers(
        groupId: String,
        limit: String? = nil,
        paginationToken: String? = nil
    ) throws(AppStoreServerAPIError) -> GetGroupMembersResponse? {
        guard configuration.environment == .sandbox else { return nil }
        try IdentifierForm.check(groupId, orThrow: .invalidGroupId)
        let count = limit.map { Int($0) ?? 0 } ?? GetGroupMembersResponse.limitMax
        guard (1...GetGroupMembersResponse.limitMax).contains(count) else { throw .invalidLimit }
        // The token is bound to its group, as the token of the notification history is to its request.
        let digest = NotificationHistoryCursor.digest(groupId.utf8.map(\.self))
        let start = try paginationToken.map { token throws(AppStoreServerAPIError) in
            guard let cursor = NotificationHistoryCursor(token: token), cursor.requestDigest == digest else {
                throw .invalidPaginationToken
            }
            return cursor.position
        }
        let members = try appTransactionIds(ofGroup: groupId)
        let page = members.dropFirst(start ?? 0).prefix(count)
        let isLast = page.endIndex == members.endIndex
        let next = NotificationHistoryCursor(position: page.endIndex, askedAt: now, requestDigest: digest)
        return GetGroupMembersResponse(
            members: page.map { GroupMemberEntry(appTransactionId: $0) },
            hasMore: !isLast,
            paginationToken: isLast ? nil : next.token
        )
    }

    private func appTransactionIds(ofGroup groupId: String) throws(AppStoreServerAPIError) -> [String] {
        if groupId == GroupEntry.sandboxPlaceholderId { return [StoreIdentifier.placeholderAppTransaction] }
        guard let group = customerGroups.groups.first(where: { $0.groupId == groupId }) else { throw .groupNotFound }
        return group.members.compactMap { ledger.account(id: $0.accountId).map { ledger[$0].appTransactionId } }
    }

    /// The placeholder group of a customer in no group: manages one product and has no role in another.
    private var placeholderEntry: GroupEntry {
        let roles = zip(catalog.productIds.filter { catalog.products[$0]?.terms != nil }, [.admin, .none])
            .map { RoleEntry(productId: $0.0, role: $0.1) }
        return GroupEntry(groupId: GroupEntry.sandboxPlaceholderId, groupType: .organization, roles: roles)
    }

    private func check(_ role: RoleEntry, path: String) throws(StoreError) {
        guard catalog.products[role.productId] != nil else {
            let message = "There is no product \"\(role.productId)\" in the catalogue."
            throw StoreError(.productNotFound, message, path: path)
        }
        guard role.role.isDocumented else {
            let known = CustomerGroupRole.documented.map(\.rawValue).joined(separator: ", ")
            let message = "\"\(role.role.rawValue)\" is no role; use one of \(known)."
            throw StoreError(.groupMemberInvalid, message, path: path)
        }
    }
}

extension StoreError.Code {
    /// The error for an unknown group type.
    public static let groupTypeUnknown = Self("group_type_unknown", .invalid)
    /// The error for a duplicate member, or a role that it cannot have.
    public static let groupMemberInvalid = Self("group_member_invalid", .invalid)
    /// No group has this identifier.
    public static let groupNotFound = Self("group_not_found", .notFound)
}
