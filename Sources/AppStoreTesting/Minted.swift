public import AppStoreModel

/// A value that a kit signed, with its payload.
public struct Minted<Payload: JSONRepresentable>: Hashable, Sendable {
    /// The compact JWS, as the App Store would send it.
    public let jws: String

    /// The payload.
    public let payload: Payload

    /// Makes a pair of a JWS and its payload.
    init(jws: String, payload: Payload) {
        self.jws = jws
        self.payload = payload
    }
}

extension Minted where Payload == DecodedRealtimeRequestBody {
    /// The body that the App Store posts to a real-time URL.
    ///
    /// - Units: JSON in UTF-8.
    public var body: [UInt8] {
        RealtimeRequestBody(signedPayload: jws).jsonBytes
    }
}
