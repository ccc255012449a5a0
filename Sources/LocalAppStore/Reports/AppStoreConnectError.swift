public import AppStoreModel

/// Why App Store Connect refuses a call.
///
/// - Source: App Store Connect API, ErrorResponse.
public struct AppStoreConnectError: Error, Hashable, Sendable {
    /// The HTTP status of the answer.
    public let status: Int
    /// The error code, for programs.
    public let code: String
    /// The general problem, equal for every error of the code.
    public let title: String
    /// The problem in this call.
    public let detail: String
    /// The invalid query parameter.
    public let parameter: String?

    /// The token is missing or invalid.
    public static let notAuthorized = AppStoreConnectError(
        status: 401,
        code: "NOT_AUTHORIZED",
        title: "Authentication credentials are missing or invalid.",
        detail: "Provide a properly configured and signed bearer token, and make sure that it has not expired.",
        parameter: nil
    )

    /// The day has no data.
    static let noSales = notFound("There were no sales for the date specified.")

    /// The day has not ended.
    static let notAvailableYet = notFound(
        """
        Report is not available yet. Daily reports for the Americas are available by 5 am Pacific Time; Japan, \
        Australia, and New Zealand by 5 am Japan Standard Time; and 5 am Central European Time for all other \
        territories.
        """
    )

    /// The day is too old.
    static let notKept = notFound("Daily reports are only available for past 365 days.")

    static func missingParameter(_ name: String) -> AppStoreConnectError {
        AppStoreConnectError(
            status: 400,
            code: "PARAMETER_ERROR.REQUIRED",
            title: "A required parameter is missing",
            detail: "The parameter '\(name)' is required but was not provided",
            parameter: name
        )
    }

    static func illegalParameter(_ name: String) -> AppStoreConnectError {
        AppStoreConnectError(
            status: 400,
            code: "PARAMETER_ERROR.ILLEGAL",
            title: "A parameter is not allowed",
            detail: "The parameter '\(name)' can not be used with this request",
            parameter: name
        )
    }

    static func invalid(_ name: String, _ value: String) -> AppStoreConnectError {
        invalid(name, detail: "'\(value)' is not a valid value for the parameter '\(name)'")
    }

    static func invalidVersion(latest: String) -> AppStoreConnectError {
        invalid(
            "filter[version]",
            detail:
                "The version parameter you have specified is invalid. The latest version for this report is \(latest)."
        )
    }

    private static func invalid(_ name: String, detail: String) -> AppStoreConnectError {
        AppStoreConnectError(
            status: 400,
            code: "PARAMETER_ERROR.INVALID",
            title: "A parameter has an invalid value",
            detail: detail,
            parameter: name
        )
    }

    private static func notFound(_ detail: String) -> AppStoreConnectError {
        AppStoreConnectError(
            status: 404,
            code: "NOT_FOUND",
            title: "The specified resource does not exist",
            detail: detail,
            parameter: nil
        )
    }

    /// The body of the answer.
    ///
    /// - Parameter id: The identifier of the answer.
    public func json(id: String) -> JSONObject {
        var error: JSONObject = [
            "id": .string(id), "status": .string(String(status)), "code": .string(code), "title": .string(title),
            "detail": .string(detail),
        ]
        if let parameter { error["source"] = ["parameter": .string(parameter)] }
        return ["errors": [.object(error)]]
    }
}
