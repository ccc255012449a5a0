/// The instant at which every certificate of a chain must be valid.
public enum ChainValidity: Hashable, Sendable {
    /// When the payload says it was signed (`signedDate`; `receiptCreationDate` of an app transaction).
    ///
    /// Data keeps its worth after the certificates have expired, so this is what servers and archives want. The date is
    /// believed because the chain's key signed it.
    case whenSigned

    /// A given instant, in milliseconds since 1970 (UTC): what would have been accepted then.
    case at(Int64)

    /// The instant for a payload.
    func validationTime(signedDate: Int64) -> Int64 {
        switch self {
        case .whenSigned: signedDate
        case .at(let milliseconds): milliseconds
        }
    }

    /// The refusal of data whose certificates were not valid at that instant.
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
