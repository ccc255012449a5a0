import AppStoreModel
import AppStoreSigning
import NIOHTTP1
import Testing

@testable import LocalAppStoreServer

/// Sales reports at the path of the App Store Connect API.
@Suite struct `Sales reports over HTTP` {
    private static let query =
        "filter%5BreportSubType%5D=SUMMARY&filter%5Bfrequency%5D=DAILY&filter%5BvendorNumber%5D=80000001"

    private func download(_ store: RunningStore, _ more: String, token: String?) async throws -> RunningStore.Answer {
        try await store.send(.GET, "/v1/salesReports?\(Self.query)&\(more)", token: token)
    }

    @Test func `a report is a gzip file with its text`() async throws {
        try await withStore { store in
            _ = try await store.buy("pro.monthly")
            _ = try await store.advance(by: "P2D")
            let more = "filter%5BreportType%5D=SUBSCRIPTION_EVENT&filter%5BreportDate%5D=2026-09-21"
            // Tokens of App Store Connect name no app.
            let answer = try await download(store, more, token: try store.token())
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.contentType == "application/a-gzip")
            let content = Array(answer.bytes.dropFirst(15).dropLast(8))
            #expect(answer.bytes == GzipArchive.bytes(of: content))
            let lines = String(decoding: content, as: UTF8.self).split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.first?.hasPrefix("Event Date\tEvent\tApp Name\t") == true)
            #expect(lines.last?.hasPrefix("2026-09-21\tStart Introductory Offer\tcom.example.perennial\t") == true)
        }
    }

    @Test func `refusals have the bodies of App Store Connect`() async throws {
        try await withStore { store in
            let more = "filter%5BreportType%5D=SUBSCRIPTION"
            for token in [nil, "x.y.z"] {
                let refused = try await download(store, more, token: token)
                #expect(refused.status == 401)
                #expect(refused.json["errors"][0]["code"] == "NOT_AUTHORIZED")
            }
            let token = try store.token()
            let empty = try await download(store, more, token: token)
            #expect(empty.status == 404)
            #expect(empty.json["errors"][0]["code"] == "NOT_FOUND")
            #expect(empty.json["errors"][0]["status"] == "404")
            #expect(empty.json["errors"][0]["detail"] == "There were no sales for the date specified.")
            let wrong = try await download(store, "\(more)&filter%5Bversion%5D=1_2", token: token)
            #expect(wrong.status == 400)
            #expect(wrong.json["errors"][0]["source"]["parameter"] == "filter[version]")
            let missing = try await store.send(.GET, "/v1/salesReports", token: token)
            #expect(missing.json["errors"][0]["code"] == "PARAMETER_ERROR.REQUIRED")
        }
    }

    @Test func `a gzip file has the checksum and the length of its content, over many blocks`() {
        // The checksum of the nine digits is the standard's own example.
        #expect(GzipArchive.checksum(Array("123456789".utf8)) == 0xcbf4_3926)
        let content = [UInt8](repeating: 7, count: 200_000)
        let file = GzipArchive.bytes(of: content)
        #expect(file.count == content.count + 10 + 4 * 5 + 8)
        #expect(file.suffix(4) == [0x40, 0x0d, 0x03, 0x00])
        #expect(GzipArchive.bytes(of: []).count == 23)
    }
}
