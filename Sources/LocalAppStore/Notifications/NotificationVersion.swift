import AppStoreModel

/// The notification version of a URL.
public enum NotificationVersion: String, Hashable, Sendable, CaseIterable, Codable {
    /// Plain JSON with the shared secret; deprecated by Apple in 2023, but still sent to apps that use it.
    case v1 = "V1"
    /// Signed payloads.
    case v2 = "V2"
}

/// A notification as sent.
public enum NotificationBody: Hashable, Sendable, Codable {
    /// The unsigned JSON of the whole body.
    case version1(json: [UInt8])
    /// The value of the only member of the body, `signedPayload`.
    case version2(signedPayload: String)

    /// The version.
    public var version: NotificationVersion {
        switch self {
        case .version1: .v1
        case .version2: .v2
        }
    }

    /// The JWS; empty in version 1, which has none.
    public var signedPayload: String {
        switch self {
        case .version1: ""
        case .version2(let signedPayload): signedPayload
        }
    }

    /// The body of the POST, in UTF-8.
    public var json: [UInt8] {
        switch self {
        case .version1(let json): json
        case .version2(let signedPayload): (["signedPayload": .string(signedPayload)] as JSONObject).serialize()
        }
    }
}
