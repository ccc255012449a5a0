import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Testing

@Suite struct `The trace of a verification` {
    @Test func `the trace of valid data passes every step of its kind`() throws {
        let samples = try Samples()
        for (kind, jws) in try samples.goodInputs() {
            let trace = samples.verifier.trace(jws)

            #expect(trace.isVerified)
            #expect(trace.kind == kind)
            #expect(trace.steps.allSatisfy { $0.outcome == .passed })
            let expected: [VerificationTrace.Step.Name] = [
                .form, .header, .certificates, .root, .constraints, .issuance, .markers, .leafKey, .signature,
                .payload, .validity, .app,
            ]
            #expect(trace.steps.map(\.name) == expected + (kind == .notification ? [.contents] : []))
        }
    }

    @Test func `the trace contains certificates, root, dates and app`() throws {
        let samples = try Samples()
        let text = samples.verifier.trace(try samples.sign(samples.transaction())).description

        #expect(text.hasPrefix("verified: transaction\n"))
        for expected in [
            "CN=Perennial local test signing", "CN=Perennial local test intermediate",
            "CN=Perennial local test root", samples.authority.trustedRoot.fingerprint, "valid 2010-01-01T00:00:00Z to",
            "P256", "1.2.840.113635.100.6.11.1", "2026-09-21T14:13:20Z", "com.example.perennial", "Production",
        ] {
            #expect(text.contains(expected), "\(expected) in \(text)")
        }
    }

    @Test(arguments: BadInput.allCases)
    func `the trace has the verifier's verdict, and fails in one step only`(input: BadInput) throws {
        let samples = try Samples()
        let jws = try input.text(samples)
        for kind in SignedDataKind.allCases {
            let failure = samples.verifier.verify(jws, as: kind).failure
            let trace = samples.verifier.trace(jws, as: kind)

            #expect(trace.failure == failure)
            #expect(failure != nil)
            #expect(trace.steps.count { $0.outcome == .failed } == 1)
            let outcomes = trace.steps.map(\.outcome)
            let failed = try #require(outcomes.firstIndex(of: .failed))
            #expect(outcomes[..<failed].allSatisfy { $0 == .passed })
            #expect(outcomes[(failed + 1)...].allSatisfy { $0 == .notReached })
        }
        let guessed = samples.verifier.trace(jws)
        #expect(guessed.failure == samples.verifier.verify(jws, as: guessed.kind).failure)
        #expect(input.step == nil || guessed.steps.first { $0.outcome == .failed }?.name == input.step)
    }

    @Test func `a trace neither uses nor fills the cache of chains`() throws {
        let samples = try Samples()
        let cache = VerifiedChainCache()
        let verifier = SignedDataVerifier(
            roots: [samples.authority.trustedRoot],
            apps: [samples.app],
            chainCache: cache
        )

        #expect(verifier.trace(try samples.sign(samples.transaction())).isVerified)
        #expect(cache.statistics == .init(hits: 0, misses: 0, count: 0))
    }

    @Test func `a trace contains no terminal control characters`() throws {
        let samples = try Samples()
        var payload = samples.transaction()
        payload.bundleId = "com.example\u{1B}[2J\u{202E}evil\r\n" + String(repeating: "x", count: 10_000)

        let trace = samples.verifier.trace(try samples.sign(payload))

        #expect(trace.failure?.code == .appNotConfigured)
        for note in trace.steps.flatMap(\.notes) {
            #expect(!note.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" })
            #expect(note.count <= 300)
        }
    }

    @Test func `the trace as JSON has the same content`() throws {
        let samples = try Samples()
        let good = samples.verifier.trace(try samples.sign(samples.renewalInfo())).json
        let bad = samples.verifier.trace("a.b.c", as: .notification).json

        #expect(good["verified"] == true)
        #expect(good["kind"] == "renewal")
        #expect(good["reason"] == nil)
        #expect(bad["verified"] == false)
        #expect(bad["reason"] == "malformed_jws")
        #expect(bad["steps"]?.arrayValue?.first?.objectValue?["outcome"] == "passed")
        #expect(bad["steps"]?.arrayValue?.last?.objectValue?["outcome"] == "not_reached")
    }
}

/// Data with one error.
enum BadInput: String, CaseIterable, Sendable {
    case empty, twoSegments, noHeader, otherAlgorithm, criticalExtension, duplicateHeaderKey, shortChain
    case badCertificate, foreignRoot, leafAuthority, wrongIssuer, missingMarker, longLeafKey, changedPayload
    case changedSignature, standardAlphabet, notAnObject, wrongType, deepPayload, expired, otherApp, otherEnvironment
    case tooLarge, unreadableContents, foreignContents

