public import AppStoreModel

/// Why a real-time request is made.
public enum RealtimePurpose: String, Hashable, Sendable, CaseIterable, Codable {
    /// A customer looks at the page where a subscription is cancelled.
    case cancelPage = "cancel_page"
    /// A performance test of the developer's URL.
    case performanceTest = "performance_test"
}

/// A real-time request that is to be posted to the developer's URL, once.
public struct RealtimeCall: Hashable, Sendable {
    /// Where it goes.
    public let url: String
    /// What is asked.
    public let request: DecodedRealtimeRequestBody
    /// The same, signed.
    public let signedPayload: String
    /// How long the whole answer may take, in milliseconds of real time.
    public let deadlineMilliseconds: Int64
    /// What goes wrong on the way.
    public let fault: DeliveryFault?

    /// The body to post.
    public var body: [UInt8] { RealtimeRequestBody(signedPayload: signedPayload).jsonBytes }
}

/// What came of a real-time request.
public struct RealtimeAnswer: Hashable, Sendable {
    /// In Apple's words; `SUCCESS` for an answer with status 200 in time.
    public let result: SendAttemptResult
    /// The status of the answer, where there was one.
    public let httpStatus: Int?
    /// The body of an answer with status 200.
    public let body: [UInt8]
    /// How long it took, in milliseconds of real time.
    public let milliseconds: Int64

    /// The only status that counts.
    private static let statusOK = 200

    /// An answer that came in time.
    public init(httpStatus: Int, body: [UInt8], milliseconds: Int64) {
        let isOK = httpStatus == Self.statusOK
        result = isOK ? .success : .unsuccessfulHTTPResponseCode
        self.httpStatus = httpStatus
        self.body = isOK ? body : []
        self.milliseconds = milliseconds
    }

    /// No answer that can be read.
    public init(failure: SendAttemptResult, milliseconds: Int64) {
        result = failure
        httpStatus = nil
        body = []
        self.milliseconds = milliseconds
    }
}

extension LocalAppStore {
    /// Signs a real-time request about a subscription, and decides what goes wrong with it.
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
