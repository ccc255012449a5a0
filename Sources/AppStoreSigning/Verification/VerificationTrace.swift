public import AppStoreModel

/// The trace of the verifier's decision, step by step, for people.
///
/// The checks themselves record it, so its verdict is the verifier's. It contains certificates, dates, identifiers and
/// the app, but no customer data.
public struct VerificationTrace: Hashable, Sendable {
    /// The result of a step.
    public enum Outcome: String, Hashable, Sendable {
        /// The check passed.
        case passed
        /// The check refused the data.
        case failed
        /// An earlier check refused the data.
        case notReached = "not_reached"
    }

    /// One check.
    public struct Step: Hashable, Sendable {
        /// The name of the check.
        public let name: Name
        /// Its result.
        public internal(set) var outcome: Outcome
        /// The findings, a sentence or a value each; free of control characters.
        public internal(set) var notes: [String]
    }

    /// The kind as which the data was read.
    public let kind: SignedDataKind

    /// The checks in order.
    public let steps: [Step]

    /// Why the data is refused; absent if it is verified.
    public let failure: VerificationFailure?

    /// Whether the verifier accepts the data.
    public var isVerified: Bool {
        failure == nil
    }

    /// The same trace with an additional step at its end.
    func adding(
        _ name: Step.Name,
        _ outcome: Outcome,
        notes: [String],
        failure: VerificationFailure? = nil
    ) -> VerificationTrace {
        let step = Step(name: name, outcome: outcome, notes: notes)
        return VerificationTrace(kind: kind, steps: steps + [step], failure: self.failure ?? failure)
    }
}

extension VerificationTrace.Step {
    /// The name of a check; later versions may add some.
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// The name as it appears in output, in `snake_case`.
        public let rawValue: String

        /// Wraps a name, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The size, and three segments between dots.
        public static let form = Self(rawValue: "form")
        /// The header's JSON, algorithm and number of certificates.
        public static let header = Self(rawValue: "header")
        /// The leaf and the intermediate, decoded.
        public static let certificates = Self(rawValue: "certificates")
        /// The configured root of the chain.
        public static let root = Self(rawValue: "root")
        /// The permissions of each certificate: basic constraints, key usage, critical extensions.
        public static let constraints = Self(rawValue: "constraints")
        /// Names and signatures from each certificate to the next.
        public static let issuance = Self(rawValue: "issuance")
        /// Apple's marker extensions.
        public static let markers = Self(rawValue: "markers")
        /// The curve of the leaf's key.
        public static let leafKey = Self(rawValue: "leaf_key")
        /// The signature over header and payload.
        public static let signature = Self(rawValue: "signature")
        /// The payload, decoded as its kind.
        public static let payload = Self(rawValue: "payload")
        /// The validity of the chain at the relevant time.
        public static let validity = Self(rawValue: "validity")
        /// The app and the environment.
        public static let app = Self(rawValue: "app")
        /// The signed data inside a notification.
        public static let contents = Self(rawValue: "contents")
        /// The certificate authority's current answer about the chain.
        public static let revocation = Self(rawValue: "revocation")

        /// The checks for a kind of data, in order.
        static func expected(for kind: SignedDataKind) -> [Self] {
            let common: [Self] = [
                .form, .header, .certificates, .root, .constraints, .issuance, .markers, .leafKey, .signature, .payload,
                .validity, .app,
            ]
            return kind == .notification ? common + [.contents] : common
        }
    }
}

// MARK: - As text and JSON

extension VerificationTrace: CustomStringConvertible {
    /// The decision and all steps, one line each, with the findings below it.
    public var description: String {
        var lines = [failure.map { "refused: \($0.description)" } ?? "verified: \(kind.rawValue)"]
        for step in steps {
            lines.append("  \(step.outcome.mark) \(step.name.rawValue)")
            lines += step.notes.map { "      \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    /// The same for programs: `{verified, kind, reason?, message?, steps: [{name, outcome, notes}]}`.
    public var json: JSONObject {
        var object: JSONObject = ["verified": .bool(isVerified), "kind": .string(kind.rawValue)]
        if let failure {
            object["reason"] = .string(failure.code.rawValue)
            object["message"] = .string(failure.message)
        }
        object["steps"] = .array(
            steps.map { step in
                [
                    "name": .string(step.name.rawValue),
                    "outcome": .string(step.outcome.rawValue),
                    "notes": .array(step.notes.map { .string($0) }),
                ]
            }
        )
        return object
    }

    /// The maximum length of a note, in characters.
    private static let noteCharactersMax = 300

    /// A text without terminal control characters, because names in certificates and payloads are untrusted.
    static func printable(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(noteCharactersMax) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                scalars.append("\u{FFFD}")
            default:
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }
}

extension VerificationTrace.Outcome {
    fileprivate var mark: String {
        switch self {
        case .passed: "[passed]     "
        case .failed: "[failed]     "
        case .notReached: "[not reached]"
        }
    }
}
