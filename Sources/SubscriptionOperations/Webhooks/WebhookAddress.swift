import AppStoreModel
import Crypto
import PerennialPrimitives
package import SubscriptionStorage

extension WebhookEndpoint {
    /// Scheme, host and port of the address. The rest may contain a secret: whoever knows the address of a chat's hook
    /// may write there.
    package var origin: String { Self.origin(of: url) }

    /// Scheme, host and port of an address, in lower case; empty if the text is no address.
    package static func origin(of url: String) -> String {
        guard let mark = url.firstRange(of: "://") else { return "" }
        let authority = url[mark.upperBound...].prefix { !"/?#\\".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return (url[..<mark.upperBound] + host).lowercased()
    }
}

extension AuditedValue {
    /// What the audit log has of an endpoint: of its address only the origin, and a digest that tells two apart.
    init(_ endpoint: WebhookEndpoint) {
        self.init([
            "url": .string(endpoint.origin),
            "url_sha256": .string(Array(SHA256.hash(data: Array(endpoint.url.utf8))).hexadecimal),
            "label": .text(endpoint.label), "form": .string(endpoint.form.rawValue),
            "event_types": endpoint.eventTypes.map { .array($0.map { .string($0) }) } ?? .null,
            "enabled": .bool(endpoint.disabledReason == nil),
        ])
    }
}
