import SubscriptionCore

/// The types of events that an endpoint chooses: types, `*`, a prefix such as `subscription.*`, or `alerts`.
package enum WebhookEventTypes {
    /// Whether a type is among the chosen ones.
    package static func contain(_ type: String, in chosen: [String]) -> Bool {
        chosen.contains { chosen in
            if chosen == "*" || chosen == type { return true }
            if chosen.hasSuffix(".*") { return type.hasPrefix(chosen.dropLast()) }
            return chosen == SubscriptionEvent.Kind.alertGroup
                && SubscriptionEvent.Kind(rawValue: type)?.isAlert == true
        }
    }
}
