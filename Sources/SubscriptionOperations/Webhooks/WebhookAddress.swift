import AppStoreModel
import Crypto
import PerennialPrimitives
import SubscriptionCore
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
    ///
    /// The value of `Authorization` is secret: the log says only whether there is one, and that it changed.
    ///
    /// - Parameter old: The endpoint before a change; nil if there was no change.
    init(_ view: WebhookEndpoints.View, changedFrom old: WebhookEndpoints.View? = nil) {
        let endpoint = view.endpoint
        let types: JSONValue = endpoint.eventTypes.map { JSONValue.array($0.map { .string($0) }) } ?? .null
        var (authorizationChanged, failuresReset): (JSONValue?, JSONValue?) = (nil, nil)
        if let old, old.authorization != view.authorization { authorizationChanged = .bool(true) }
        if let old, old.progress.health != view.progress.health { failuresReset = .bool(true) }
        self.init([
            "url": .string(endpoint.origin),
            "url_sha256": .string(Array(SHA256.hash(data: Array(endpoint.url.utf8))).hexadecimal),
            "label": .text(endpoint.label), "form": .string(endpoint.form.rawValue), "event_types": types,
            "enabled": .bool(endpoint.disabledReason == nil), "authorization": .bool(view.authorization != nil),
            "authorization_changed": authorizationChanged, "failures_reset": failuresReset,
        ])
    }
}
