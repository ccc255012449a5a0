import AppStoreModel
import Foundation
import Testing

private let vectors = ProcessInfo.processInfo.environment["PERENNIAL_VECTORS"]

@Suite(.enabled(if: vectors != nil, "PERENNIAL_VECTORS does not name the folder of test vectors"))
struct `Xcode's payloads` {
    @Test func `Xcode's transaction is decoded with truncated dates`() throws {
        let payload = try JWSTransactionDecodedPayload(jsonBytes: payload(of: "xcode-signed-transaction"))
        #expect(payload.transactionId == "0")
        #expect(payload.purchaseDate == 1_697_679_936_049)
        #expect(payload.expiresDate == 1_700_358_336_049)
        #expect(payload.environment == .xcode)
        #expect(payload.offerType == .introductory)
        #expect(payload.isUpgraded == false)
        #expect(payload.price == nil)
        #expect(payload.unknownFields.isEmpty)
        #expect(try JWSTransactionDecodedPayload(jsonBytes: payload.jsonBytes) == payload)
    }

    @Test func `Xcode's renewal information is decoded, and its own fields are kept`() throws {
        let payload = try JWSRenewalInfoDecodedPayload(jsonBytes: payload(of: "xcode-signed-renewal-info"))
        #expect(payload.productId == "pass.premium")
        #expect(payload.renewalDate == 1_700_358_336_049)
        #expect(payload.autoRenewStatus == .on)
        #expect(payload.unknownFields.keys.sorted() == ["deviceVerification", "deviceVerificationNonce"])
        #expect(try JWSRenewalInfoDecodedPayload(jsonBytes: payload.jsonBytes) == payload)
    }

    @Test func `Xcode's app transaction is decoded with its own fields`() throws {
        let payload = try JWSAppTransactionDecodedPayload(jsonBytes: payload(of: "xcode-signed-app-transaction"))
        #expect(payload.environment == .xcode)
        #expect(payload.signedDate == 1_697_680_122_257)
        #expect(payload.requestDate == 1_697_680_122_257)
        #expect(payload.originalPurchaseDate == -62_135_769_600_000)
        #expect(payload.originalApplicationVersion == "1")
        #expect(payload.applicationVersion == "1")
        #expect(payload.deviceVerificationNonce == "48c8b92d-ce0d-4229-bedf-e61b4f9cfc92")
        #expect(payload.appAppleId == nil)
        #expect(payload.appTransactionId == nil)
        #expect(payload.unknownFields.isEmpty)
        #expect(try JWSAppTransactionDecodedPayload(jsonBytes: payload.jsonBytes) == payload)
    }

    @Test func `Xcode's app transaction is written as it was read`() throws {
        let bytes = try payload(of: "xcode-signed-app-transaction")
        let object = try JSONParser.parseObject(bytes)
        #expect(object["originalPurchaseDate"] == -62_135_769_600_000)
        #expect(object["receiptCreationDate"] == .decimal("1697680122257.447"))
        #expect(try JSONParser.parseObject(object.serialize()) == object)
    }

    private func payload(of name: String) throws -> [UInt8] {
        let url = URL(filePath: try #require(vectors)).appending(path: "xcode").appending(path: name)
        let jws = try String(contentsOf: url, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let segment = try #require(jws.split(separator: ".").dropFirst().first)
        let base64 = segment.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        return Array(try #require(Data(base64Encoded: base64 + padding)))
    }
}
