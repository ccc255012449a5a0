import PerennialPrimitives

/// A customer of the demo; the store knows their purchases.
struct DemoShopper: Sendable {
    private static let storefronts = ["USA", "DEU", "JPN", "GBR", "FRA", "KOR", "BRA"]

    /// The store's account; known from the first visit on.
    var accountID = ""
    /// The app's identifier of the customer.
    let appUserID: String
    let storefront: String
    /// Set for customers whose app never calls our server: only Apple's notifications do, and the token identifies
    /// them.
    let appAccountToken: String?
    /// The week of their first visit, from 0.
    let joinsInWeek: Int

    /// Whether they have visited.
    var hasAccount: Bool { !accountID.isEmpty }

    /// Draws customer `index` of a number of customers: the first arrives at once, the others spread over most of the
    /// time.
    init(index: Int, of count: Int, weeks: Int, using random: inout SplitMix64) {
        storefront = random.pick(Self.storefronts) ?? "USA"
        // Late enough that every customer has a history, early enough to show arrivals.
        let span = max(1, weeks * 3 / 4)
        let position = (index - 1) * span / max(1, count)
        joinsInWeek = index == 1 ? 0 : min(span - 1, position + random.below(max(1, span / max(1, count))))
        if index % 4 == 1 {
            let token = Self.uuid(using: &random)
            appAccountToken = token
            appUserID = token
        } else {
            appAccountToken = nil
            appUserID = "u_\(index)"
        }
    }

    /// A version 4 UUID in lower case, from the seed.
    private static func uuid(using random: inout SplitMix64) -> String {
        let digits = (0..<32).map { position in
            switch position {
            case 12: "4"
            case 16: String(8 + random.below(4), radix: 16)
            default: String(random.below(16), radix: 16)
            }
        }
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return parts.map { digits[$0].joined() }.joined(separator: "-")
    }
}
