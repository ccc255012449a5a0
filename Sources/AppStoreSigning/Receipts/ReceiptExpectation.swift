public import AppStoreModel

/// The required content of a receipt, beside its signature.
public struct ReceiptExpectation: Hashable, Sendable {
    /// The app's bundle identifier; `nil` for any app.
    public var bundleId: String?

    /// The environment; `nil` for any.
    public var environment: AppStoreEnvironment?

    /// The device of the receipt: 16 bytes of `identifierForVendor`, or 6 bytes of the MAC address on macOS; `nil` for
    /// any device, because servers usually do not know it.
    public var deviceIdentifier: [UInt8]?

    /// Makes an expectation.
    public init(
        bundleId: String? = nil,
        environment: AppStoreEnvironment? = nil,
        deviceIdentifier: [UInt8]? = nil
    ) {
        self.bundleId = bundleId
        self.environment = environment
        self.deviceIdentifier = deviceIdentifier
    }

    /// Expects an app in its environment.
    public init(_ app: AppIdentity) {
        self.init(bundleId: app.bundleId, environment: app.environment)
    }

    /// Any receipt of any app; the caller must check its content.
    public static let anything = ReceiptExpectation()

    /// Refuses a receipt that does not match.
    func check(_ receipt: AppReceipt) throws(VerificationFailure) {
        if let bundleId, !receipt.bundleId.hasSameBytes(as: bundleId) {
            throw VerificationFailure(
                code: .bundleIdMismatch,
                message: "The receipt is of another app; configure its bundle id if it is yours."
            )
        }
        if let environment, environment != receipt.environment {
            throw VerificationFailure(
                code: .environmentMismatch,
                message: "The receipt is of another environment than the configured one."
            )
        }
        if let deviceIdentifier, !receipt.belongs(toDevice: deviceIdentifier) {
            throw VerificationFailure(
                code: .deviceHashMismatch,
                message: "The receipt was made for another device; let the app refresh it."
            )
        }
    }
}
