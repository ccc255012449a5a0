import AppStoreModel
import HTTPTypes
import Testing

/// A notification of Apple about an extension of one of the scene's subscriptions.
struct ExtensionNotice: Sendable {
    /// The number of the subscription.
    var subscription: Int
    /// The number of the notification, which no other one has.
    var notification: Int
    var type = NotificationType.renewalExtended
    var subtype: NotificationSubtype?
    /// The day on which the period ends.
    var end: Int64 = 37
    /// The day on which Apple signed it.
    var signed: Int64 = 10
    var ownership = InAppOwnershipType.purchased

    /// That an order did not extend a subscription. It does not name the order.
    static func failure(of subscription: Int, notification: Int, end: Int64 = 30) -> ExtensionNotice {
        ExtensionNotice(
            subscription: subscription,
            notification: notification,
            type: .renewalExtension,
            subtype: .failure,
            end: end
        )
    }
}

extension CampaignScene {
    func announce(_ notice: ExtensionNotice) async throws {
        let id = Self.id(notice.subscription)
        let notification = SentNotification(
            notice.type,
            notice.subtype,
            day: notice.signed,
            status: .active,
            transaction: Sample.period(0, signed: notice.signed) { payload in
                (payload.transactionId, payload.originalTransactionId) = (id, id)
                payload.webOrderLineItemId = id
                payload.expiresDate = Sample.time(notice.end)
                payload.inAppOwnershipType = notice.ownership
            },
            renewal: Sample.renewal(signed: notice.signed, end: notice.end) { $0.originalTransactionId = id }
        )
        let signed = try notification.signed(at: server, number: notice.notification)
        #expect(try await server.notify(signed).status == 200)
    }

    /// Announces the extensions of the first subscriptions, each by a notification of its own.
    func announceExtensions(count: Int) async throws {
        for number in 0..<count {
            try await announce(ExtensionNotice(subscription: number, notification: 100 + number))
        }
    }

    /// Apple's summary of the order of a campaign.
    ///
    /// - Parameter request: Apple's `requestIdentifier`; nil for that of the campaign's first order.
    func summarize(_ id: String, request: String? = nil, succeeded: Int64, failed: Int64) async throws {
        let notification = SentNotification(.renewalExtension, .summary, day: 10) { _, payload in
            payload.summary = NotificationSummary(
                environment: .production,
                bundleId: ServerFixture.bundle,
                requestIdentifier: request ?? Self.requestID(of: id),
                appAppleId: ServerFixture.appleID,
                productId: "pro.monthly",
                succeededCount: succeeded,
                failedCount: failed
            )
        }
        #expect(try await server.notify(try notification.signed(at: server, number: 900)).status == 200)
    }

    /// A started campaign whose order Apple has accepted.
    func ordered(_ body: String = massDraft) async throws -> String {
        store.answer(Self.massPath, MassExtendRenewalDateResponse(requestIdentifier: "r"))
        let id = try await started(body)
        setStatus(of: id, complete: false)
        try await settle()
        return id
    }

    /// A finished campaign whose only member ended without an answer.
    func withoutAnswer() async throws -> String {
        store.refuse(Self.path(0), status: 500, code: 5_000_000)
        let id = try await carriedOut()
        for minutes: Int64 in [1, 4, 10, 50] {
            advance(minutes: minutes)
            try await settleChecks()
            try await settle()
        }
        #expect(try await count("unknown", of: id) == 1)
        return id
    }

    /// Apple completes the order of a campaign, and the time for its announcements passes.
    func completeOrder(of id: String, succeeded: Int64, failed: Int64) async throws {
        setStatus(of: id, complete: true, succeeded: succeeded, failed: failed)
        advance(minutes: 5)
        try await settle()
        advance(minutes: 70)
        try await settle()
        try await settleChecks()
        try await settle()
    }

    /// Looks up the members of complete orders about which Apple announced a failure, and asks about those alone that
    /// were not extended.
    func settleFailures() async throws {
        try await settle()
        try await settleChecks()
        try await settle()
    }

    /// The only order of a campaign.
    func order(of id: String) async throws -> JSONObject { try #require(try await show(id).objects("orders").first) }

    /// Where Apple's counts and those of the server differ, by code.
    func disagreements(of id: String) async throws -> [String] {
        try await show(id).objects("disagreements").compactMap { $0["code"]?.stringValue }
    }

    /// Who caused the extensions of a subscription, in alphabetical order.
    func origins(of number: Int) async throws -> [String] {
        let list = try await server.send(.get, Self.extensionsRoute(number))
        return try list.objects("data").compactMap { $0["origin"]?.stringValue }.sorted()
    }

    /// The end of the period of a subscription, as its customer sees it.
    func end(of number: Int) async throws -> JSONValue? {
        try await server.send(.get, "/v1/customers/u_\(number)").objects("subscriptions").first?[
            "current_period_ends_at"
        ]
    }
}
