import AppStoreSigning

/// The sources of credentials, as far as they are set.
struct CredentialSettings: Hashable {
    /// The file with the private key.
    var keyFile: InputFile?
    /// The key's identifier.
    var keyId: String?
    /// The issuer's identifier.
    var issuerId: String?
    /// The app of the calls.
    var bundleId: String?

    init(keyFile: InputFile? = nil, keyId: String? = nil, issuerId: String? = nil, bundleId: String? = nil) {
        self.keyFile = keyFile
        self.keyId = keyId
        self.issuerId = issuerId
        self.bundleId = bundleId
    }

    /// The settings from environment variables.
    init(variables: [String: String]) {
        self.init(
            keyFile: variables["PERENNIAL_API_KEY_FILE"].flatMap(InputFile.init(argument:)),
            keyId: variables["PERENNIAL_API_KEY_ID"],
            issuerId: variables["PERENNIAL_API_ISSUER_ID"],
            bundleId: variables["PERENNIAL_API_BUNDLE_ID"]
        )
    }

    /// These settings, with others as defaults.
    func withDefaults(_ other: CredentialSettings) -> CredentialSettings {
        CredentialSettings(
            keyFile: keyFile ?? other.keyFile,
            keyId: keyId ?? other.keyId,
            issuerId: issuerId ?? other.issuerId,
            bundleId: bundleId ?? other.bundleId
        )
    }

    /// The credentials, with the key read from its file.
    ///
    /// - Throws: ``MissingSetting`` with all missing settings, ``CredentialError`` for the key file.
    func credentials() throws -> APICredentials {
        guard let keyFile, let keyId = keyId.nonEmpty, let issuerId = issuerId.nonEmpty,
            let bundleId = bundleId.nonEmpty
        else { throw MissingSetting(settings: missing) }
        return APICredentials(
            key: try KeyFile.read(keyFile, keyId: keyId, issuerId: issuerId),
            bundleId: bundleId
        )
    }

    private var missing: [MissingSetting.Name] {
        var missing: [MissingSetting.Name] = []
        if keyFile == nil { missing.append(.keyFile) }
        if keyId.nonEmpty == nil { missing.append(.keyId) }
        if issuerId.nonEmpty == nil { missing.append(.issuerId) }
        if bundleId.nonEmpty == nil { missing.append(.bundleId) }
        return missing
    }
}

/// The credentials of calls for one app.
struct APICredentials {
    /// The key with its identifiers.
    let key: InAppPurchaseKey
    /// The app of the calls.
    let bundleId: String
}

/// The error for missing credentials.
struct MissingSetting: Error, CustomStringConvertible {
    /// One of the four settings.
    enum Name: String {
        case keyFile = "--key (PERENNIAL_API_KEY_FILE)"
        case keyId = "--key-id (PERENNIAL_API_KEY_ID)"
        case issuerId = "--issuer-id (PERENNIAL_API_ISSUER_ID)"
        case bundleId = "--bundle-id (PERENNIAL_API_BUNDLE_ID)"
    }

    let settings: [Name]

    var description: String {
        "credentials_missing: give " + settings.map(\.rawValue).joined(separator: ", ")
    }
}

extension String? {
    /// The text, unless it is blank.
    fileprivate var nonEmpty: String? {
        flatMap { $0.isEmpty ? nil : $0 }
    }
}
