import AppStoreModel
import Foundation
import Testing

@testable import PerennialCommands

/// `perennial extend campaign report`: the campaign's counts and the average as one object and as text.
@Suite struct `Reports of campaigns` {
    private static let day: Int64 = 86_400_000

    private static func campaign(_ counts: String) throws -> JSONObject {
        let text =
            #"{"id":"xc_1","state":"finished","product_ids":["pro"],"extend_by_days":7,"reason":"outage","#
            + #""created_at":0,"started_at":0,"is_enlisted":true,"retry_at":null,"counts":\#(counts)}"#
        return try JSONParser.parseObject(Array(text.utf8))
    }

    private static let mixed =
        #"{"members":9,"planned":1,"asked":6,"ordered":0,"extended":3,"extended_by_order":0,"extended_unseen":1,"#
        + #""failed":{"extension_ineligible":1},"skipped":{"extension_revoked":2},"in_doubt":1,"unknown":1,"#
        + #""ineligible":{}}"#

    @Test func `have each result apart, with the average in tenths of a day`() throws {
        let campaign = try Self.campaign(Self.mixed)
        let moved = CampaignReport.Moved(milliseconds: 13 * Self.day + Self.day / 2, periods: 2)
        let report = CampaignReport(campaign, moved: moved)
        #expect(
            String(decoding: report.json.serialize(), as: UTF8.self)
                == #"{"campaign":"xc_1","state":"finished","members":9,"asked":6,"extended":3,"extended_unseen":1,"#
                + #""refused":{"extension_ineligible":1},"skipped":{"extension_revoked":2},"unknown":1,"open":2,"#
                + #""average_days":6.8,"refused_reasons":[]}"#
        )
        #expect(report.lines == ["  asked: 6", "  average: 6.8 days"])
        let lines = CampaignText(campaign).lines(in: .gmt)
        for line in [
            "  extended: 3", "  extended but not seen: 1", "  not extended, ineligible: 1", "  skipped, revoked: 2",
            "  without an answer: 1",
        ] { #expect(lines.contains(line), "\(line)") }
        #expect(!CampaignText(campaign).isGood)
    }

    @Test func `list members without a result first, and each member once`() throws {
        #expect(
            CampaignMemberLines.states
                == ["planned", "ordered", "asked", "extended", "refused", "skipped", "unknown"]
        )
        func member(_ id: String, _ state: String) throws -> JSONObject {
            try Self.member(id, state)
        }
        var lines = CampaignMemberLines()
        let first = lines.fields(of: try member("1", "planned"))
        #expect(first == [.string("1"), .string("planned"), .integer(1), .null, nil, nil])
        let other = lines.fields(of: try member("2", "extended"))
        #expect(other?.first == .string("2"))
        // It was extended while the members were read.
        let again = lines.fields(of: try member("1", "extended"))
        #expect(again == nil)
    }

    /// A member as the server lists it.
    private static func member(_ id: String, _ state: String, error: String = "null") throws -> JSONObject {
        let text =
            #"{"subscription_id":"\#(id)","state":"\#(state)","previous_period_ends_at":1,"period_ends_at":null,"#
            + #""error":\#(error)}"#
        return try JSONParser.parseObject(Array(text.utf8))
    }

    private static func refusals() throws -> CampaignRefusals {
        var refusals = CampaignRefusals()
        for (id, error) in [
            ("1", #"{"code":"app_store_refused","message":"The App Store refused the request: No. (4030012)"}"#),
            ("2", #"{"code":"app_store_refused","message":"The App Store refused the request: No. (4040001)"}"#),
            ("3", #"{"code":"app_store_refused","message":"The App Store refused the request: No. (4040001)"}"#),
            ("4", #"{"code":"extension_ineligible","message":"Apple does not extend it."}"#),
            ("5", "null"),
        ] { refusals.add(try member(id, "refused", error: error)) }
        return refusals
    }

    @Test func `say why Apple refused members, the most frequent reason first`() throws {
        let campaign = try Self.campaign(
            #"{"members":4,"extended":0,"failed":{"app_store_refused":3,"extension_ineligible":1}}"#
        )
        let refusals = try Self.refusals()
        let report = CampaignReport(campaign, moved: CampaignReport.Moved(), refusals: refusals)
        let reasons = String(decoding: try #require(report.json["refused_reasons"]).serialize(), as: UTF8.self)
        #expect(
            reasons
                == #"[{"code":"app_store_refused","message":"The App Store refused the request: No. (4040001)","#
                + #""count":2},{"code":"app_store_refused","#
                + #""message":"The App Store refused the request: No. (4030012)","count":1},"#
                + #"{"code":"extension_ineligible","message":"Apple does not extend it.","count":1}]"#
        )
        #expect(
            CampaignText(campaign, refusals: refusals).lines(in: .gmt).suffix(4) == [
                "  not extended, app store refused: 3",
                "    2 of them: The App Store refused the request: No. (4040001)",
                "    1 of them: The App Store refused the request: No. (4030012)",
                "  not extended, ineligible: 1",
            ]
        )
        // The server's counts have no reasons.
        #expect(CampaignText(campaign).lines(in: .gmt).suffix(2).first == "  not extended, app store refused: 3")
    }

    @Test func `show some of very many reasons`() throws {
        var refusals = CampaignRefusals()
        for number in 1...25 {
            let error = #"{"code":"app_store_refused","message":"Reason \#(number)."}"#
            refusals.add(try Self.member("\(number)", "refused", error: error))
        }
        let lines = refusals.lines(of: "app_store_refused")
        #expect(lines.count == 21)
        #expect(lines.last == "5 of them: other reasons, see --json")
        #expect(refusals.json.arrayValue?.count == 25)
    }

    @Test func `have the code and the message of each member as CSV`() throws {
        var lines = CampaignMemberLines()
        let error = #"{"code":"app_store_refused","message":"The App Store refused the request: No. (4030012)"}"#
        let fields = lines.fields(of: try Self.member("1", "refused", error: error))
        #expect(
            fields?.suffix(2) == [
                .string("app_store_refused"), .string("The App Store refused the request: No. (4030012)"),
            ]
        )
    }

    @Test func `have no average if no period was moved`() throws {
        let report = CampaignReport(try Self.campaign("{}"), moved: CampaignReport.Moved())
        #expect(report.json["average_days"] == .null)
        #expect(report.json["refused"] == .object(JSONObject()))
        #expect(report.lines == ["  asked: 0"])
    }
}
