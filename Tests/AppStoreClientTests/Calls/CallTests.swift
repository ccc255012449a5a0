import AppStoreClient
import AppStoreModel
import Testing

@Suite struct `Calls of Apple's server APIs` {
    static let cases =
        CallCase.purchaseReads + CallCase.purchaseWrites + CallCase.extensions + CallCase.notifications
        + CallCase.externalPurchase + CallCase.retentionMessages + CallCase.retentionRealtime
        + CallCase.advancedCommerce

    @Test(arguments: cases)
    func `a call sends the documented request and decodes the whole answer`(_ example: CallCase) async throws {
        let isProduction = example.call.availability == .productionOnly
        let host = isProduction ? Stage.production : Stage.sandbox
        let stage = Stage([.answer(example.status, example.answers)])

        let outcome = try await example.perform(
            stage.app(isProduction ? .production : .sandbox),
            example.sends ?? ""
        )

        let line = example.line.replacing(" /", with: " \(host)/", maxReplacements: 1)
        #expect(stage.transport.transcript == ["\(line) → \(example.status)"])
        let request = try #require(stage.transport.requests.first)
        #expect(request.body.map { String(decoding: $0, as: UTF8.self) } == example.sends)
        #expect(request.headers["content-type"] == (example.sends == nil ? nil : "application/json"))
        #expect(
            outcome.json == (example.answers.isEmpty ? nil : try JSONParser.parseObject(Array(example.answers.utf8)))
        )
        #expect(outcome.unknownFields.isEmpty)
    }

    @Test func `an image is sent unchanged`() async throws {
        let stage = Stage([.answer(200)])
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0xFF]

        _ = try await stage.app(.sandbox).uploadImage(imageIdentifier: "i", png: png, imageSize: .bulletPoint)

        let url = Stage.sandbox + "/inApps/v1/messaging/image/i?imageSize=BULLET_POINT"
        #expect(stage.transport.transcript == ["PUT \(url) → 200"])
        #expect(stage.transport.requests.first?.body == png)
        #expect(stage.transport.requests.first?.headers["content-type"] == "image/png")
    }

    @Test func `every call of the table has its example`() {
        let examples = Self.cases.map(\.call) + [.uploadImage]

        #expect(examples.count == 42)
        #expect(Set(examples) == Set(AppStoreServerCall.all))
    }

    @Test(arguments: cases)
    func `a tool with the table sends the same`(_ example: CallCase) async throws {
        let isProduction = example.call.availability == .productionOnly
        let stage = Stage([.answer(example.status, example.answers), .answer(example.status, example.answers)])
        let app = stage.app(isProduction ? .production : .sandbox)
        _ = try await example.perform(app, example.sends ?? "")

        let target = example.line.drop { $0 != "/" }.split(separator: "?", maxSplits: 1)
        let segments = zip(example.call.path.split(separator: "/"), target[0].split(separator: "/"))
        let path = segments.filter { $0.0.hasPrefix("{") }.map { (String($0.0.dropFirst().dropLast()), String($0.1)) }
        let answer = try await app.perform(
            example.call,
            path: Dictionary(uniqueKeysWithValues: path),
            query: target.dropFirst().flatMap { Self.items(String($0)) },
            body: example.sends.map { Array($0.utf8) }
        )

        #expect(Set(path.map(\.0)) == Set(example.call.pathParameters))
        #expect(answer.value == Array(example.answers.utf8))
        #expect(stage.transport.requests[0] == stage.transport.requests[1])
    }

    @Test(arguments: cases)
    func `an example's query parameters are in the table`(_ example: CallCase) {
        let query = example.line.split(separator: "?", maxSplits: 1).dropFirst().joined()

        #expect(Set(Self.items(query).map(\.name)).isSubset(of: Set(example.call.queryParameters)))
    }

    @Test(arguments: cases)
    func `the table names the type of the answer`(_ example: CallCase) {
        #expect(example.answerType == example.call.types.answer)
    }

    private static func items(_ query: String) -> [QueryItem] {
        query.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1).map { String($0).removingPercentEncoding() }
            return QueryItem(parts[0], parts.count > 1 ? parts[1] : "")
        }
    }
}

extension String {
    /// The text with `%XX` resolved.
    fileprivate func removingPercentEncoding() -> String {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
