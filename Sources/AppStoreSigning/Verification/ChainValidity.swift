/// The time at which all certificates of a chain must be valid.
public enum ChainValidity: Hashable, Sendable {
    /// The signing time in the payload (`signedDate`; `receiptCreationDate` of an app transaction).
    ///
    /// Data stays valid after the certificates have expired, so this is right for servers and archives. The date is
    /// trusted because the chain's key signed it.
    case whenSigned

    /// A given time, in milliseconds since 1970 (UTC): accepts what was valid then.
    case at(Int64)

    /// The time for a payload.
    func validationTime(signedDate: Int64) -> Int64 {
        switch self {
        case .whenSigned: signedDate
        case .at(let milliseconds): milliseconds
        }
    }

    /// The refusal of data whose certificates were not valid at that time.
    var refusal: VerificationFailure {
        switch self {
        case .whenSigned:
            VerificationFailure(
                code: .certificateNotValidAtSigning,
                message: "A certificate of the chain was not valid when the data says it was signed."
            )
        case .at:
            VerificationFailure(
                code: .certificateNotValid,
                message: "A certificate of the chain is not valid at the time that was asked for."
            )
        }
    }
}
