public import X509

/// Asks OCSP responders over the client's transport, for the online revocation check of signed data.
///
/// Certificates name their responders with plain `http` addresses: OCSP answers are signed themselves.
///
/// - Source: RFC 6960, appendix A; Apple's certificates, Authority Information Access.
public struct HTTPOCSPRequester: OCSPRequester {
    /// The largest answer that is read, in bytes; a real one has about 2000.
    public static let answerBytesMax = 65_536

    private let transport: any HTTPTransport
    private let timeout: Duration
    private let failureMode: OCSPFailureMode

    /// Makes a requester.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests; its owner shuts it down.
    ///   - failureMode: What no answer means. swift-certificates leaves this to the requester: `soft` lets the certificate
    ///     pass, `hard` refuses it.
    ///   - timeout: How long one question may take. The verification policy has a deadline of its own, which cancels.
    public init(
        transport: any HTTPTransport,
        failureMode: OCSPFailureMode,
        timeout: Duration = .seconds(30)
    ) {
        self.transport = transport
        self.failureMode = failureMode
        self.timeout = timeout
    }

    /// Asks a responder; anything but a complete answer of status 200 is a failure, judged by the failure mode.
    public func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
        do throws(HTTPTransportError) {
            return .response(try await answer(to: request, uri: uri))
        } catch {
            return failureMode == .hard ? .terminalError(error) : .nonTerminalError(error)
        }
    }

    private func answer(to question: [UInt8], uri: String) async throws(HTTPTransportError) -> [UInt8] {
        let scheme = uri.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https" else {
            let message = "The certificate names a responder whose address is no HTTP address."
            throw HTTPTransportError(code: .requestInvalid, message: message, mayHaveBeenSent: false)
        }
        let headers = HTTPHeaders([
            .init("Content-Type", "application/ocsp-request"), .init("Accept", "application/ocsp-response"),
        ])
        let request = AppStoreHTTPRequest(method: "POST", url: uri, headers: headers, body: question)
        let answer = try await transport.send(request, timeout: timeout, bodyBytesMax: Self.answerBytesMax)
        guard answer.status == 200 else {
            let message = "The OCSP responder answered with HTTP status \(answer.status)."
            throw HTTPTransportError(code: .connectionLost, message: message, mayHaveBeenSent: true)
        }
        return answer.body
    }
}
