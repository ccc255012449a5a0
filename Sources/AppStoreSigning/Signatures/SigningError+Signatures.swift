extension SigningError.Code {
    /// The nonce is not a UUID.
    public static let nonceMalformed = Self(rawValue: "nonce_malformed")
    /// A field cannot be signed: it is empty although required, or contains the separator.
    public static let fieldMalformed = Self(rawValue: "field_malformed")
    /// The request to sign is not a JSON object.
    public static let requestMalformed = Self(rawValue: "request_malformed")
}
