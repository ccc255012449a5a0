import AppStoreModel
import Testing

@Suite struct `Advanced Commerce` {
    private static let requestInfo = AdvancedCommerceRequestInfo(requestReferenceId: "r")

    @Test func `a modification has every field under its name`() throws {
        let request = try AdvancedCommerceSubscriptionModifyInAppRequest(
            jsonBytes: Array(AdvancedCommerceFields.modification.utf8)
        )
        #expect(request.operation == .modifySubscription)
        #expect(request.requestInfo.consistencyToken == "token")
        #expect(request.addItems?.map(\.sku) == ["three"])
        #expect(request.addItems?.first?.proratedPrice == 1500)
        #expect(request.addItems?.first?.offer?.reason == .retention)
        #expect(request.changeItems?.map(\.currentSKU) == ["one"])
        #expect(request.changeItems?.first?.effective == .nextBillCycle)
        #expect(request.changeItems?.first?.reason == .downgrade)
        #expect(request.removeItems?.map(\.sku) == ["two"])
        #expect(request.periodChange?.period == .oneYear)
        #expect(request.descriptors?.effective == .immediately)
        #expect(request.unknownFields.isEmpty)
    }

    @Test func `a refund request has every field under its name`() throws {
        let request = try AdvancedCommerceRequestRefundRequest(jsonBytes: Array(AdvancedCommerceFields.refund.utf8))
        #expect(request.refundRiskingPreference)
        #expect(request.items.map(\.refundType) == [.custom, .full])
        #expect(request.items.map(\.refundAmount) == [500, nil])
        #expect(request.items.map(\.revoke) == [true, false])
    }

    @Test func `an in-app request writes its operation and version automatically`() {
        let requests: [(any AdvancedCommerceInAppRequest, AdvancedCommerceOperation)] = [
            (
                AdvancedCommerceOneTimeChargeCreateRequest(
                    requestInfo: Self.requestInfo,
                    currency: "USD",
                    taxCode: "t",
                    item: AdvancedCommerceOneTimeChargeItem(sku: "s", description: "d", displayName: "n", price: 1)
                ),
                .createOneTimeCharge
            ),
            (
                AdvancedCommerceSubscriptionCreateRequest(
                    requestInfo: Self.requestInfo,
                    currency: "USD",
                    taxCode: "t",
                    descriptors: AdvancedCommerceDescriptors(description: "d", displayName: "n"),
                    items: [],
                    period: .oneMonth
                ),
                .createSubscription
            ),
            (
                AdvancedCommerceSubscriptionModifyInAppRequest(
                    requestInfo: Self.requestInfo,
                    transactionId: "1",
                    retainBillingCycle: true
                ),
                .modifySubscription
            ),
            (
                AdvancedCommerceSubscriptionReactivateInAppRequest(requestInfo: Self.requestInfo, transactionId: "1"),
                .reactivateSubscription
            ),
        ]
        for (request, operation) in requests {
            #expect(request.operation == operation)
            #expect(request.json["operation"] == .string(operation.rawValue))
            #expect(request.json["version"] == "1")
        }
    }

    @Test func `a request is written as in Apple's documentation`() {
        let request = AdvancedCommerceSubscriptionReactivateInAppRequest(
            requestInfo: Self.requestInfo,
            transactionId: "12345",
            items: [AdvancedCommerceSubscriptionReactivateItem(sku: "one")],
            storefront: "USA"
        )
        let text = #"""
            {"operation":"REACTIVATE_SUBSCRIPTION","version":"1","requestInfo":{"requestReferenceId":"r"},\#
            "transactionId":"12345","items":[{"SKU":"one"}],"storefront":"USA"}
            """#
        #expect(String(decoding: request.jsonBytes, as: UTF8.self) == text)
    }

    @Test func `an error names the item whose price is missing`() {
        let json: JSONObject = [
            "requestInfo": ["requestReferenceId": "r"],
            "items": [["SKU": "one", "price": 1], ["SKU": "two"]],
        ]
        #expect(throws: ModelError(.missingField, path: "items[1].price", message: "")) {
            try AdvancedCommerceSubscriptionPriceChangeRequest(json: json)
        }
    }

    @Test func `a null element of a list is a missing field`() {
        let json: JSONObject = ["requestInfo": ["requestReferenceId": "r"], "items": [.null]]
        #expect(throws: ModelError(.missingField, path: "items[0]", message: "")) {
            try AdvancedCommerceSubscriptionPriceChangeRequest(json: json)
        }
    }

    @Test func `an empty answer is decoded, because the change was executed`() throws {
        let answer = try AdvancedCommerceRequestRefundResponse(json: [:])
        #expect(answer.signedTransactionInfo == nil)
        #expect(answer.signedRenewalInfo == nil)
    }

    @Test func `every documented value has a name`() {
        #expect(
            AdvancedCommerceOperation.documented.map(\.rawValue) == [
                "CREATE_ONE_TIME_CHARGE", "CREATE_SUBSCRIPTION", "MODIFY_SUBSCRIPTION", "REACTIVATE_SUBSCRIPTION",
            ]
        )
        #expect(AdvancedCommerceEffective.documented.map(\.rawValue) == ["IMMEDIATELY", "NEXT_BILL_CYCLE"])
        #expect(AdvancedCommerceReason.documented.map(\.rawValue) == ["UPGRADE", "DOWNGRADE", "APPLY_OFFER"])
    }
}
