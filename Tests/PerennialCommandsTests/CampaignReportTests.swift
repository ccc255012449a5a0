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
                + #""average_days":6.8}"#
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
            let text =
                #"{"subscription_id":"\#(id)","state":"\#(state)","previous_period_ends_at":1,"period_ends_at":null,"#
                + #""error":null}"#
            return try JSONParser.parseObject(Array(text.utf8))
        }
        var lines = CampaignMemberLines()
        let first = lines.fields(of: try member("1", "planned"))
        #expect(first == [.string("1"), .string("planned"), .integer(1), .null, nil])
        let other = lines.fields(of: try member("2", "extended"))
        #expect(other?.first == .string("2"))
        // It was extended while the members were read.
        let again = lines.fields(of: try member("1", "extended"))
        #expect(again == nil)
    }

    @Test func `have no average if no period was moved`() throws {
        let report = CampaignReport(try Self.campaign("{}"), moved: CampaignReport.Moved())
        #expect(report.json["average_days"] == .null)
        #expect(report.json["refused"] == .object(JSONObject()))
        #expect(report.lines == ["  asked: 0"])
    }
}
