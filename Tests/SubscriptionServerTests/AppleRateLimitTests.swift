import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// Apple's answer 429, whose `Retry-After` is a time in milliseconds.
@Suite struct `Apple's rate limit` {
    private static let day10 = Sample.time(10)
    private static let hour: Int64 = 3_600_000

    @Test(
        arguments: [
            (nil, "2"), (day10 - 1, "2"), (day10, "2"), (day10 + 1, "1"), (day10 + 1_001, "2"), (day10 + hour, "3600"),
            (Int64.max, "86400"),
        ] as [(Int64?, String)]
    )
    func `is the error of an extension, with the time that Apple names`(retryAt: Int64?, wait: String) async throws {
        let scene = try await ExtensionScene()
        scene.store.refuse(ExtensionScene.applesPath, status: 429, code: 4_290_000, retryAfter: retryAt)
        let answer = try await scene.extend()
        #expect(answer.status == 503)
        #expect(try answer.errorCode() == "app_store_rate_limited")
        #expect(try answer.bool("error", "retryable") == true)
        #expect(answer.headers[.retryAfter] == wait)
        // The message names no other time.
        #expect(try answer.string("error", "message")?.hasSuffix("again after the time in Retry-After.") == true)
        #expect(try await scene.list().count("data") == 0)
        #expect(scene.asked == 1)
        let made = ExtendRenewalDateResponse(
            originalTransactionId: ExtensionScene.original,
            success: true,
            effectiveDate: Sample.time(37)
        )
        scene.store.answer(ExtensionScene.applesPath, made)
        #expect(try await scene.extend().status == 201)
    }

    /// The time is that of the server's clock, which a local store moves.
    @Test(
        arguments: [
            (nil, 30_000), (day10 - 1, 30_000), (day10 + 1, 30_000), (day10 + 45_000, 45_000),
            (day10 + hour, hour), (day10 + 2 * hour, hour), (Int64.max, hour),
        ] as [(Int64?, Int64)]
    )
    func `lets a campaign wait until the time that Apple names, and an hour at most`(
        retryAt: Int64?,
        pause: Int64
    ) async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        scene.store.refuse(CampaignScene.path(0), status: 429, code: 4_290_000, retryAfter: retryAt)
        let id = try await scene.carriedOut()
        let waiting = try await scene.show(id)
        #expect(try waiting.string("error", "code") == "app_store_rate_limited")
        #expect(try waiting.integer("retry_at") == Self.day10 + pause)
        scene.server.time.advance(to: Timestamp(milliseconds: Self.day10 + pause - 1))
        try await scene.settle()
        #expect(scene.asked(0) == 1)
        scene.confirmExtension(of: CampaignScene.id(0))
        scene.server.time.advance(to: Timestamp(milliseconds: Self.day10 + pause))
        try await scene.settle()
        #expect(scene.asked(0) == 2)
        #expect(try await scene.show(id).string("state") == "finished")
    }

    @Test func `lets an order wait too`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let retryAt = Self.day10 + Self.hour / 2
        scene.store.refuse(CampaignScene.massPath, status: 429, code: 4_290_000, retryAfter: retryAt)
        let id = try await scene.carriedOut(CampaignScene.massDraft)
        let waiting = try await scene.show(id)
        #expect(try waiting.string("error", "code") == "app_store_rate_limited")
        #expect(try waiting.integer("retry_at") == retryAt)
        #expect(try waiting.objects("orders").first?["state"] == .string("waiting"))
    }
}
