/// Carries a question about a certificate to the authority that issued it, and the answer back.
///
/// What is carried is an HTTP POST (RFC 6960, appendix A.1): body `request`, `Content-Type: application/ocsp-request`,
/// to a plain `http` address that stands in the certificate. The answer is signed, so the transport need not be
/// trusted.
public protocol OCSPTransport: Sendable {
    /// Posts a question.
    ///
    /// The caller cancels the task after ten seconds; the transport must end when it is cancelled.
    ///
    /// - Parameters:
    ///   - request: The body, DER.
    ///   - address: The URL that the certificate names.
    /// - Returns: The body of an answer with status 200.
    /// - Throws: Anything, when there is no such answer.
    func post(_ request: [UInt8], to address: String) async throws -> [UInt8]
}
