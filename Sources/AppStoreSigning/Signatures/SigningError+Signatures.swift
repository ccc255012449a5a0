extension SigningError.Code {
    /// The nonce is no UUID.
    public static let nonceMalformed = Self(rawValue: "nonce_malformed")
    /// A field of what is to be signed cannot be signed: it is empty where it may not be, or holds the separator.
    public static let fieldMalformed = Self(rawValue: "field_malformed")
    /// The request that is to be signed is not a JSON object.
    public static let requestMalformed = Self(rawValue: "request_malformed")
}
