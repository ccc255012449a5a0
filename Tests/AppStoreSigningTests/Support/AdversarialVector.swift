import AppStoreModel
import AppStoreSigning
import Foundation

/// One published case of `Fixtures/adversarial`: an input, the trusted roots, and the expected result.
struct AdversarialVector {
    enum Problem: Error {
        case notACase(String)
    }

    let kind: String
    let input: String
    let roots: [String]
    let app: AppIdentity
    let validity: ChainValidity
    let isGood: Bool
    /// The accepted codes of a refusal.
    let reasons: [String]

    /// `Fixtures/adversarial` of this checkout.
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/adversarial")

    /// All cases as `area/name.json`, sorted; empty if the folder is missing, which a test checks.
    static let names: [String] = {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix(".json") }.sorted()
    }()

    init(name: String) throws {
        let bytes = Array(try Data(contentsOf: Self.folder.appendingPathComponent(name)))
        let object = try JSONParser.parseObject(bytes)
        guard
            case .object(let trust) = object["trust"],
            case .object(let expected) = object["expected"],
            case .array(let roots) = trust["roots"]
        else { throw Problem.notACase(name) }
        kind = try object.text("kind")
        input = try object.text("input")
        self.roots = roots.compactMap { if case .string(let pem) = $0 { pem } else { nil } }
        app = AppIdentity(
            bundleId: try trust.text("bundleId"),
            appAppleId: trust.number("appAppleId"),
            environment: AppStoreEnvironment(rawValue: try trust.text("environment"))
        )
        validity = trust.number("at").map { .at($0) } ?? .whenSigned
        isGood = try expected.text("verdict") == "verified"
        var reasons = isGood ? [] : [try expected.text("reason")]
        if case .array(let others) = expected["alsoAccepted"] {
            reasons += others.compactMap { if case .string(let code) = $0 { code } else { nil } }
        }
        self.reasons = reasons
    }

    /// The result of the library: the code of a refusal, or nil for verified data.
    func refusal() throws -> String? {
        if kind == "receipt" {
            let verifier = ReceiptVerifier(roots: try roots.map { try ReceiptRoot(pem: $0) }, validity: validity)
            return verifier.verify(input).failure?.code.rawValue
        }
        guard let kind = SignedDataKind(rawValue: kind) else { throw Problem.notACase(kind) }
        let verifier = SignedDataVerifier(
            roots: try roots.map { try TrustedRoot(pem: $0) },
            expecting: app,
            chainValidity: validity
        )
        return verifier.verify(input, as: kind).failure?.code.rawValue
    }
}

extension JSONObject {
    fileprivate func text(_ key: String) throws -> String {
        guard case .string(let text) = self[key] else { throw AdversarialVector.Problem.notACase(key) }
        return text
    }

    fileprivate func number(_ key: String) -> Int64? {
        guard case .integer(let number) = self[key] else { return nil }
        return number
    }
}
