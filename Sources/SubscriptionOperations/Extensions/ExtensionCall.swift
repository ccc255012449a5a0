import AppStoreClient
import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

/// Asks Apple to extend one subscription, and says what that did.
struct ExtensionCall: Sendable {
    /// The effect of a call.
    enum Outcome: Sendable {
        /// Apple extended the period to this end.
        case extended(Timestamp?)
        /// Apple refused it.
        case refused(OperationError)
        /// Apple did not get the request, or did not process it. It can be sent again.
        case notSent(OperationError)
        /// Apple could not find this subscription at the moment, and asks to try again.
        case postponed(OperationError)
        /// It is not known what Apple did.
        case inDoubt

        /// Whether the call, which is made once, surely did nothing.
        var isWithoutEffect: Bool {
            switch self {
            case .refused, .notSent, .postponed: true
            case .extended, .inDoubt: false
            }
        }
    }

    private let access: AppStoreAccess
    private let lookups: AppStoreLookups

    /// - Parameter limits: How many calls of an app are made at a time, and how long one may take.
    init(access: AppStoreAccess, limits: AppStoreLimits) {
        self.access = access
        lookups = AppStoreLookups(limits)
    }

    /// The client of the app's calls.
    ///
    /// - Throws: ``OperationError`` `app_store_api_not_configured`.
    func api(of app: AppID) throws(OperationError) -> AppStoreServerAPIClient.App { try access.entry(of: app).api }

    /// Makes the call once.
    func make(
        _ request: Extending.Request,
        of purchase: OriginalTransactionID,
        app: AppID,
        by api: AppStoreServerAPIClient.App
    ) async -> Outcome {
        let request = ExtendRenewalDateRequest(
            extendByDays: Int32(request.days),
            extendReasonCode: ExtendReasonCode(request.reason),
            requestIdentifier: request.id.rawValue
        )
        do throws(OperationError) {
            return try await lookups.run(for: app) { () throws(OperationError) in
                do throws(AppStoreClientError) {
                    let answer = try await api.extendSubscriptionRenewalDate(
                        originalTransactionId: purchase.rawValue,
                        request
                    )
                    guard answer.value.success else { return .refused(.extensionNotMade) }
                    return .extended(answer.value.effectiveDate.map { Timestamp(milliseconds: $0) })
                } catch {
                    return Outcome(error)
                }
            }
        } catch {
            // Only a full queue shows that nothing was sent; after the deadline the call may have had an effect.
            return error == .appStoreBusy ? .notSent(error) : .inDoubt
        }
    }
}

extension ExtensionCall.Outcome {
    fileprivate init(_ error: AppStoreClientError) {
        if error.mayHaveTakenEffect {
            self = .inDoubt
        } else if let refusal = OperationError(refusedExtension: error) {
            self = .refused(refusal)
        } else {
            let failure = OperationError(error, parameter: "id")
            self = error.isAboutOneSubscription ? .postponed(failure) : .notSent(failure)
        }
    }
}

extension AppStoreClientError {
    /// Whether Apple asks to try again because of one subscription, so that others need not wait.
    ///
    /// - Source: App Store Server API, AccountNotFoundRetryableError and OriginalTransactionIdNotFoundRetryableError.
    fileprivate var isAboutOneSubscription: Bool {
        let errors = [AppStoreServerAPIError.accountNotFoundRetryable, .originalTransactionIdNotFoundRetryable]
        return errors.contains { $0.code == apiError?.code }
    }
}

extension ExtendReasonCode {
    /// Apple's code of a reason.
    init(_ reason: RenewalExtension.Reason) {
        switch reason {
        case .undeclared: self = .undeclared
        case .satisfaction: self = .customerSatisfaction
        case .other: self = .other
        case .outage: self = .serviceIssueOrOutage
        }
    }
}

extension OperationError {
    /// Apple's refusal of an extension for good; nil for other errors.
    fileprivate init?(refusedExtension error: AppStoreClientError) {
        switch error.apiError?.code {
        case AppStoreServerAPIError.subscriptionMaxExtension.code: self = .extensionLimitReached
        case AppStoreServerAPIError.familySharedSubscriptionExtensionIneligible.code:
            self = OperationError(.familyShared)
        case AppStoreServerAPIError.assignedSubscriptionExtensionIneligible.code: self = OperationError(.assigned)
        case AppStoreServerAPIError.subscriptionExtensionIneligible.code: self = .extensionIneligible
        default:
            guard error.code == .refused && !error.isRetryable || error.code == .transactionNotFound else { return nil }
            self.init(error, parameter: "id")
        }
    }

    fileprivate static let extensionIneligible = OperationError(
        "extension_ineligible",
        "Apple does not extend this subscription: it is not active, or its period is free. Refresh the customer to "
            + "see the state that Apple has.",
        kind: .conflict
    )

    fileprivate static let extensionLimitReached = OperationError(
        "extension_limit_reached",
        "Apple says that it was extended 2 times within 365 days already. Extensions that this server does not know "
            + "may count, for example those of another subscription of the customer. To give access, give a grant.",
        kind: .conflict
    )

    fileprivate static let extensionNotMade = OperationError(
        "extension_not_made",
        "Apple answered that it did not extend the subscription, without a reason. Ask again with another "
            + "Idempotency-Key.",
        kind: .conflict
    )
}
