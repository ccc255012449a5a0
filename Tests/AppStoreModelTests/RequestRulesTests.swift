import AppStoreModel
import Testing

@Suite struct `A request's rules` {
    private static let uuid = "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"

    private func field(_ check: () throws(ModelError) -> Void) -> String? {
        do {
            try check()
            return nil
        } catch {
            #expect(error.code == .ruleBroken)
            #expect(error.message.hasSuffix("."))
            return error.path
        }
    }

    @Test(arguments: [
        ("0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e", true), ("0F2E6F0A-2D7E-4D0B-8A11-6A4B6A0F9C3E", true), ("", false),
        ("0f2e6f0a2d7e4d0b8a116a4b6a0f9c3e", false), ("0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3", false),
        ("0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3ee", false), ("0g2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e", false),
        ("{f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3}", false), ("é2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e", false),
        ("-0f2e6f0a2d7e-4d0b-8a11-6a4b6a0f9c3e", false),
    ])
    func `the rules require a UUID where Apple does`(token: String, isAllowed: Bool) {
        #expect(
            field(UpdateAppAccountTokenRequest(appAccountToken: token).validate)
                == (isAllowed ? nil : "appAccountToken")
        )
    }

    @Test(
        arguments: [
            (1, 0, 1, nil), (90, 3, 128, nil), (0, 1, 1, "extendByDays"), (91, 1, 1, "extendByDays"),
            (.min, 1, 1, "extendByDays"), (1, 4, 1, "extendReasonCode"), (1, -1, 1, "extendReasonCode"),
            (1, 1, 0, "requestIdentifier"), (1, 1, 129, "requestIdentifier"),
        ] as [(Int32, Int32, Int, String?)]
    )
    func `the rules limit an extension`(days: Int32, reason: Int32, length: Int, expected: String?) {
        let identifier = String(repeating: "é", count: length)
        let one = ExtendRenewalDateRequest(
            extendByDays: days,
            extendReasonCode: ExtendReasonCode(rawValue: reason),
            requestIdentifier: identifier
        )
        let many = MassExtendRenewalDateRequest(
            requestIdentifier: Self.uuid,
            extendByDays: days,
            extendReasonCode: ExtendReasonCode(rawValue: reason),
            productId: "pro.monthly"
        )
        #expect(field(one.validate) == expected)
        #expect(field(many.validate) == (expected == "requestIdentifier" ? nil : expected))
    }

    @Test(arguments: [
        (uuid, true), (uuid.uppercased(), true), ("", false), ("outage-1", false),
        ("xc_a8621abb04936fbd712943dd-1", false),
    ])
    func `the rules require a UUID for an extension of all subscribers`(identifier: String, isAllowed: Bool) {
        let request = MassExtendRenewalDateRequest(
            requestIdentifier: identifier,
            extendByDays: 1,
            extendReasonCode: .other,
            productId: "pro.monthly"
        )
        #expect(field(request.validate) == (isAllowed ? nil : "requestIdentifier"))
    }

    @Test(
        arguments: [
            (nil, nil), (["USA", "JPN"], nil), ([], "storefrontCountryCodes"),
            (["USA", "usa"], "storefrontCountryCodes[1]"), (["US"], "storefrontCountryCodes[0]"),
            (["USAA"], "storefrontCountryCodes[0]"), (["USÄ"], "storefrontCountryCodes[0]"),
        ] as [([String]?, String?)]
    )
    func `the rules require storefronts or no list`(codes: [String]?, expected: String?) {
        let request = MassExtendRenewalDateRequest(
            requestIdentifier: Self.uuid,
            extendByDays: 1,
            extendReasonCode: .other,
            productId: "pro.monthly",
            storefrontCountryCodes: codes
        )
        #expect(field(request.validate) == expected)
    }

    @Test func `the rules require a product`() {
        let request = MassExtendRenewalDateRequest(
            requestIdentifier: Self.uuid,
            extendByDays: 1,
            extendReasonCode: .other,
            productId: ""
        )
        #expect(field(request.validate) == "productId")
    }

    @Test func `the rules allow one filter of a history, and a start before the end`() {
        var request = NotificationHistoryRequest(startDate: 1, endDate: 2)
        #expect(field(request.validate) == nil)
        request.notificationSubtype = .upgrade
        #expect(field(request.validate) == "notificationSubtype")
        request.notificationType = .didChangeRenewalPref
        #expect(field(request.validate) == nil)
        request.transactionId = "1"
        #expect(field(request.validate) == "notificationType")
        request.transactionId = nil
        request.originalTransactionId = "1"
        #expect(field(request.validate) == "notificationType")
        request.startDate = 2
        #expect(field(request.validate) == "endDate")
    }

    @Test(
        arguments: [
            (true, "DELIVERED", nil, nil, nil), (false, "DELIVERED", nil, nil, "customerConsented"),
            (true, "DELIVERED", 100_000, nil, nil), (true, "DELIVERED", 100_001, nil, "consumptionPercentage"),
            (true, "DELIVERED", -1, nil, "consumptionPercentage"), (true, "UNDELIVERED_OTHER", 0, nil, nil),
            (true, "UNDELIVERED_OTHER", 1, nil, "consumptionPercentage"),
            (true, "DELIVERED", 0, "GRANT_PRORATED", "consumptionPercentage"),
            (true, "DELIVERED", 100_000, "GRANT_PRORATED", "consumptionPercentage"),
            (true, "DELIVERED", 99_999, "GRANT_PRORATED", nil), (true, "DELIVERED", nil, "GRANT_PRORATED", nil),
        ] as [(Bool, String, Int32?, String?, String?)]
    )
    func `the rules require consistent consumption information`(
        hasConsented: Bool,
        delivery: String,
        percentage: Int32?,
        preference: String?,
        expected: String?
    ) {
        let request = ConsumptionRequest(
            customerConsented: hasConsented,
            deliveryStatus: DeliveryStatus(rawValue: delivery),
            sampleContentProvided: false,
            consumptionPercentage: percentage,
            refundPreference: preference.map(RefundPreference.init(rawValue:))
        )
        #expect(field(request.validate) == expected)
    }

    @Test func `the rules allow an empty token in version 1 of consumption information`() throws {
        var request = try ConsumptionRequestV1(jsonBytes: Array(PurchaseFields.consumptionV1.utf8))
        #expect(field(request.validate) == nil)
        request.appAccountToken = ""
        #expect(field(request.validate) == nil)
        request.appAccountToken = "x"
        #expect(field(request.validate) == "appAccountToken")
        request.customerConsented = false
        #expect(field(request.validate) == "customerConsented")
    }
}
