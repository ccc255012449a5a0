import AppStoreModel
import LocalAppStoreTesting
import Testing

/// Errors of external purchase reports, which come in lists and not as Apple's error object; `AppleCoverageTests`
/// causes the others over HTTP.
@Suite struct `Coverage of errors` {
    @Test func `every error of an external purchase report has a case, or is listed as never returned`() throws {
        let codes = `Errors of reports`.cases.flatMap(\.errors).compactMap { $0.split(separator: " ").first }
        let vocabulary = ExternalPurchaseErrorCode.documented.map { "external purchase error \($0.rawValue)" }
        let seen = Set(codes.map { "external purchase error \($0)" })
        #expect(try FidelityPage().contradictions(seen: seen, of: Set(vocabulary)) == [])
    }
}
