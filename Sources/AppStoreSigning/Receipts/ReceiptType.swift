public import AppStoreModel

/// The type of a receipt, which determines its environment.
///
/// - Source: verifyReceipt, `receipt_type`; attribute 0 of the receipt, which Apple does not document.
public struct ReceiptType: OpenValue {
    /// The value in the receipt.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Real purchases.
    public static let production = ReceiptType(rawValue: "Production")
    /// An app bought through the Volume Purchase Program.
    public static let productionVPP = ReceiptType(rawValue: "ProductionVPP")
    /// Sandbox testers and TestFlight.
    public static let productionSandbox = ReceiptType(rawValue: "ProductionSandbox")
    /// The Volume Purchase Program in the sandbox.
    public static let productionVPPSandbox = ReceiptType(rawValue: "ProductionVPPSandbox")
    /// StoreKit testing in Xcode; never signed by Apple.
    public static let xcode = ReceiptType(rawValue: "Xcode")

    /// All values that Apple documents, and Xcode's.
    public static let documented: [ReceiptType] = [
        .production, .productionVPP, .productionSandbox, .productionVPPSandbox, .xcode,
    ]

    /// The environment in the App Store Server API for such a receipt; a separate value for unknown types.
    public var environment: AppStoreEnvironment {
        switch self {
        case .production, .productionVPP: .production
        case .productionSandbox, .productionVPPSandbox: .sandbox
        default: AppStoreEnvironment(rawValue: rawValue)
        }
    }
}
