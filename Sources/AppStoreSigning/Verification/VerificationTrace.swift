public import AppStoreModel

/// How the verifier came to its decision, step by step, for a person.
///
/// The account comes from the checks themselves, so its verdict is the verifier's. It names certificates, dates,
/// identifiers and the app; it holds nothing of the customer's.
public struct VerificationTrace: Hashable, Sendable {
    /// How a step ended.
    public enum Outcome: String, Hashable, Sendable {
        /// The check holds.
        case passed
        /// The check refused the data.
        case failed
        /// A check before it refused the data.
        case notReached = "not_reached"
    }

    /// One check.
    public struct Step: Hashable, Sendable {
        /// Which check it is.
        public let name: Name
        /// How it ended.
        public internal(set) var outcome: Outcome
        /// What was found, a sentence or a value each; free of control characters.
        public internal(set) var notes: [String]
    }

    /// As which kind the data was read.
    public let kind: SignedDataKind

    /// The checks in their order.
    public let steps: [Step]

    /// Why the data is refused, absent when it is verified.
    public let failure: VerificationFailure?

    /// Whether the verifier accepts the data.
    public var isVerified: Bool {
        failure == nil
    }

    /// The same account with one more step at its end.
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
        /// The leaf and the intermediate, read.
        public static let certificates = Self(rawValue: "certificates")
        /// The configured root to which the chain leads.
        public static let root = Self(rawValue: "root")
        /// What each certificate may do: basic constraints, key usage, critical extensions.
        public static let constraints = Self(rawValue: "constraints")
        /// Names and signatures from each certificate to the next.
        public static let issuance = Self(rawValue: "issuance")
        /// Apple's marker extensions.
        public static let markers = Self(rawValue: "markers")
        /// The curve of the leaf's key.
        public static let leafKey = Self(rawValue: "leaf_key")
        /// The signature over header and payload.
        public static let signature = Self(rawValue: "signature")
        /// The payload, read as its kind.
        public static let payload = Self(rawValue: "payload")
        /// The validity of the chain at the instant that counts.
        public static let validity = Self(rawValue: "validity")
        /// The app and the environment.
        public static let app = Self(rawValue: "app")
        /// The signed data inside a notification.
        public static let contents = Self(rawValue: "contents")
        /// What the certificate authority says today about the chain.
        public static let revocation = Self(rawValue: "revocation")

        /// The checks that data of a kind has to pass, in their order.
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
    /// The decision and every step, a line each, with what was found in lines below it.
    public var description: String {
        var lines = [failure.map { "refused: \($0.description)" } ?? "verified: \(kind.rawValue)"]
        for step in steps {
            lines.append("  \(step.outcome.mark) \(step.name.rawValue)")
            lines += step.notes.map { "      \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    /// The same for machines: `{verified, kind, reason?, message?, steps: [{name, outcome, notes}]}`.
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

    /// The longest note, in characters.
    private static let noteCharactersMax = 300

    /// A text that cannot steer a terminal: names in certificates and payloads are whatever their author chose.
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
