import Foundation
import SubscriptionOperations

/// The address of a webhook endpoint, in parts.
struct WebhookURL: Hashable, Sendable {
    /// Whether requests are sent over TLS.
    let isSecure: Bool
    /// The name or the address of the host, without brackets.
    let host: String
    /// The port.
    let port: Int
    /// The whole address as it is called. Its host is written exactly as ``host``: the checked address is looked up
    /// by it.
    let text: String

    /// Reads an address.
    ///
    /// - Throws: ``WebhookSendError`` `url_invalid`.
    init(_ text: String) throws(WebhookSendError) {
        guard text.utf8.count <= WebhookEndpoints.urlBytesMax else {
            throw .invalid("it has more than \(WebhookEndpoints.urlBytesMax) bytes")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let parts = URLComponents(string: text),
            let scheme = parts.scheme?.lowercased(), var host = parts.host, !host.isEmpty
        else { throw .invalid("it is not a complete URL, such as https://example.com/webhooks") }
        guard scheme == "https" || scheme == "http" else { throw .invalid("it does not begin with https://") }
        guard parts.user == nil, parts.password == nil else {
            throw .invalid("it has a user name or a password. Use the signature, or authorization")
        }
        guard parts.fragment == nil else { throw .invalid("it has a fragment (#)") }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        // The decoded host can contain any byte, also one that ends a name for the system.
        guard parts.percentEncodedHost?.contains("%") != true, host.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .invalid("its host has a zone or an escape (%)") }
        guard (1...65_535).contains(parts.port ?? 443) else { throw .invalid("its port is impossible") }
        isSecure = scheme == "https"
        self.host = host.lowercased()
        port = parts.port ?? (isSecure ? 443 : 80)
        let name = host.contains(":") ? "[\(self.host)]" : self.host
        let query = parts.percentEncodedQuery.map { "?\($0)" } ?? ""
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        self.text = "\(scheme)://\(name)\(parts.port.map { ":\($0)" } ?? "")\(path)\(query)"
    }
}

extension WebhookSendError {
    fileprivate static func invalid(_ reason: String) -> WebhookSendError {
        WebhookSendError("url_invalid", "The address cannot be used: \(reason).")
    }
}
