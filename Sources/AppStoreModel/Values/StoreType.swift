/// The kind of store that an app was got from.
///
/// - Source: App Store Server API, `storeType`, since 1.22.
public struct StoreType: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Takes a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The App Store; the only kind that the App Store Server API answers for.
    public static let consumer = StoreType(rawValue: "CONSUMER")

    /// Every value that Apple documents.
    public static let documented: [StoreType] = [.consumer]
}
