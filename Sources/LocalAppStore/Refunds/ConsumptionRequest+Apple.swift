public import AppStoreModel

extension ConsumptionRequest {
    /// Reads the body of Send Consumption Information.
    ///
    /// - Throws: Apple's error for the invalid field.
    public init(appleBody json: JSONObject) throws(AppStoreServerAPIError) {
        try self.init(
            appleBody: json,
            orThrow: { fault in
                switch fault.field {
                case "customerConsented": .invalidCustomerConsented
                case "deliveryStatus": .invalidDeliveryStatus
                case "sampleContentProvided": .invalidSampleContentProvided
                case "consumptionPercentage": .consumptionPercentageOutOfRange
                case "refundPreference": .invalidRefundPreference
                default: .generalBadRequest
                }
            }
        )
    }

    /// Checks the values, in the order of the fields.
    func checkAsApple(isSubscription: Bool) throws(AppStoreServerAPIError) {
        guard customerConsented else { throw .invalidCustomerConsented }
        guard deliveryStatus.isDocumented else { throw .invalidDeliveryStatus }
        if let consumptionPercentage {
            guard !isSubscription else { throw .consumptionPercentageAutoRenewableSubscription }
            guard (0...Self.consumptionPercentageMax).contains(consumptionPercentage) else {
                throw .consumptionPercentageOutOfRange
            }
            guard consumptionPercentage == 0 || deliveryStatus == .delivered else {
                throw .undeliveredConsumptionPercentageNonZero
            }
        }
        guard let refundPreference else { return }
        guard refundPreference.isDocumented else { throw .invalidRefundPreference }
        if refundPreference == .grantProrated, !isSubscription {
            let percentage = consumptionPercentage ?? 0
            guard (1..<Self.consumptionPercentageMax).contains(percentage) else { throw .invalidRefundPreference }
        }
    }
}

extension AppStoreServerAPIError {
    // Apple names these errors without their numbers. The store returns the general number, so that nobody relies on an
    // invented one; the message has Apple's name.

    static let consumptionPercentageOutOfRange = unpublished("ConsumptionPercentageOutOfRange")
    static let advancedCommerceTransactionNotSupported = unpublished("AdvancedCommerceTransactionNotSupported")
    static let currentSKULengthExceeded = unpublished("CurrentSKULengthExceeded")
    static let undeliveredConsumptionPercentageNonZero = unpublished("UndeliveredConsumptionPercentageNonZero")

    private static func unpublished(_ name: String) -> AppStoreServerAPIError {
        let meaning = unnumbered.first { $0.name == name }?.meaning ?? ""
        return AppStoreServerAPIError(code: generalBadRequest.code, message: "\(name)Error: \(meaning)")
    }
}

extension ConsumptionRequestV1 {
    /// Reads the body of Send Consumption Information V1.
    ///
    /// - Throws: Apple's error for the invalid field.
    public init(appleBody json: JSONObject) throws(AppStoreServerAPIError) {
        try self.init(appleBody: json, orThrow: { Self.error(of: $0.field) })
    }

    /// Checks the values, in the order of the fields.
    func checkAsApple() throws(AppStoreServerAPIError) {
        do throws(ModelError) { try validate() } catch { throw Self.error(of: error.field) }
        let fields = [
            ("consumptionStatus", consumptionStatus.isDocumented), ("platform", platform.isDocumented),
            ("deliveryStatus", deliveryStatus.isDocumented), ("accountTenure", accountTenure.isDocumented),
            ("playTime", playTime.isDocumented), ("lifetimeDollarsRefunded", lifetimeDollarsRefunded.isDocumented),
            ("lifetimeDollarsPurchased", lifetimeDollarsPurchased.isDocumented),
            ("userStatus", userStatus.isDocumented), ("refundPreference", refundPreference?.isDocumented ?? true),
        ]
        if let wrong = fields.first(where: { !$0.1 }) { throw Self.error(of: wrong.0) }
    }

    private static func error(of field: String) -> AppStoreServerAPIError {
        switch field {
        case "customerConsented": .invalidCustomerConsented
        case "consumptionStatus": .invalidConsumptionStatus
        case "platform": .invalidPlatform
        case "sampleContentProvided": .invalidSampleContentProvided
        case "deliveryStatus": .invalidDeliveryStatus
        case "appAccountToken": .invalidAppAccountToken
        case "accountTenure": .invalidAccountTenure
        case "playTime": .invalidPlayTime
        case "lifetimeDollarsRefunded": .invalidLifetimeDollarsRefunded
        case "lifetimeDollarsPurchased": .invalidLifetimeDollarsPurchased
        case "userStatus": .invalidUserStatus
        case "refundPreference": .invalidRefundPreference
        default: .generalBadRequest
        }
    }
}
