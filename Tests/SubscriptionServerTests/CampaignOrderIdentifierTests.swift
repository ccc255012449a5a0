import AppStoreModel
import SubscriptionCore
import SubscriptionStorage
import Testing

/// Apple's `requestIdentifier` of an order: a UUID, because Apple refuses other texts.
@Suite struct `The identifier of an order` {
    @Test(arguments: [
        (1, "a8621abb-0493-4001-8000-6fbd712943dd"), (100, "a8621abb-0493-4064-8000-6fbd712943dd"),
    ])
    func `is a UUID with the digits of the campaign and the number of the product`(number: Int, expected: String) {
        let campaign = ExtensionCampaignID(rawValue: "xc_a8621abb04936fbd712943dd")
        #expect(MassExtensionOrder.requestID(of: campaign, number: number) == expected)
    }

    @Test(arguments: ["xc_a8621abb04936fbd712943d", "xc_A8621ABB04936FBD712943DD", "a8621abb04936fbd712943dd", "c-1"])
    func `is no UUID for a campaign that no server named`(campaign: String) {
        #expect(MassExtensionOrder.requestID(of: ExtensionCampaignID(rawValue: campaign), number: 2) == "\(campaign)-2")
    }

    @Test(arguments: [true, false])
    func `is found in Apple's summary in either case`(isUpperCase: Bool) async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.ordered()
        let request = CampaignScene.requestID(of: id)
        let name = isUpperCase ? request.uppercased() : request
        try await scene.summarize(id, request: name, succeeded: 1, failed: 0)
        let order = try await scene.order(of: id)
        #expect(order["summary_at"] == .integer(Sample.time(10)) && order["succeeded"] == .integer(1))
    }

    @Test(arguments: ["00000000-0000-4001-8000-000000000000", "of nobody", "", "-"])
    func `of somebody else in a summary changes nothing`(request: String) async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.ordered()
        try await scene.summarize(id, request: request, succeeded: 1, failed: 0)
        #expect(try await scene.order(of: id)["summary_at"] == .null)
    }

    @Test func `of an earlier version is found in Apple's summary`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.ordered()
        let earlier = try await scene.setEarlierIdentifier(of: id)
        try await scene.summarize(id, request: earlier, succeeded: 1, failed: 0)
        let order = try await scene.order(of: id)
        #expect(order["request_id"] == .string(earlier) && order["summary_at"] == .integer(Sample.time(10)))
    }
}

extension CampaignScene {
    /// Gives the order of a campaign the identifier that earlier versions made, which is no UUID.
    ///
    /// - Returns: The identifier.
    func setEarlierIdentifier(of id: String) async throws -> String {
        let request = "\(id)-1"
        let isSet = try await database.write { storage throws(StorageError) -> Bool in
            let (campaign, product) = (ExtensionCampaignID(rawValue: id), ProductID("pro.monthly"))
            let stored = try storage.massExtensionOrder(of: campaign, for: product, app: ServerFixture.app)
            guard var order = stored else { return false }
            order.requestID = request
            try storage.save(order, of: ServerFixture.app)
            return true
        }
        #expect(isSet)
        return request
    }
}
