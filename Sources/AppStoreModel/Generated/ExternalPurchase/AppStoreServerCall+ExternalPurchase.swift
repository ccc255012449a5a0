// Generated from Schema/external-purchase.toml; run `make generate` after a change there.
// swift-format-ignore-file

extension AppStoreServerCall {
    /// The calls of ``Family/externalPurchase``.
    public static let externalPurchase: [AppStoreServerCall] = [
        .sendExternalPurchaseReport, .retrieveExternalPurchaseReport,
    ]

    /// Send External Purchase Report.
    ///
    /// - Source: External Purchase Server API, Send External Purchase Report.
    public static let sendExternalPurchaseReport = AppStoreServerCall(
        identifier: .sendExternalPurchaseReport,
        name: "send-external-purchase-report",
        title: "Send External Purchase Report",
        family: .externalPurchase,
        method: "PUT",
        path: "/externalPurchase/v1/reports",
        queryParameters: [],
        body: .json,
        types: Types(request: "ExternalPurchaseReport", answer: "SendReportSuccessResponse"),
        productionCallsPerSecond: nil,
        availability: .everywhere,
        isRepeatable: false
    )

    /// Retrieve External Purchase Report.
    ///
    /// - Source: External Purchase Server API, Retrieve External Purchase Report.
    public static let retrieveExternalPurchaseReport = AppStoreServerCall(
        identifier: .retrieveExternalPurchaseReport,
        name: "retrieve-external-purchase-report",
        title: "Retrieve External Purchase Report",
        family: .externalPurchase,
        method: "GET",
        path: "/externalPurchase/v1/reports/{requestIdentifier}",
        queryParameters: [],
        body: .none,
        types: Types(answer: "RetrieveReportSuccessResponse"),
        productionCallsPerSecond: nil,
        availability: .everywhere,
        isRepeatable: true
    )
}
