import Foundation
import Hummingbird
import HummingbirdCore

/// The request context of Hummingbird, without additions.
typealias StoreContext = BasicRequestContext

extension StoreContext {
    /// A decoded path component, for example an identifier.
    ///
    /// - Throws: `path_invalid` when a percent sign is not followed by two hexadecimal digits of UTF-8.
    func pathParameter(_ name: String) throws(StoreCallError) -> String {
        guard let text = parameters.get(name)?.removingPercentEncoding else {
            throw .invalid("path_invalid", "the path is not well-formed: write a percent sign as %25", path: name)
        }
        return text
    }
}

extension Request {
    /// The decoded query in order, including repeated names.
    var queryItems: [(name: String, value: String)] {
        uri.queryParameters.map { (name: String($0.key), value: String($0.value)) }
    }

    /// Refuses unknown query parameters.
    ///
    /// - Throws: `unknown_parameter`.
    func rejectQuery(except known: Set<String>) throws(StoreCallError) {
        for item in queryItems where !known.contains(item.name) {
            let expected = known.isEmpty ? "this call has none" : "known are \(known.sorted().joined(separator: ", "))"
            throw .invalid(
                "unknown_parameter",
                "unknown query parameter \(item.name.debugDescription): \(expected)",
                path: item.name
            )
        }
    }
}
