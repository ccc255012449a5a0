/// One call of Apple's server APIs: what is fixed about it, apart from the identifiers and values of a single request.
///
/// The methods of ``AppStoreServerAPIClient/App`` and tools that take a call by its name use this one table, ``all``.
///
/// - Source: App Store Server API, Retention Messaging API, External Purchase Server API, Advanced Commerce API.
public struct AppStoreServerCall: Hashable, Sendable {
    /// Which of Apple's APIs, or which part of one, a call belongs to.
    public enum Family: String, Hashable, Sendable, CaseIterable {
        /// Transactions, subscriptions, refunds, groups.
        case purchases
        /// Extensions of renewal dates.
        case extensions
        /// Notification history and tests.
        case notifications
        /// Retention Messaging.
        case retentionMessaging = "retention-messaging"
        /// External Purchase Server API.
        case externalPurchase = "external-purchase"
        /// Advanced Commerce API.
        case advancedCommerce = "advanced-commerce"
    }

    /// Where Apple serves a call.
    public enum Availability: String, Hashable, Sendable, CaseIterable {
        /// In production and in sandbox.
        case everywhere
        /// In production only.
        case productionOnly = "production-only"
        /// In sandbox only.
        case sandboxOnly = "sandbox-only"
    }

    /// What a call sends.
    public enum Body: String, Hashable, Sendable, CaseIterable {
        /// Nothing.
        case none
        /// A JSON object.
        case json
        /// A PNG image.
        case png

        /// The media type, nil for no body.
        public var contentType: String? {
            switch self {
            case .none: nil
            case .json: "application/json"
            case .png: "image/png"
            }
        }
    }

    /// The name on command lines, in kebab case: `get-transaction-info`.
    public let name: String

    /// Apple's title of the call: `Get Transaction Info`.
    public let title: String

    /// The part of the APIs it belongs to.
    public let family: Family

    /// The HTTP method, in capitals.
    public let method: String

    /// The path, with the names of its parameters in braces: `/inApps/v1/transactions/{transactionId}`.
    public let path: String

    /// The names of the query parameters it knows.
    public let queryParameters: [String]

    /// What it sends.
    public let body: Body

    /// The type of a JSON body and of the answer, by Apple's names; nil where there is none.
    public let types: Types

    /// Apple's limit in production, in calls per second; sandbox allows a tenth. nil where Apple publishes none.
    public let productionCallsPerSecond: Int?

    /// Where Apple serves it.
    public let availability: Availability

    /// Whether sending it twice has the effect of sending it once, so that the client may repeat it when it cannot know
    /// whether the first was received.
    ///
    /// Reads, and writes that set a state to what it is already. Not: what Apple answers with an error when repeated
    /// (uploads, deletions, Advanced Commerce, external purchase reports), what acts once more (test notifications,
    /// performance tests), and the extension of a single renewal date, since an extension can neither be taken back nor
    /// does Apple say that its request identifier makes it happen once.
    public let isRepeatable: Bool

    /// The types of a call's bodies, by Apple's names.
    public struct Types: Hashable, Sendable {
        /// The type of the JSON body that is sent.
        public let request: String?
        /// The type of the answer.
        public let answer: String?

        init(request: String? = nil, answer: String? = nil) {
            self.request = request
            self.answer = answer
        }
    }

    /// The names of the path's parameters, in their order.
    public var pathParameters: [String] {
        path.split(separator: "/").filter(Self.isParameter).map { String($0.dropFirst().dropLast()) }
    }

    /// The query parameter that leads to the next page; nil for calls without pages. The value is in the answer under
    /// the same name.
    public var pageParameter: String? { Self.pageParameters.first(where: queryParameters.contains) }

    static let pageParameters = ["revision", "paginationToken"]

    /// The call of that name; nil when there is none.
    public static func named(_ name: String) -> AppStoreServerCall? {
        all.first { $0.name == name }
    }

    /// Every call, by family.
    public static let all: [AppStoreServerCall] =
        purchases + extensions + notifications + retentionMessaging + externalPurchase + advancedCommerce

    /// The path with the parameters' values, percent-encoded.
    ///
    /// - Throws: The name of a parameter whose value is missing or empty, or cannot be one segment of a path.
    func path(with values: [String: String]) throws(InvalidParameter) -> String {
        var result = ""
        for segment in path.split(separator: "/") {
            result += "/"
            guard Self.isParameter(segment) else {
                result += segment
                continue
            }
            let name = String(segment.dropFirst().dropLast())
            guard let value = values[name], !value.isEmpty, value != ".", value != "..", value.utf8.count <= 1024 else {
                throw InvalidParameter(name: name)
            }
            result += PercentEncoding.encode(value)
        }
        return result
    }

    /// The name of a path parameter whose value cannot be used.
    struct InvalidParameter: Error {
        let name: String
    }

    private static func isParameter(_ segment: Substring) -> Bool {
        segment.hasPrefix("{") && segment.hasSuffix("}")
    }
}

extension AppStoreServerCall: CustomStringConvertible {
    /// Method and path template.
    public var description: String { "\(method) \(path)" }
}
