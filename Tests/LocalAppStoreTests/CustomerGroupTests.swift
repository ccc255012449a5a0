import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Groups of customers` {
    @Test func `a customer in no consumer group is in the sandbox's placeholder`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0, environment: .sandbox)
        let id = try transcript.buy("coins.100").transactionId
        let groups = try transcript.store.customerGroups(anyTransactionId: id)?.groups
        let placeholder = try #require(groups?.first)
        #expect(groups?.count == 1)
        #expect(placeholder.groupId == "900000000000000000" && placeholder.groupType == .organization)
        #expect(placeholder.roles?.map(\.role) == [.admin, .none])
        #expect(Set(placeholder.roles?.map(\.productId) ?? []).count == 2)
        let members = try #require(try transcript.store.groupMembers(groupId: placeholder.groupId))
        #expect(members.members.map(\.appTransactionId) == ["700000000000000000"])
        #expect(!members.hasMore && members.paginationToken == nil)
        let app = try transcript.account.appTransactionId
        #expect(try transcript.store.customerGroups(anyTransactionId: app)?.groups == groups)
    }

    @Test func `a customer is in the created groups, with roles in organizations`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0, environment: .sandbox)
        let id = try transcript.buy("coins.100").transactionId
        let role = RoleEntry(productId: "pro.monthly", role: .admin)
        let organization = try transcript.store.makeCustomerGroup(
            .organization,
            members: [.init(accountId: "a", roles: [role])]
        )
        let consumers = try transcript.store.makeCustomerGroup(.consumer, members: [.init(accountId: "a")])
        let groups = try #require(try transcript.store.customerGroups(anyTransactionId: id)?.groups)
        #expect(
            groups == [
                GroupEntry(groupId: organization.groupId, groupType: .organization, roles: [role]),
                GroupEntry(groupId: consumers.groupId, groupType: .consumer),
            ]
        )
        try transcript.store.endCustomerGroup(consumers.groupId)
        #expect(result { _ = try transcript.store.groupMembers(groupId: consumers.groupId) } == .groupNotFound)
        expectRefusal(.groupNotFound, .notFound) { try transcript.store.endCustomerGroup(consumers.groupId) }
        let next = try transcript.store.makeCustomerGroup(.consumer, members: [])
        #expect(next.groupId != consumers.groupId)
    }

    @Test(arguments: [1, 7, 99, 100])
    func `every member is on one page, whatever the limit`(limit: Int) throws {
        var store = try StoreTranscript(at: 0, environment: .sandbox).store
        let accounts = try (0..<201).map { try store.createAccount(accountId: "member-\($0)") }
        let group = try store.makeCustomerGroup(.consumer, members: accounts.map { .init(accountId: $0.accountId) })
        var (found, token): ([String], String?) = ([], nil)
        repeat {
            let page = try #require(
                try store.groupMembers(groupId: group.groupId, limit: "\(limit)", paginationToken: token)
            )
            #expect(page.hasMore == (page.paginationToken != nil))
            #expect(page.members.count == min(limit, 201 - found.count))
            found += page.members.map(\.appTransactionId)
            token = page.paginationToken
        } while token != nil
        #expect(found == accounts.map(\.appTransactionId))
        #expect(try store.groupMembers(groupId: group.groupId)?.members.count == 100)
    }

    @Test func `an invalid group, limit or token has Apple's error`() throws {
        var store = try StoreTranscript(at: 0, environment: .sandbox).store
        let accounts = try (0..<2).map { try store.createAccount(accountId: "member-\($0)") }
        let members = accounts.map { CustomerGroup.Member(accountId: $0.accountId) }
        let ids = try (0..<2).map { _ in try store.makeCustomerGroup(.consumer, members: members).groupId }
        let token = try #require(try store.groupMembers(groupId: ids[0], limit: "1")?.paginationToken)
        let table: [(String, String?, String?, AppStoreServerAPIError)] = [
            ("x", nil, nil, .invalidGroupId), ("", nil, nil, .invalidGroupId),
            ("900000000000000077", nil, nil, .groupNotFound), (ids[0], "0", nil, .invalidLimit),
            (ids[0], "101", nil, .invalidLimit), (ids[0], "many", nil, .invalidLimit),
            (ids[0], nil, "x", .invalidPaginationToken), (ids[1], nil, token, .invalidPaginationToken),
        ]
        for (id, limit, token, error) in table {
            #expect(
                result { _ = try store.groupMembers(groupId: id, limit: limit, paginationToken: token) } == error
            )
        }
        #expect(result { _ = try store.customerGroups(anyTransactionId: "x") } == .invalidTransactionId)
        #expect(result { _ = try store.customerGroups(anyTransactionId: "20") } == .transactionIdNotFound)
        let production = try StoreTranscript(at: 0, environment: .production).store
        #expect(try production.groupMembers(groupId: "900000000000000000") == nil)
        #expect(try production.customerGroups(anyTransactionId: "20") == nil)
    }

    @Test func `an invalid group is refused with the path of its field`() throws {
        var store = try StoreTranscript.withAccount(at: 0, environment: .sandbox).store
        typealias Member = CustomerGroup.Member
        let admin = RoleEntry(productId: "pro.monthly", role: .admin)
        let table: [(CustomerGroupType, [Member], StoreError.Code, String)] = [
            (CustomerGroupType(rawValue: "CLUB"), [], .groupTypeUnknown, "groupType"),
            (.consumer, [Member(accountId: "z")], .accountNotFound, "members[0].accountId"),
            (.consumer, [Member(accountId: "a"), Member(accountId: "a")], .groupMemberInvalid, "members[1].accountId"),
            (.consumer, [Member(accountId: "a", roles: [admin])], .groupMemberInvalid, "members[0].roles"),
            (
                .organization, [Member(accountId: "a", roles: [RoleEntry(productId: "soup", role: .admin)])],
                .productNotFound, "members[0].roles"
            ),
            (
                .organization,
                [Member(accountId: "a", roles: [RoleEntry(productId: "coins.100", role: .init(rawValue: "KING"))])],
                .groupMemberInvalid, "members[0].roles"
            ),
        ]
        for (type, members, code, path) in table {
            let error = #expect(throws: StoreError.self) { _ = try store.makeCustomerGroup(type, members: members) }
            #expect(error?.code == code)
            #expect(error?.path == path)
        }
    }
}
