/// The limits of Apple's Advanced Commerce, and the version of requests.
///
/// - Source: Advanced Commerce API, the requests; the lengths are those of Apple's own libraries.
public enum AdvancedCommerceLimits {
    /// The version of the format of in-app requests.
    public static let requestVersion = "1"
    /// The maximum length of a SKU, in characters.
    public static let skuCharactersMax = 128
    /// The maximum length of a description, in characters.
    public static let descriptionCharactersMax = 45
    /// The maximum length of a display name, in characters.
    public static let displayNameCharactersMax = 30
    /// The number of periods of an offer.
    public static let offerPeriodCount = 1...12
    /// The minimum time between a price change and the renewal, in hours.
    public static let priceChangeLeadHours = 24
}
