/// An error while loading keys and certificates, or while signing with them.
public struct SigningError: Error, Hashable, Sendable {
    /// A stable, machine-readable reason in `snake_case`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as it appears in logs and answers.
        public let rawValue: String

        /// Wraps a code, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The bytes are not an X.509 root certificate in DER or PEM.
        public static let certificateMalformed = Self(rawValue: "certificate_malformed")
        /// The text is not a private key of the expected kind.
        public static let keyMalformed = Self(rawValue: "key_malformed")
        /// A certificate could not be made from the given names, dates and keys.
        public static let certificateNotMade = Self(rawValue: "certificate_not_made")
        /// The cryptographic library refused to sign.
        public static let signingFailed = Self(rawValue: "signing_failed")
    }

    /// The stable reason.
    public let code: Code

    /// One sentence with the remedy; never contains key material.
    public let message: String

    /// Makes an error.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }
}

extension SigningError: CustomStringConvertible {
    /// The code and the message.
    public var description: String {
        "\(code.rawValue): \(message)"
    }
}
