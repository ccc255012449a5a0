/// What Apple's Advanced Commerce accepts at most, and the version that requests have.
///
/// - Source: Advanced Commerce API, the requests; the lengths are those of Apple's own libraries.
public enum AdvancedCommerceLimits {
    /// The version of the format of in-app requests.
    public static let requestVersion = "1"
    /// A SKU, in characters.
    public static let skuCharactersMax = 128
    /// A description, in characters.
    public static let descriptionCharactersMax = 45
    /// A name for customers, in characters.
    public static let displayNameCharactersMax = 30
    /// The number of periods that an offer lasts.
    public static let offerPeriodCount = 1...12
    /// How long before a renewal its price can last be changed, in hours.
    public static let priceChangeLeadHours = 24
}
