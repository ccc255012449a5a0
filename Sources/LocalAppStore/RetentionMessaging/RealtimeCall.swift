public import AppStoreModel

/// The purpose of a realtime request.
public enum RealtimePurpose: String, Hashable, Sendable, CaseIterable, Codable {
    /// A customer opens the cancellation page of a subscription.
    case cancelPage = "cancel_page"
    /// A performance test of the developer's URL.
    case performanceTest = "performance_test"
}

/// A realtime request to post once to the developer's URL.
public struct RealtimeCall: Hashable, Sendable {
    /// The URL.
    public let url: String
    /// The request.
    public let request: DecodedRealtimeRequestBody
    /// The signed request.
    public let signedPayload: String
    /// The deadline of the whole answer, in milliseconds of real time.
    public let deadlineMilliseconds: Int64
    /// The injected fault.
    public let fault: DeliveryFault?

    /// The body to post.
    public var body: [UInt8] { RealtimeRequestBody(signedPayload: signedPayload).jsonBytes }
}

/// The result of a realtime request.
public struct RealtimeAnswer: Hashable, Sendable {
    /// Apple's name of the result; `SUCCESS` for an answer with status 200 in time.
    public let result: SendAttemptResult
    /// The HTTP status, if there was an answer.
    public let httpStatus: Int?
    /// The body of an answer with status 200.
    public let body: [UInt8]
    /// The response time, in milliseconds of real time.
    public let milliseconds: Int64

    /// The only successful status.
    private static let statusOK = 200

    /// An answer in time.
    public init(httpStatus: Int, body: [UInt8], milliseconds: Int64) {
        let isOK = httpStatus == Self.statusOK
        result = isOK ? .success : .unsuccessfulHTTPResponseCode
        self.httpStatus = httpStatus
        self.body = isOK ? body : []
        self.milliseconds = milliseconds
    }

    /// No readable answer.
    public init(failure: SendAttemptResult, milliseconds: Int64) {
        result = failure
        httpStatus = nil
        body = []
        self.milliseconds = milliseconds
    }
}

extension LocalAppStore {
    /// Signs a realtime request about a subscription, and selects its fault.
    ///
    /// - Throws: `signing_failed`.
    mutating func realtimeCall(
        about index: LedgerIndex<Subscription>,
        to url: String,
        locale: String,
        purpose: RealtimePurpose
    ) throws(StoreError) -> RealtimeCall {
        let request = DecodedRealtimeRequestBody(
            originalTransactionId: ledger[index].originalTransactionId,
            appAppleId: configuration.appAppleId,
            productId: ledger[index].productId,
            userLocale: locale,
            requestIdentifier: identifiers.nextUUID(),
            environment: configuration.environment,
            signedDate: now
        )
        return RealtimeCall(
            url: url,
            request: request,
            signedPayload: try sign(request.jsonBytes),
            deadlineMilliseconds: settings.realtimeDeadlineMilliseconds,
            fault: realtimeFault(for: purpose)
        )
    }
}
