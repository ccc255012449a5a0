import AppStoreClient
import AppStoreSigning
import Testing
import X509

@Suite struct `Questions to an OCSP responder` {
    private static let address = "http://ocsp.apple.com/ocsp03-wwdrg6"

    @Test func `a query is posted by the rules of OCSP, without a token`() async throws {
        let transport = ScriptedTransport([.answer(200, "answer")])

        let answer = try await HTTPOCSPTransport(transport: transport).post([1, 2, 3], to: Self.address)

        #expect(answer == Array("answer".utf8))
        #expect(transport.transcript == ["POST \(Self.address) → 200"])
        let request = try #require(transport.requests.first)
        #expect(request.body == [1, 2, 3])
        #expect(request.headers["content-type"] == "application/ocsp-request")
        #expect(request.headers["authorization"] == nil)
    }

    @Test func `anything but an answer of status 200 is a failure`() async {
        let steps: [ScriptedTransport.Step] = [
            .answer(404), .answer(500, "x"), .answer(301), .failure(.timedOut, mayHaveBeenSent: true),
        ]
        for step in steps {
            let transport = HTTPOCSPTransport(transport: ScriptedTransport([step]))
            await #expect(throws: HTTPTransportError.self) { try await transport.post([1], to: Self.address) }
        }
    }

    @Test(arguments: ["", "ftp://example.com", "file:///etc/passwd", "ldap://example.com", "ocsp.apple.com"])
    func `a URL that is not HTTP is not called`(address: String) async {
        let transport = HTTPOCSPTransport(transport: ScriptedTransport([]))

        await #expect(throws: HTTPTransportError.self) { try await transport.post([1], to: address) }
    }

    @Test(arguments: [OCSPFailureMode.soft, .hard])
    func `a missing answer is accepted in soft mode and refused in hard mode`(mode: OCSPFailureMode) async {
        let transport = HTTPOCSPTransport(transport: ScriptedTransport([.answer(503)]))

        let result = await HTTPOCSPRequester(transport: transport, failureMode: mode).query(
            request: [1],
            uri: Self.address
        )

        // The result is opaque; only its description shows the content.
        let isTerminal = String(describing: result).contains("Storage.terminal")
        #expect(isTerminal == (mode == .hard))
    }
}