    /// The failing step, if it does not depend on the kind.
    var step: VerificationTrace.Step.Name? {
        switch self {
        case .empty, .twoSegments, .tooLarge: .form
        case .noHeader, .otherAlgorithm, .criticalExtension, .duplicateHeaderKey, .shortChain: .header
        case .badCertificate: .certificates
        case .foreignRoot: .root
        case .leafAuthority: .constraints
        case .wrongIssuer: .issuance
        case .missingMarker: .markers
        case .longLeafKey: .leafKey
        case .changedPayload, .changedSignature, .standardAlphabet: .signature
        case .notAnObject, .wrongType, .deepPayload: .payload
        case .expired: .validity
        case .otherApp, .otherEnvironment: .app
        case .unreadableContents, .foreignContents: .contents
        }
    }

    func text(_ samples: Samples) throws -> String {
        let good = try samples.sign(samples.transaction())
        let parts = good.split(separator: ".")
        switch self {
        case .empty: return ""
        case .twoSegments: return "\(parts[0]).\(parts[1])"
        case .noHeader: return "e30.\(parts[1]).\(parts[2])"
        case .changedPayload: return "\(parts[0]).\(parts[1].dropLast(4)).\(parts[2])"
        case .changedSignature: return "\(parts[0]).\(parts[1]).\(parts[2].reversed().map(String.init).joined())"
        case .standardAlphabet: return "\(parts[0]).\(parts[1])+/.\(parts[2])"
        case .tooLarge: return String(repeating: "a", count: SignedDataVerifier.defaultBytesMax + 1)
        default: return try headerText(samples) ?? payloadText(samples)
        }
    }

    private func headerText(_ samples: Samples) throws -> String? {
        var recipe = TestChainRecipe()
        let chain = samples.authority.chain.certificates
        switch self {
        case .otherAlgorithm:
            return try samples.transaction(headerJSON: "{\"alg\":\"none\",\"x5c\":\(samples.x5c)}")
        case .criticalExtension:
            return try samples.transaction(headerJSON: "{\"alg\":\"ES256\",\"crit\":[],\"x5c\":\(samples.x5c)}")
        case .duplicateHeaderKey:
            return try samples.transaction(
                headerJSON: "{\"alg\":\"ES256\",\"alg\":\"ES256\",\"x5c\":\(samples.x5c)}"
            )
        case .shortChain: return try samples.transaction(withChain: [chain[0], chain[2]])
        case .badCertificate: return try samples.transaction(withChain: [[0x30, 0x00], chain[1], chain[2]])
        case .foreignRoot:
            let stranger = try Samples()
            return try stranger.sign(stranger.transaction())
        case .wrongIssuer:
            let stranger = try Samples()
            let mixed = [stranger.authority.chain.leaf, chain[1], chain[2]]
            return try JWSSigner(chain: mixed, key: stranger.authority.leafKey)
                .sign(payload: samples.transaction().jsonBytes)
        case .leafAuthority: recipe.leafIsAuthority = true
        case .missingMarker: recipe.leafHasMarker = false
        case .longLeafKey: recipe.leafCurve = .p384
        default: return nil
        }
        return try samples.transaction(under: recipe)
    }

    private func payloadText(_ samples: Samples) throws -> String {
        var payload = samples.transaction()
        var notification = try samples.notification()
        switch self {
        case .notAnObject: return try samples.authority.signer.sign(payload: Array("[1]".utf8))
        case .wrongType: return try samples.authority.signer.sign(payload: Array("{\"signedDate\":\"today\"}".utf8))
        case .deepPayload:
            let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
            return try samples.authority.signer.sign(payload: Array("{\"a\":\(deep)}".utf8))
        case .expired: payload.signedDate = 4_102_444_800_001
        case .otherApp: payload.bundleId = "com.example.other"
        case .otherEnvironment: payload.environment = .sandbox
        case .unreadableContents:
            notification.data?.signedTransactionInfo = "a.b.c"
            return try samples.sign(notification)
        case .foreignContents:
            payload.bundleId = "com.example.other"
            notification.data?.signedTransactionInfo = try samples.sign(payload)
            return try samples.sign(notification)
        default: Issue.record("\(self) makes no text")
        }
        return try samples.sign(payload)
    }
}
