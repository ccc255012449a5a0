public import AppStoreModel

/// Which kind of receipt it is, and so which of Apple's worlds it is from.
///
/// - Source: verifyReceipt, `receipt_type`; attribute 0 of the receipt, which Apple does not document.
public struct ReceiptType: OpenValue {
    /// The value as it is in the receipt.
    public let rawValue: String

    /// Takes a value, known or not.
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

    /// Every value that Apple documents, and Xcode's.
    public static let documented: [ReceiptType] = [
        .production, .productionVPP, .productionSandbox, .productionVPPSandbox, .xcode,
    ]

    /// The environment that the App Store Server API has for such a receipt; a value of its own for unknown kinds.
    public var environment: AppStoreEnvironment {
        switch self {
        case .production, .productionVPP: .production
        case .productionSandbox, .productionVPPSandbox: .sandbox
        default: AppStoreEnvironment(rawValue: rawValue)
        }
    }
}
