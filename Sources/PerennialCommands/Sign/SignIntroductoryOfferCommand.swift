import AppStoreSigning
import ArgumentParser

/// `perennial sign introductory-offer`: a customer's eligibility for the introductory offer.
struct SignIntroductoryOfferCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "introductory-offer",
        abstract: "Sign whether a customer may have the introductory offer, as a JWS."
    )

    @OptionGroup var signing: SigningOptions

    @Option(help: ArgumentHelp("The subscription's product identifier.", valueName: "id"))
    var productId: String

    @Option(
        help: ArgumentHelp("Any transaction of the customer, or the app transaction's identifier.", valueName: "id")
    )
    var transactionId: String

    @Flag(inversion: .prefixedNo, help: "Whether the customer may have the offer.")
    var allow: Bool

    func run() throws {
        try signing.sign(
            IntroductoryOfferEligibility(
                productId: productId,
                allowIntroductoryOffer: allow,
                transactionId: transactionId
            )
        )
    }
}
