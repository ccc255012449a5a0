extension Storefront {
    /// The country as ISO 3166-1 alpha-2, for reports; signed data has three letters.
    var twoLetterCountry: String { Self.twoLetterCountries[country] ?? country }

    /// The number of decimal digits of the currency.
    var minorDigits: Int { currency == "JPY" || currency == "KRW" ? 0 : 2 }

    private static let twoLetterCountries = [
        "USA": "US", "FRA": "FR", "DEU": "DE", "GBR": "GB", "AUT": "AT", "BEL": "BE", "FIN": "FI",
        "GRC": "GR", "IRL": "IE", "ITA": "IT", "LUX": "LU", "NLD": "NL", "PRT": "PT", "ESP": "ES",
        "CAN": "CA", "SWE": "SE", "NOR": "NO", "DNK": "DK", "CHE": "CH", "AUS": "AU", "NZL": "NZ",
        "JPN": "JP", "HKG": "HK", "SGP": "SG", "CHN": "CN", "KOR": "KR", "IND": "IN", "MEX": "MX",
        "TWN": "TW", "ZAF": "ZA", "THA": "TH", "IDN": "ID", "POL": "PL", "SAU": "SA", "TUR": "TR",
        "ARE": "AE", "CZE": "CZ", "ISR": "IL", "BRA": "BR",
    ]
}
