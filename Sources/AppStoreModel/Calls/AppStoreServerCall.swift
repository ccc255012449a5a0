/// The static description of one call of Apple's server APIs, without the identifiers and values of a request.
///
/// Clients, servers of these calls, and tools that select a call by name, use this one table, ``all``.
///
/// - Source: App Store Server API, Retention Messaging API, External Purchase Server API, Advanced Commerce API.
public struct AppStoreServerCall: Hashable, Sendable {
    /// The API, or the part of an API, of a call.
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

    /// The environments in which Apple offers a call.
    public enum Availability: String, Hashable, Sendable, CaseIterable {
        /// In production and in sandbox.
        case everywhere
        /// In production only.
        case productionOnly = "production-only"
        /// In sandbox only.
        case sandboxOnly = "sandbox-only"
    }

    /// The body of a call.
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

    /// Identifies the call.
    public let identifier: Identifier

    /// The name on command lines, in kebab case: `get-transaction-info`.
    public let name: String

    /// Apple's title of the call: `Get Transaction Info`.
    public let title: String

    /// The part of the APIs.
    public let family: Family

    /// The HTTP method, in capitals.
    public let method: String

    /// The path, with the names of its parameters in braces: `/inApps/v1/transactions/{transactionId}`.
    public let path: String

    /// The names of the query parameters.
    public let queryParameters: [String]

    /// The body.
    public let body: Body

    /// The types of the JSON body and of the answer, by Apple's names; nil if there is none.
    public let types: Types

    /// Apple's limit in production, in calls per second; the sandbox allows a tenth. nil if Apple publishes none.
    public let productionCallsPerSecond: Int?

    /// The environments in which Apple offers it.
    public let availability: Availability

    /// Whether the call is idempotent, so that the client may repeat it when it is unknown whether the first one was
    /// received.
    ///
    /// True for reads, and for writes that set a state. False for calls that Apple refuses when repeated (uploads,
    /// deletions, Advanced Commerce, external purchase reports). False for calls that act again (test notifications,
    /// performance tests). False for the extension of a single renewal date: it cannot be reversed, and Apple does not
    /// document its request identifier as an idempotency key.
    public let isRepeatable: Bool

    /// The types of a call's bodies, by Apple's names.
    public struct Types: Hashable, Sendable {
        /// The type of the JSON request body.
        public let request: String?
        /// The type of the answer.
        public let answer: String?

        init(request: String? = nil, answer: String? = nil) {
            self.request = request
            self.answer = answer
        }
    }

    /// The names of the path's parameters, in order.
    public var pathParameters: [String] {
        path.split(separator: "/").filter(Self.isParameter).map { String($0.dropFirst().dropLast()) }
    }

    /// The query parameter for the next page; nil for calls without pages. The answer contains its value under the same
    /// name.
    public var pageParameter: String? { Self.pageParameters.first(where: queryParameters.contains) }

    package static let pageParameters = ["revision", "paginationToken"]

    /// The call with this name; nil if there is none.
    public static func named(_ name: String) -> AppStoreServerCall? {
        all.first { $0.name == name }
    }

    /// Every call, by family.
    public static let all: [AppStoreServerCall] =
        purchases + extensions + notifications + retentionMessaging + externalPurchase + advancedCommerce

    package static func isParameter(_ segment: Substring) -> Bool {
        segment.hasPrefix("{") && segment.hasSuffix("}")
    }
}

extension AppStoreServerCall: CustomStringConvertible {
    /// Method and path template.
    public var description: String { "\(method) \(path)" }
}
