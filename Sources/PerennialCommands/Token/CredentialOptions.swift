import ArgumentParser

/// The credentials of the App Store Server API, on the command line.
struct CredentialOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The In-App Purchase key, a .p8 file.", valueName: "file"))
    var key: InputFile?

    @Option(help: ArgumentHelp("The key's identifier, ten characters.", valueName: "id"))
    var keyId: String?

    @Option(help: ArgumentHelp("The issuer's identifier, a UUID.", valueName: "id"))
    var issuerId: String?

    @Option(help: ArgumentHelp("The app's bundle identifier.", valueName: "id"))
    var bundleId: String?

    /// The settings from the options.
    var given: CredentialSettings {
        CredentialSettings(keyFile: key, keyId: keyId, issuerId: issuerId, bundleId: bundleId)
    }
}
