import AppStoreClient
import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

/// Sends consumption information to Apple.
struct ConsumptionCall: Sendable {
    /// The effect of a call.
    enum Outcome: Sendable {
        /// Apple has it, by this version of the call.
        case sent(version: Int)
        /// Apple refused it for good.
        case refused(OperationError)
        /// Apple may not have it. A second call replaces the first one, so it can be made again.
        case failed(OperationError)
    }

    private let access: AppStoreAccess
    private let lookups: AppStoreLookups

    init(access: AppStoreAccess) {
        self.access = access
        lookups = AppStoreLookups(access.limits)
    }

    /// Makes the call.
    ///
    /// - Parameters:
    ///   - version: 2 or 1. Version 1 is used too where Apple asks for it.
    ///   - accountToken: The token that the developer gave the customer, if any.
    func send(
        _ content: ConsumptionDecision.Content,
        about request: RefundRequest,
        facts: ConsumptionFacts,
        accountToken: String?,
        version: Int,
        app: AppID
    ) async -> Outcome {
        do throws(OperationError) {
            let api = try access.entry(of: app).api
            let older = ConsumptionRequestV1(content, facts: facts, accountToken: accountToken)
            return try await lookups.run(for: app) { () throws(OperationError) in
                do throws(AppStoreClientError) {
                    if version == 2 {
                        do throws(AppStoreClientError) {
                            let body = ConsumptionRequest(content)
                            try await api.sendConsumptionInformation(
                                transactionId: request.transactionID.rawValue,
                                body
                            )
                            return .sent(version: 2)
                        } catch  where error.wantsVersion1 {
                            // The purchase is one of the Advanced Commerce API.
                        }
                    }
                    try await api.sendConsumptionInformationV1(
                        transactionId: request.transactionID.rawValue,
                        older
                    )
                    return .sent(version: 1)
                } catch {
                    let failure = OperationError(error, parameter: "id")
                    return failure.isAnswer ? .refused(failure) : .failed(failure)
                }
            }
        } catch {
            return .failed(error)
        }
    }
}

extension AppStoreClientError {
    /// Apple publishes the name of the error for purchases of the Advanced Commerce API, but not its number. So version
    /// 1 is tried once after any refusal without a published number of its own.
    fileprivate var wantsVersion1: Bool {
        guard code == .refused, let error = apiError else { return false }
        return error.code == AppStoreServerAPIError.generalBadRequest.code
            || !AppStoreServerAPIError.all.contains { $0.code == error.code }
    }
}

extension ConsumptionRequest {
    /// The body of the call.
    fileprivate init(_ content: ConsumptionDecision.Content) {
        self.init(
            customerConsented: true,
            deliveryStatus: DeliveryStatus(rawValue: content.delivery.rawValue.uppercased()),
            sampleContentProvided: content.sampleProvided,
            consumptionPercentage: content.percentage.map { Int32(clamping: $0) },
            refundPreference: content.preference.map { RefundPreference(rawValue: $0.rawValue.uppercased()) }
        )
    }
}

extension ConsumptionRequestV1 {
    /// The body of the older call. What the server does not know is undeclared.
    init(_ content: ConsumptionDecision.Content, facts: ConsumptionFacts, accountToken: String?) {
        self.init(
            customerConsented: true,
            consumptionStatus: ConsumptionStatus(content.percentage),
            platform: .undeclared,
            sampleContentProvided: content.sampleProvided,
            deliveryStatus: DeliveryStatusV1(content.delivery),
            appAccountToken: accountToken ?? "",
            accountTenure: AccountTenure(
                milliseconds: facts.accountCreatedAt.map { facts.requestedAt.milliseconds - $0.milliseconds }
            ),
            playTime: .undeclared,
            lifetimeDollarsRefunded: LifetimeDollarsRefunded(rawValue: facts.spending.refunded.dollarBand),
            // The customer paid for this purchase at least, so nothing means that no price is known.
            lifetimeDollarsPurchased: LifetimeDollarsPurchased(
                rawValue: facts.spending.paid.isEmpty ? 0 : facts.spending.paid.dollarBand
            ),
            userStatus: .undeclared,
            refundPreference: RefundPreferenceV1(content.preference)
        )
    }
}

extension ConsumptionStatus {
    fileprivate init(_ percentage: Int?) {
        switch percentage {
        case nil: self = .undeclared
        case 0?: self = .notConsumed
        case ConsumptionFacts.percentageMax?: self = .fullyConsumed
        default: self = .partiallyConsumed
        }
    }
}

extension DeliveryStatusV1 {
    fileprivate init(_ delivery: ConsumptionFacts.Delivery) {
        switch delivery {
        case .delivered: self = .deliveredAndWorking
        case .undeliveredQualityIssue: self = .qualityIssue
        case .undeliveredWrongItem: self = .wrongItem
        case .undeliveredServerOutage: self = .serverOutage
        case .undeliveredOther: self = .other
        }
    }
}

extension RefundPreferenceV1 {
    fileprivate init(_ answer: ConsumptionPolicy.Answer?) {
        switch answer {
        case .decline: self = .preferDecline
        // The older call knows no part of a refund.
        case .grantFull, .grantProrated: self = .preferGrant
        case .noPreference, .noAnswer, nil: self = .noPreference
        }
    }
}

extension AccountTenure {
    fileprivate init(milliseconds: Int64?) {
        guard let milliseconds else {
            self = .undeclared
            return
        }
        switch milliseconds / 86_400_000 {
        case ..<3: self = .upTo3Days
        case ..<10: self = .days3To10
        case ..<30: self = .days10To30
        case ..<90: self = .days30To90
        case ..<180: self = .days90To180
        case ..<365: self = .days180To365
        default: self = .over365Days
        }
    }
}

extension [String: Int] {
    /// Apple's band of an amount in US dollars: 1 for nothing, 7 for 2,000 and more. 0, undeclared, if something was
    /// paid in another currency, because the server knows no exchange rates.
    fileprivate var dollarBand: Int32 {
        guard keys.allSatisfy({ $0 == "USD" }) else { return 0 }
        let bounds = [10, 50_000, 100_000, 500_000, 1_000_000, 2_000_000]
        return 1 + Int32(bounds.count { self["USD"] ?? 0 >= $0 })
    }
}
