import AppStoreSigning
import ArgumentParser

/// `perennial sign promotional-offer-v2`: a promotional offer as a JWS.
struct SignPromotionalOfferV2Command: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promotional-offer-v2",
        abstract: "Sign a promotional offer as a JWS."
    )

    @OptionGroup var signing: SigningOptions

    @Option(help: ArgumentHelp("The subscription's product identifier.", valueName: "id"))
    var productId: String

    @Option(help: ArgumentHelp("The offer's identifier in App Store Connect.", valueName: "id"))
    var offerId: String

    @Option(
        help: ArgumentHelp(
            "Any transaction of the customer, or the app transaction's identifier; Apple recommends it.",
            valueName: "id"
        )
    )
    var transactionId: String?

    func run() throws {
        try signing.sign(
            PromotionalOfferV2(productId: productId, offerIdentifier: offerId, transactionId: transactionId)
        )
    }
}
