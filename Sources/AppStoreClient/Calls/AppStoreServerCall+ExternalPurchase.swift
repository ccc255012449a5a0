extension AppStoreServerCall {
    /// The calls for reports of purchases outside the App Store.
    public static let externalPurchase: [AppStoreServerCall] = [
        sendExternalPurchaseReport, retrieveExternalPurchaseReport,
    ]

    /// Send External Purchase Report.
    ///
    /// - Source: External Purchase Server API, Send External Purchase Report.
    public static let sendExternalPurchaseReport = AppStoreServerCall(
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
