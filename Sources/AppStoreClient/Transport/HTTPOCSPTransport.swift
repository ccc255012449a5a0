public import AppStoreSigning

/// Sends OCSP requests over the client's transport, for `RevocationChecker`.
///
/// Certificates name their responders with plain `http` URLs, because OCSP answers are signed.
///
/// - Source: RFC 6960, appendix A; Apple's certificates, Authority Information Access.
public struct HTTPOCSPTransport: OCSPTransport {
    /// The maximum size of an answer, in bytes; a real one has about 2000.
    public static let answerBytesMax = 65_536

    private let transport: any HTTPTransport
    private let timeout: Duration

    /// Makes a transport for OCSP requests.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests; its owner shuts it down.
    ///   - timeout: The timeout of one request. The caller has a separate deadline, which cancels.
    public init(transport: any HTTPTransport, timeout: Duration = .seconds(30)) {
        self.transport = transport
        self.timeout = timeout
    }

    /// Posts a request; everything except a complete answer with status 200 is a failure.
    ///
    /// - Throws: ``HTTPTransportError``; `request_invalid` if the URL is not an HTTP URL.
    public func post(
        _ request: [UInt8],
        to address: String
    ) async throws(HTTPTransportError) -> [UInt8] {
        let scheme = address.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https" else {
            let message = "The certificate's OCSP responder has a URL that is not an HTTP URL."
            throw HTTPTransportError(code: .requestInvalid, message: message, mayHaveBeenSent: false)
        }
        let headers = HTTPHeaders([
            .init("Content-Type", "application/ocsp-request"), .init("Accept", "application/ocsp-response"),
        ])
        let question = AppStoreHTTPRequest(method: "POST", url: address, headers: headers, body: request)
        let answer = try await transport.send(question, timeout: timeout, bodyBytesMax: Self.answerBytesMax)
        guard answer.status == 200 else {
            let message = "The OCSP responder answered with HTTP status \(answer.status)."
            throw HTTPTransportError(code: .connectionLost, message: message, mayHaveBeenSent: true)
        }
        return answer.body
    }
}
