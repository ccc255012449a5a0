public import AppStoreModel

// The calls for customer groups, for multiseat purchases.
extension AppStoreServerAPIClient.App {
    /// Gets the groups of a customer, for multiseat purchases; sandbox only, as of 1.22.
    ///
    /// Membership is not an entitlement: unlock content by transactions only.
    ///
    /// - Parameter anyTransactionId: A transaction, original transaction or app transaction of the customer.
    /// - Rate limit: 5/s in sandbox (Apple lists 50/s for production).
    /// - Throws: `call_not_available` for production; `refused` with one of the `AppStoreServerCall.errors` of the
    ///   call; `transaction_not_found`; and what every call throws.
    /// - Source: App Store Server API, Get Customer Groups.
    public func getCustomerGroups(
        anyTransactionId: String
    ) async throws(AppStoreClientError) -> AppStoreAnswer<GetCustomerGroupsResponse> {
        try await call(.getCustomerGroups, path: ["anyTransactionId": anyTransactionId])
    }

    /// Gets one page of a group's members; sandbox only, as of 1.22.
    ///
    /// ``groupMembers(groupId:limit:from:)`` reads all pages.
    ///
    /// - Parameters:
    ///   - groupId: A group of ``getCustomerGroups(anyTransactionId:)``.
    ///   - paginationToken: The token of the previous page; nil for the first page.
    ///   - limit: At most 100; nil for Apple's default.
    /// - Rate limit: 5/s in sandbox (Apple lists 50/s for production).
    /// - Throws: `call_not_available` for production; `refused` with one of the `AppStoreServerCall.errors` of the
    ///   call; `cursor_invalid`; and what every call throws.
    /// - Source: App Store Server API, Get Group Members.
    public func getGroupMembers(
        groupId: String,
        paginationToken: String? = nil,
        limit: Int? = nil
    ) async throws(AppStoreClientError) -> AppStoreAnswer<GetGroupMembersResponse> {
        try await call(
            .getGroupMembers,
            path: ["groupId": groupId],
            query: QueryItem.items("paginationToken", paginationToken)
                + QueryItem.items("limit", limit.map(String.init))
        )
    }
}
