extension AppStoreServerAPIError {
    /// An error that Apple names without publishing its number.
    ///
    /// Apple sends it with a number that is not in ``all``; its ``AppStoreServerAPIError/message`` identifies it.
    public struct Unnumbered: Hashable, Sendable {
        /// Apple's name of the error without its suffix `Error`.
        public let name: String
        /// The meaning and the remedy, in one sentence.
        public let meaning: String
    }

    /// All of these errors.
    ///
    /// - Source: App Store Server API, Error codes (since 1.19), and Advanced Commerce API, Error codes.
    public static let unnumbered = [
        Unnumbered(
            name: "ConsumptionPercentageOutOfRange",
            meaning: "A percentage is given in thousandths, from 0 to 100000."
        ),
        Unnumbered(
            name: "UndeliveredConsumptionPercentageNonZero",
            meaning: "An undelivered purchase cannot be consumed: send 0, or omit the percentage."
        ),
        Unnumbered(
            name: "AdvancedCommerceTransactionNotSupported",
            meaning: "Use version 1 of the call for purchases of Advanced Commerce."
        ),
        Unnumbered(name: "CurrentSKULengthExceeded", meaning: "A SKU has at most 128 characters."),
        Unnumbered(
            name: "RemoveAllItemsNotAllowed",
            meaning: "Leave one item, or cancel the subscription."
        ),
    ]
}
