/// The storefront of a country: Apple's identifier and its currency.
struct Storefront: Hashable, Sendable, Codable {
    /// ISO 3166-1 alpha-3.
    let country: String
    /// Apple's identifier, as in `storefrontId`.
    let id: String
    /// ISO 4217.
    let currency: String

    /// The storefront of a country; `nil` if it is unknown.
    static func named(_ country: String) -> Storefront? { byCountry[country] }

    private static let byCountry = Dictionary(uniqueKeysWithValues: all.map { ($0.country, $0) })

    /// All known storefronts.
    static let all = [
        Storefront(country: "USA", id: "143441", currency: "USD"),
        Storefront(country: "FRA", id: "143442", currency: "EUR"),
        Storefront(country: "DEU", id: "143443", currency: "EUR"),
        Storefront(country: "GBR", id: "143444", currency: "GBP"),
        Storefront(country: "AUT", id: "143445", currency: "EUR"),
        Storefront(country: "BEL", id: "143446", currency: "EUR"),
        Storefront(country: "FIN", id: "143447", currency: "EUR"),
        Storefront(country: "GRC", id: "143448", currency: "EUR"),
        Storefront(country: "IRL", id: "143449", currency: "EUR"),
        Storefront(country: "ITA", id: "143450", currency: "EUR"),
        Storefront(country: "LUX", id: "143451", currency: "EUR"),
        Storefront(country: "NLD", id: "143452", currency: "EUR"),
        Storefront(country: "PRT", id: "143453", currency: "EUR"),
        Storefront(country: "ESP", id: "143454", currency: "EUR"),
        Storefront(country: "CAN", id: "143455", currency: "CAD"),
        Storefront(country: "SWE", id: "143456", currency: "SEK"),
        Storefront(country: "NOR", id: "143457", currency: "NOK"),
        Storefront(country: "DNK", id: "143458", currency: "DKK"),
        Storefront(country: "CHE", id: "143459", currency: "CHF"),
        Storefront(country: "AUS", id: "143460", currency: "AUD"),
        Storefront(country: "NZL", id: "143461", currency: "NZD"),
        Storefront(country: "JPN", id: "143462", currency: "JPY"),
        Storefront(country: "HKG", id: "143463", currency: "HKD"),
        Storefront(country: "SGP", id: "143464", currency: "SGD"),
        Storefront(country: "CHN", id: "143465", currency: "CNY"),
        Storefront(country: "KOR", id: "143466", currency: "KRW"),
        Storefront(country: "IND", id: "143467", currency: "INR"),
        Storefront(country: "MEX", id: "143468", currency: "MXN"),
        Storefront(country: "TWN", id: "143470", currency: "TWD"),
        Storefront(country: "ZAF", id: "143472", currency: "ZAR"),
        Storefront(country: "THA", id: "143475", currency: "THB"),
        Storefront(country: "IDN", id: "143476", currency: "IDR"),
        Storefront(country: "POL", id: "143478", currency: "PLN"),
        Storefront(country: "SAU", id: "143479", currency: "SAR"),
        Storefront(country: "TUR", id: "143480", currency: "TRY"),
        Storefront(country: "ARE", id: "143481", currency: "AED"),
        Storefront(country: "CZE", id: "143489", currency: "CZK"),
        Storefront(country: "ISR", id: "143491", currency: "ILS"),
        Storefront(country: "BRA", id: "143503", currency: "BRL"),
    ]
}
