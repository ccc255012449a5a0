/// An attribute of a receipt without a separate field, as it was sent.
public struct ReceiptAttribute: Hashable, Sendable {
    /// The type of the value.
    public let type: Int64

    /// The version of the attribute's form; usually 1.
    public let version: Int64

    /// The value: in most attributes another ASN.1 element, in some raw bytes.
    public let value: [UInt8]

    /// Makes an attribute.
    public init(type: Int64, version: Int64 = 1, value: [UInt8]) {
        self.type = type
        self.version = version
        self.value = value
    }
}
