public import X509

/// Queries OCSP responders over the client's transport, for an `OCSPVerifierPolicy` of swift-certificates.
///
/// `RevocationChecker` of AppStoreSigning needs only a ``HTTPOCSPTransport``, not a requester.
public struct HTTPOCSPRequester: OCSPRequester {
    private let transport: HTTPOCSPTransport
    private let failureMode: OCSPFailureMode

    /// Makes a requester.
    ///
    /// - Parameters:
    ///   - transport: Sends the OCSP requests.
    ///   - failureMode: What a missing answer means; give the policy the same mode. swift-certificates leaves this to
    ///     the requester, whatever the policy's own mode: `soft` accepts the certificate, `hard` refuses it.
    public init(transport: HTTPOCSPTransport, failureMode: OCSPFailureMode) {
        self.transport = transport
        self.failureMode = failureMode
    }

    /// Queries a responder; a missing answer is handled by the failure mode.
    public func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
        do throws(HTTPTransportError) {
            return .response(try await transport.post(request, to: uri))
        } catch {
            return failureMode == .hard ? .terminalError(error) : .nonTerminalError(error)
        }
    }
}
