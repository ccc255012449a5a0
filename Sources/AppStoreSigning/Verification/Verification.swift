/// The result of verifying signed data: its content, or why it is refused.
public enum Verification<Payload: Sendable>: Sendable {
    /// Signed by the App Store (or a configured root) for a configured app.
    case verified(Payload)
    /// Not trusted; the payload is not accessible.
    case refused(VerificationFailure)

    /// The payload of a verified input; absent if it was refused.
    public var payload: Payload? {
        switch self {
        case .verified(let payload): payload
        case .refused: nil
        }
    }

    /// The reason of a refusal; absent if the input was verified.
    public var failure: VerificationFailure? {
        switch self {
        case .verified: nil
        case .refused(let failure): failure
        }
    }

    /// The payload, or a thrown error.
    ///
    /// - Throws: The ``VerificationFailure`` of a refused input.
    public func get() throws(VerificationFailure) -> Payload {
        switch self {
        case .verified(let payload): return payload
        case .refused(let failure): throw failure
        }
    }

    /// Runs a body and converts its error into a refusal.
    init(_ body: () throws(VerificationFailure) -> Payload) {
        do {
            self = .verified(try body())
        } catch {
            self = .refused(error)
        }
    }
}

extension Verification: Equatable where Payload: Equatable {}
