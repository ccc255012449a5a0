public import ArgumentParser

/// `perennial sign`: signatures of a developer's server for StoreKit.
public struct SignCommand: ParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign what an app passes to StoreKit: offers, eligibility, Advanced Commerce requests.",
        discussion: """
            The key is an In-App Purchase key, as for perennial token. Options that are not given come from \
            PERENNIAL_API_KEY_FILE, PERENNIAL_API_KEY_ID, PERENNIAL_API_ISSUER_ID and PERENNIAL_API_BUNDLE_ID. Each \
            signature contains a nonce, and can be used once.

            Example:
              perennial sign promotional-offer-v2 --key SubscriptionKey_ABC123DEFG.p8 --key-id ABC123DEFG \\
                --issuer-id 57246542-96fe-1a63-e053-0824d011072a --bundle-id com.example.app \\
                --product-id pro.monthly --offer-id winter --transaction-id 2000000000000001
            """,
        subcommands: [
            SignPromotionalOfferCommand.self,
            SignPromotionalOfferV2Command.self,
            SignIntroductoryOfferCommand.self,
            SignAdvancedCommerceCommand.self,
        ]
    )

    /// Makes the command; the parser sets its values.
    public init() {}
}
