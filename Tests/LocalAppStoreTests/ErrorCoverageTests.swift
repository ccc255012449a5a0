import AppStoreModel
import Foundation
import Testing

/// Errors that Apple answers beside those of the App Store Server API's own calls, which the HTTP tests cover.
@Suite("Coverage of errors")
struct ErrorCoverageTests {
    @Test func `every error of an external purchase report has its case, or is named as never answered`() throws {
        let codes = ReportErrorTests.cases.flatMap(\.errors).compactMap { $0.split(separator: " ").first }
        let vocabulary = ExternalPurchaseErrorCode.documented.map { "external purchase error \($0.rawValue)" }
        try FidelityPage().expect(Set(codes.map { "external purchase error \($0)" }), of: Set(vocabulary))
    }

    @Test func `every error of Advanced Commerce is expected by a test, or is named as never answered`() throws {
        // They are the last of the list, from this one on.
        let vocabulary = AppStoreServerAPIError.all.drop { $0 != .repeatedRequestReferenceId }.map { String($0.code) }
        let tests = ["Purchase", "Request", "Call", "Refund", "Migration", "Modification"].map {
            "AdvancedCommerce\($0)Tests"
        }
        try FidelityPage().expect(Self.expected(by: tests), of: Set(vocabulary))
    }

    @Test func `every error of Retention Messaging is expected by a test, or is named as never answered`() throws {
        let vocabulary = AppStoreServerAPIError.all.drop { $0 != .invalidImage }
            .prefix { $0 != .repeatedRequestReferenceId }.map { String($0.code) }
        let tests = [
            "RetentionImageTests", "RetentionMessageTests", "RealtimeURLTests", "PerformanceTestTests",
            "../LocalAppStoreServerTests/RetentionCallTests",
        ]
        try FidelityPage().expect(Self.expected(by: tests), of: Set(vocabulary))
    }

    /// The codes that tests expect, in files of this folder: written as `4_000_000`, or by name as `.invalidImage`.
    private static func expected(by names: [String]) throws -> Set<String> {
        let texts = try names.map(source)
        var codes: Set<String> = []
        for text in texts {
            codes.formUnion(text.matches(of: /\d_\d{3}_\d{3}/).map { String($0.output).replacing("_", with: "") })
            let words = Set(text.matches(of: /\.([a-zA-Z]+)/).map { String($0.output.1).lowercased() })
            codes.formUnion(
                AppStoreServerAPIError.all.filter { words.contains($0.name.lowercased()) }.map { String($0.code) }
            )
        }
        return codes
    }

    private static func source(_ name: String) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        return try String(contentsOf: folder.appending(path: "\(name).swift").standardized, encoding: .utf8)
    }
}
