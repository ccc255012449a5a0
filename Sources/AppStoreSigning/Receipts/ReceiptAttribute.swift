/// An attribute of a receipt that has no field of its own, as it was sent.
public struct ReceiptAttribute: Hashable, Sendable {
    /// The number that says what the value is.
    public let type: Int64

    /// The version of the attribute's form; 1 in nearly all.
    public let version: Int64

    /// The value: in most attributes another ASN.1 element, in some bare bytes.
    public let value: [UInt8]

    /// Makes an attribute.
    public init(type: Int64, version: Int64 = 1, value: [UInt8]) {
        self.type = type
        self.version = version
        self.value = value
    }
}
