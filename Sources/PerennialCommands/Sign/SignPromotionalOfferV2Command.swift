import AppStoreSigning
import ArgumentParser

/// `perennial sign promotional-offer-v2`: a promotional offer as a JWS.
struct SignPromotionalOfferV2Command: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promotional-offer-v2",
        abstract: "Sign a promotional offer as a JWS."
    )

    @OptionGroup var signing: SigningOptions

    @Option(help: ArgumentHelp("The subscription.", valueName: "id"))
    var productId: String

    @Option(help: ArgumentHelp("The offer, as App Store Connect has it.", valueName: "id"))
    var offerId: String

    @Option(
        help: ArgumentHelp(
            "Any transaction of the customer, or the app transaction's identifier; advised by Apple.",
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
