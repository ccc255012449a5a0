public import X509

/// Asks OCSP responders over the client's transport, for an `OCSPVerifierPolicy` of swift-certificates.
///
/// `RevocationChecker` of AppStoreSigning needs no requester but a ``HTTPOCSPTransport``.
public struct HTTPOCSPRequester: OCSPRequester {
    private let transport: HTTPOCSPTransport
    private let failureMode: OCSPFailureMode

    /// Makes a requester.
    ///
    /// - Parameters:
    ///   - transport: Carries questions and answers.
    ///   - failureMode: What no answer means; give the policy the same. swift-certificates leaves this to the
    ///     requester, whatever the policy's own mode: `soft` lets the certificate pass, `hard` refuses it.
    public init(transport: HTTPOCSPTransport, failureMode: OCSPFailureMode) {
        self.transport = transport
        self.failureMode = failureMode
    }

    /// Asks a responder; no answer is judged by the failure mode.
    public func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
        do throws(HTTPTransportError) {
            return .response(try await transport.post(request, to: uri))
        } catch {
            return failureMode == .hard ? .terminalError(error) : .nonTerminalError(error)
        }
    }
}
