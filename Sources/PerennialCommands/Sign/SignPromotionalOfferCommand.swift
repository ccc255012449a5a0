import AppStoreModel
import AppStoreSigning
import ArgumentParser
import PerennialCommandSupport

/// `perennial sign promotional-offer`: a promotional offer with a version 1 signature.
struct SignPromotionalOfferCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promotional-offer",
        abstract: "Sign a promotional offer in the first form, for apps that do not use a JWS.",
        discussion: """
            Prints the signature (DER in base64), the key's identifier, the nonce and the timestamp in milliseconds. \
            The offer can be redeemed for 24 hours.
            """
    )

    @OptionGroup var signing: SigningOptions

    @Option(help: ArgumentHelp("The subscription's product identifier.", valueName: "id"))
    var productId: String

    @Option(help: ArgumentHelp("The offer's identifier in App Store Connect.", valueName: "id"))
    var offerId: String

    @Option(
        help: ArgumentHelp(
            "The customer's app account token, or applicationUsername (default: none).",
            valueName: "uuid"
        )
    )
    var appAccountToken: String?

    func run() throws {
        let offer = PromotionalOffer(
            productId: productId,
            offerIdentifier: offerId,
            appAccountToken: appAccountToken
        )
        try signing.run { context in
            let signature = try context.signer.sign(offer, nonce: context.nonce, at: context.now)
            print(signing.json ? json(signature, bundleId: context.credentials.bundleId) : text(signature))
        }
    }

    private func text(_ signature: PromotionalOfferSignature) -> String {
        """
        signature: \(signature.encodedSignature)
        keyId:     \(TerminalText.escaped(signature.keyId))
        nonce:     \(signature.nonce)
        timestamp: \(signature.timestamp)
        """
    }

    private func json(_ signature: PromotionalOfferSignature, bundleId: String) -> String {
        var object: JSONObject = [
            "encodedSignature": .string(signature.encodedSignature),
            "keyId": .string(signature.keyId),
            "bundleId": .string(bundleId),
            "productId": .string(signature.offer.productId),
            "offerIdentifier": .string(signature.offer.offerIdentifier),
            "nonce": .string(signature.nonce.text),
            "timestamp": .integer(signature.timestamp),
        ]
        object.add("appAccountToken", signature.offer.appAccountToken?.lowercased())
        return String(decoding: object.serialize(), as: UTF8.self)
    }
}
