/// The requested report.
public struct SalesReportQuery: Hashable, Sendable {
    /// The supported reports.
    public enum Report: String, Hashable, Sendable, CaseIterable {
        /// The number of subscriptions at the end of a day.
        case subscription = "SUBSCRIPTION"
        /// The events of subscriptions on a day.
        case subscriptionEvent = "SUBSCRIPTION_EVENT"
        /// The payments of subscribers on a day, one line per transaction.
        case subscriber = "SUBSCRIBER"
        /// The redemptions of offer codes on a day.
        case offerCodeRedemption = "SUBSCRIPTION_OFFER_CODE_REDEMPTION"

        /// The only subtype of the report.
        var subtype: String { self == .subscriber ? "DETAILED" : "SUMMARY" }

        /// The available versions, oldest first.
        var versions: [String] {
            switch self {
            case .subscription, .subscriptionEvent: ["1_3", "1_4"]
            case .subscriber: ["1_3"]
            case .offerCodeRedemption: ["1_0"]
            }
        }
    }

    /// The report.
    public var report: Report

    /// The column layout, for example `1_3`.
    public var version: String

    /// The day, in Pacific time; absent for the newest completed one.
    var day: PacificDay?

    /// Reads the query of a URL.
    ///
    /// - Throws: `PARAMETER_ERROR.REQUIRED`, `PARAMETER_ERROR.INVALID`, `PARAMETER_ERROR.ILLEGAL`.
    public init(parameters: [(name: String, value: String)]) throws(AppStoreConnectError) {
        var values: [String: String] = [:]
        for (name, value) in parameters {
            guard Self.names.contains(name) else { throw .illegalParameter(name) }
            values[name] = value
        }
        let type = try Self.required("filter[reportType]", values)
        guard let report = Report(rawValue: type) else { throw .invalid("filter[reportType]", type) }
        let subtype = try Self.required("filter[reportSubType]", values)
        guard subtype == report.subtype else { throw .invalid("filter[reportSubType]", subtype) }
        let frequency = try Self.required("filter[frequency]", values)
        guard frequency == "DAILY" else { throw .invalid("filter[frequency]", frequency) }
        let vendor = try Self.required("filter[vendorNumber]", values)
        guard !vendor.isEmpty, vendor.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw .invalid("filter[vendorNumber]", vendor)
        }
        self.report = report
        version = values["filter[version]"] ?? report.versions[0]
        guard report.versions.contains(version) else { throw .invalidVersion(latest: report.versions.last ?? version) }
        if let text = values["filter[reportDate]"] {
            guard let day = PacificDay(text) else { throw .invalid("filter[reportDate]", text) }
            self.day = day
        }
    }

    private static let names: Set<String> = [
        "filter[reportType]", "filter[reportSubType]", "filter[frequency]", "filter[reportDate]",
        "filter[vendorNumber]", "filter[version]",
    ]

    private static func required(
        _ name: String,
        _ values: [String: String]
    ) throws(AppStoreConnectError) -> String {
        guard let value = values[name] else { throw .missingParameter(name) }
        return value
    }
}
