import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `External purchases` {
    @Test func `a custom-link token is announced, and has monthly reminders while it is active`()
        throws
    {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let token = try transcript.store.createExternalPurchaseToken(accountId: "a", type: .acquisition)
        #expect(token.expirationDate == (try at("2026-07-15")))
        try transcript.advance(to: try at("2027-01-15"))
        #expect(
            try transcript.newDatedNotifications() == [
                "2026-01-15 EXTERNAL_PURCHASE_TOKEN/CREATED",
                "2026-02-14 EXTERNAL_PURCHASE_TOKEN/UNREPORTED",
                "2026-02-15 EXTERNAL_PURCHASE_TOKEN/ACTIVE_TOKEN_REMINDER",
                "2026-03-15 EXTERNAL_PURCHASE_TOKEN/ACTIVE_TOKEN_REMINDER",
                "2026-04-15 EXTERNAL_PURCHASE_TOKEN/ACTIVE_TOKEN_REMINDER",
                "2026-05-15 EXTERNAL_PURCHASE_TOKEN/ACTIVE_TOKEN_REMINDER",
                "2026-06-15 EXTERNAL_PURCHASE_TOKEN/ACTIVE_TOKEN_REMINDER",
            ]
        )
        let payload = try transcript.newestContent().payload
        #expect(payload.data == nil)
        #expect(payload.externalPurchaseToken == transcript.store.payload(of: token))
        #expect(payload.externalPurchaseToken?.tokenType == .acquisition)
    }

    @Test func `a token reported as a duplicate has no more reminders`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let token = try transcript.store.createExternalPurchaseToken(accountId: "a", type: .services)
        var report = LineItems.report(token, "DUPLICATE_TOKEN")
        report["lineItems"] = nil
        _ = try transcript.store.sendExternalPurchaseReport(report)
        try transcript.advance(to: try at("2027-01-15"))
        #expect(try transcript.newNotifications() == ["EXTERNAL_PURCHASE_TOKEN/CREATED"])
    }

    @Test(arguments: [AppStoreEnvironment.sandbox, .production])
    func `another token is announced only if no report arrives in time`(environment: AppStoreEnvironment) throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), environment: environment)
        let tokens = try (0..<2).map { _ in try transcript.store.createExternalPurchaseToken(accountId: "a") }
        #expect(tokens.allSatisfy { $0.externalPurchaseId.hasPrefix("SANDBOX_") == (environment == .sandbox) })
        _ = try transcript.store.sendExternalPurchaseReport(LineItems.report(tokens[0], "NO_LINE_ITEM"))
        try transcript.advance(to: try at("2027-01-15"))
        #expect(try transcript.newNotifications() == ["EXTERNAL_PURCHASE_TOKEN/UNREPORTED"])
        let reported = try transcript.newestContent().payload.externalPurchaseToken
        #expect(reported?.externalPurchaseId == tokens[1].externalPurchaseId)
        #expect(reported?.tokenType == nil && reported?.tokenExpirationDate == nil)
    }

    @Test func `a token has one of Apple's types, and only custom-link tokens expire`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        expectRefusal(.tokenTypeUnknown, .invalid) {
            try transcript.store.createExternalPurchaseToken(accountId: "a", type: .init(rawValue: "OTHER"))
        }
        for (type, lifetime) in [(nil, "P1M"), (ExternalPurchaseTokenType.services, "P0D")] {
            expectRefusal(.tokenLifetimeInvalid, .invalid) {
                let lifetime = try #require(CalendarPeriod(iso8601: lifetime))
                return try transcript.store.createExternalPurchaseToken(
                    accountId: "a",
                    type: type,
                    lifetime: lifetime
                )
            }
        }
        expectRefusal(.accountNotFound, .notFound) {
            try transcript.store.createExternalPurchaseToken(accountId: "nobody")
        }
    }

    @Test func `an accepted report is found again as it was sent, and stays after a copy of the store`() throws {
        var submitter = try ReportSubmitter()
        let report = submitter.report([LineItems.oneTimeBuy("buy")])
        let answer = try submitter.store.sendExternalPurchaseReport(report)
        let id = try #require(report["requestIdentifier"]?.stringValue)
        #expect(answer.requestIdentifier == id)
        #expect(try submitter.store.externalPurchaseReport(requestIdentifier: id).report.json == report)
        let listed = try submitter.store.externalPurchaseTokens(accountId: "a")
        #expect(listed.map(\.reportedStatus) == [.lineItem] && listed[0].requestIdentifiers == [id])
        #expect(throws: ExternalPurchaseRefusal.self) {
            try submitter.store.externalPurchaseReport(requestIdentifier: "00000000-0000-4000-8000-000000000009")
        }
    }

    @Test func `a refused report is not stored, and is accepted under the same identifier after correction`() throws {
        var submitter = try ReportSubmitter()
        var report = submitter.report([LineItems.oneTimeBuy("one"), LineItems.oneTimeBuy("two", ["quantity": 0])])
        #expect(submitter.errors(of: report) == ["16 quantity two"])
        report["lineItems"] = [LineItems.oneTimeBuy("one"), LineItems.oneTimeBuy("two")]
        #expect(submitter.errors(of: report) == [])
    }

    @Test func `every error of the reference but that of crossing reports can be caused`() throws {
        var codes = Set(`Errors of reports`.cases.flatMap { $0.errors }.compactMap { Int($0.split(separator: " ")[0]) })
        codes.insert(26)
        #expect(codes == Set(ExternalPurchaseErrorCode.documented.map { Int($0.rawValue) }))
    }
}

/// A store with a token that is active, half a year after it was made.
struct ReportSubmitter {
    var store: LocalAppStore
    let token: ExternalPurchaseTokenRecord
    private var reports = 0

    init(type: ExternalPurchaseTokenType? = nil) throws {
        var transcript = try StoreTranscript.withAccount(at: LineItems.tokenDate)
        token = try transcript.store.createExternalPurchaseToken(accountId: "a", type: type)
        try transcript.store.step(to: LineItems.now)
        store = transcript.store
    }

    mutating func report(_ items: [JSONValue]) -> JSONObject {
        reports += 1
        var report = LineItems.report(token, "LINE_ITEM")
        report["requestIdentifier"] = .string("00000000-0000-4000-8000-0000000001\(reports + 10)")
        report["lineItems"] = .array(items)
        return report
    }

    /// Sends a report, and returns its errors: code, field and line item.
    mutating func errors(of report: JSONObject) -> [String] {
        do {
            _ = try store.sendExternalPurchaseReport(report)
            return []
        } catch {
            return error.errors.map { error in
                [error.errorCode.description, error.fieldName, error.lineItemId].compactMap(\.self).joined(
                    separator: " "
                )
            }
        }
    }
}
