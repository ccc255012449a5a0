import AppStoreModel
import LocalAppStore
import NIOHTTP1
import Testing

/// The errors of Retention Messaging over HTTP.
extension `Coverage of Apple's API` {
    private static let path = "/inApps/v1/messaging"

    private static let text: JSONValue = ["header": "Stay", "body": "We would miss you."]

    private static func long(_ count: Int) -> JSONValue { .string(String(repeating: "x", count: count)) }

    private static func point(_ text: JSONValue = "More") -> JSONValue {
        ["text": text, "imageIdentifier": .string(uuid(2)), "altText": ""]
    }

    static func retentionErrors(_ tour: inout AppleTour) async throws {
        let path = Self.path
        try await tour.uploadImage([1, 2, 3], to: "\(path)/image/\(uuid(1))", failsWith: 4_000_161)
        try await tour.uploadImage(fullSizeFile, to: "\(path)/image/\(uuid(1))?imageSize=HUGE", failsWith: 4_000_216)
        try await tour.uploadImage(fullSizeFile, to: "\(path)/image/\(uuid(1))")
        try await tour.uploadImage(fullSizeFile, to: "\(path)/image/\(uuid(1))", failsWith: 4_090_000)
        try await tour.uploadImage(bulletPointFile, to: "\(path)/image/\(uuid(2))?imageSize=BULLET_POINT")
        let image: JSONValue = ["imageIdentifier": .string(uuid(1)), "altText": "A door"]
        try await tour.play(.succeeds(.uploadMessage, .PUT, "\(path)/message/\(uuid(3))", text.with("image", image)))
        try await tour.play(badMessages(image: image).map { .fails($0, .PUT, "\(path)/message/\(uuid(4))", $1) })
        try await tour.play([
            .fails(4_090_001, .PUT, "\(path)/message/\(uuid(3))", text),
            .fails(4_030_019, .DELETE, "\(path)/image/\(uuid(1))"),
            .fails(4_040_014, .DELETE, "\(path)/image/\(uuid(9))"),
            .fails(4_040_015, .DELETE, "\(path)/message/\(uuid(9))"),
            .fails(4_000_164, .GET, "\(path)/default/pro.weekly/en_US"),
            .fails(4_040_020, .GET, "\(path)/default/pro.weekly/en-US"),
            .fails(4_040_021, .GET, "\(path)/realtime/url"),
            .fails(4_000_215, .PUT, "\(path)/realtime/url", ["realtimeURL": "http://shop.example/"]),
            .fails(4_000_211, .POST, "\(path)/performanceTest", [:]),
            .fails(4_000_212, .GET, "\(path)/performanceTest/result/x"),
            .fails(4_040_018, .GET, "\(path)/performanceTest/result/\(uuid(9))"),
        ])
        let order: JSONValue = ["originalTransactionId": try await tour.store.buy("plus.monthly")["transactionId"]]
        try await tour.play([
            .succeeds(.configureRealtimeURL, .PUT, "\(path)/realtime/url", ["realtimeURL": "http://127.0.0.1:9/"]),
            // The test that was started before is still running.
            .fails(4_000_213, .POST, "\(path)/performanceTest", order),
        ])
    }

    private static func badMessages(image: JSONValue) -> [(Int64, JSONValue)] {
        [
            (4_000_162, text.with("header", long(67))), (4_000_163, text.with("body", long(145))),
            (4_000_175, text.with("image", image.with("altText", long(151)))),
            (4_000_224, text.with("headerPosition", "ABOVE_IMAGE")),
            (4_000_218, text.with("bulletPoints", .array(Array(repeating: point(), count: 6)))),
            (4_000_219, text.with("bulletPoints", [point(long(67))])),
        ]
    }

    /// The answers of production before images and messages are reviewed and a performance test has passed.
    static func retentionInProduction(_ tour: inout AppleTour) async throws {
        let path = Self.path
        try await tour.uploadImage(fullSizeFile, to: "\(path)/image/\(uuid(1))")
        let image: JSONValue = ["imageIdentifier": .string(uuid(1)), "altText": ""]
        let (target, body) = ("\(path)/default/pro.monthly/en-US", ["messageIdentifier": .string(uuid(2))] as JSONValue)
        try await tour.play([
            .succeeds(.uploadMessage, .PUT, "\(path)/message/\(uuid(2))", text.with("image", image)),
            .fails(4_030_017, .PUT, target, body),
        ])
        #expect(
            try await tour.store.put("/_store/retention/messages/\(uuid(2))", ["state": "APPROVED"]).status == 200
        )
        try await tour.play([
            .fails(4_030_018, .PUT, target, body),
            .fails(4_030_026, .PUT, "\(path)/realtime/url", ["realtimeURL": "https://shop.example/"]),
        ])
    }

    /// The maximum number of images and messages of an app.
    static func fillRetentionLibrary(_ store: inout LocalAppStore) throws {
        let message = UploadMessageRequestBody(header: "Stay", body: "We would miss you.")
        for number in 0..<2_000 {
            try store.uploadImage(uuid(number), file: fullSizeFile)
            try store.uploadMessage(uuid(number), request: message)
        }
    }

    static func fullRetentionLibrary(_ tour: inout AppleTour) async throws {
        try await tour.uploadImage(fullSizeFile, to: "\(path)/image/\(uuid(2_000))", failsWith: 4_030_014)
        try await tour.play(.fails(4_030_016, .PUT, "\(path)/message/\(uuid(2_000))", text))
    }
}
