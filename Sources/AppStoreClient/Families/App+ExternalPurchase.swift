public import AppStoreModel

// The calls of the External Purchase Server API.
extension AppStoreServerAPIClient.App {
    /// Reports the use of a token for purchases outside the App Store; sandbox tokens must be reported to the sandbox.
    ///
    /// A refused report is not stored: correct it and send all of it again under the same `requestIdentifier`. The
    /// error's body is a `SendReportErrorResponse`: `try error.body(as: SendReportErrorResponse.self)`. It is not
    /// retried if the first attempt may have been received; check with
    /// ``retrieveExternalPurchaseReport(requestIdentifier:)``.
    ///
    /// - Parameter request: The report.
    /// - Rate limit: Apple publishes no limit.
    /// - Throws: `refused` with all errors in the body; and what every call throws.
    /// - Source: External Purchase Server API, Send External Purchase Report.
    public func sendExternalPurchaseReport(
        _ request: ExternalPurchaseReport
    ) async throws(AppStoreClientError) -> AppStoreAnswer<SendReportSuccessResponse> {
        try await call(.sendExternalPurchaseReport, body: request)
    }

    /// Gets a report that was sent.
    ///
    /// - Parameter requestIdentifier: The report.
    /// - Rate limit: Apple publishes no limit.
    /// - Throws: `refused`, with HTTP status 400 also for a report that does not exist; and what every call throws.
    /// - Source: External Purchase Server API, Retrieve External Purchase Report.
    public func retrieveExternalPurchaseReport(
        requestIdentifier: String
    ) async throws(AppStoreClientError) -> AppStoreAnswer<RetrieveReportSuccessResponse> {
        try await call(.retrieveExternalPurchaseReport, path: ["requestIdentifier": requestIdentifier])
    }
}
