/// Sends an OCSP request to the authority that issued a certificate, and returns its answer.
///
/// The request is an HTTP POST (RFC 6960, appendix A.1) with the body `request` and `Content-Type:
/// application/ocsp-request`, to a plain `http` URL from the certificate. The answer is signed, so the transport need
/// not be trusted.
public protocol OCSPTransport: Sendable {
    /// Posts a request.
    ///
    /// The caller cancels the task after ten seconds; the transport must then end.
    ///
    /// - Parameters:
    ///   - request: The body, DER.
    ///   - address: The URL in the certificate.
    /// - Returns: The body of an answer with status 200.
    /// - Throws: Any error, if there is no such answer.
    func post(_ request: [UInt8], to address: String) async throws -> [UInt8]
}
