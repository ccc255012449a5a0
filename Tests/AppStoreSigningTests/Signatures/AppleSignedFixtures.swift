import AppStoreSigning

/// Signatures of Apple's Python library (app-store-server-library 3.1.2), created once with a discarded key.
enum AppleSignedFixtures {
    static let bundleId = "com.example.app"
    static let nonce = "8b5d3c64-0a0e-4f52-9e6c-5f8a0e3c1d27"
    static let timestamp: Int64 = 1_790_000_000_000
    static let accountToken = "7A3E1F20-5B6C-4D8E-9F01-23456789ABCD"

    static func key() throws -> InAppPurchasePublicKey {
        try InAppPurchasePublicKey(
            pem: publicKeyPEM,
            keyId: "ABCDEFGHIJ",
            issuerId: "57246542-96fe-1a63-e053-0824d011072a"
        )
    }

    private static let publicKeyPEM = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqilCy/7tjRG8FFB1ugIQXhlnK6OP
        ULehmfABoQdNSkyT90ohThFLEoH6cs4oZFmh44wa9Ytuf7xF0wEALtZlnw==
        -----END PUBLIC KEY-----
        """

    /// `PromotionalOfferSignatureCreator`, for a customer whose token is in upper case.
    static let offerForCustomer = """
        MEUCIQDj5k4fJiuiNIxGu4wF/AtKcOmNbstV/+AbCcr5TRsKVwIgHn0E7tB77oHee/s6ZwnT0+SxioyHAIuMasp47FQd3Qg=
        """

    /// `PromotionalOfferSignatureCreator`, without a customer.
    static let offerForAnybody = """
        MEQCID2aYCCixQrwReEgmueZYKxKeS8hRRW1NFxOa4U8JyqzAiB68EZvml2cEUgVmnzBijGV9OOzKKNTleIgBjz3FoC+dw==
        """

    /// `PromotionalOfferV2SignatureCreator`.
    static let offerV2 = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQ0RFRkdISUoiLCJ0eXAiOiJKV1QifQ.eyJwcm9kdWN0SWQiOiJwcm8ubW9udGhseSIsI\
        m9mZmVySWRlbnRpZmllciI6IndpbnRlciIsInRyYW5zYWN0aW9uSWQiOiIyMDAwMDAwMDAwMDAwMDAxIiwiYmlkIjoiY29tLmV4Y\
        W1wbGUuYXBwIiwiaXNzIjoiNTcyNDY1NDItOTZmZS0xYTYzLWUwNTMtMDgyNGQwMTEwNzJhIiwiYXVkIjoicHJvbW90aW9uYWwtb\
        2ZmZXIiLCJpYXQiOjE3OTUyNDA2NzIsIm5vbmNlIjoiMjNmYTFkNmItZTQxNi00YjhkLWJiNDQtNDAxYmI5OWZmNGE3In0.mZ1fv\
        cNAMTonCYN0vC17b-QJ2ftu3P3yfD-KU5Cs-3aItfMCEqdNqOYRg3hY3pcB7iCoRWZNIQO_-ikdR00lPQ
        """

    /// `PromotionalOfferV2SignatureCreator`, without a transaction.
    static let offerV2ForAnybody = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQ0RFRkdISUoiLCJ0eXAiOiJKV1QifQ.eyJwcm9kdWN0SWQiOiJwcm8ubW9udGhseSIsI\
        m9mZmVySWRlbnRpZmllciI6IndpbnRlciIsImJpZCI6ImNvbS5leGFtcGxlLmFwcCIsImlzcyI6IjU3MjQ2NTQyLTk2ZmUtMWE2M\
        y1lMDUzLTA4MjRkMDExMDcyYSIsImF1ZCI6InByb21vdGlvbmFsLW9mZmVyIiwiaWF0IjoxNzk1MjQwNjcyLCJub25jZSI6ImJlZ\
        DNlMWUzLWNmNmUtNDQ0Zi1hZGExLTQxMTZhMGNjMTcxZSJ9.GGvzvRLDxgqFwm2F_S4Jbr69R3c8Yuy-eJhY_H871SPuBO_RDNtD\
        5_FDb92KCb_LxNw08sMUOG-bxLfXMAAQrA
        """

    /// `IntroductoryOfferEligibilitySignatureCreator`.
    static let eligibility = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQ0RFRkdISUoiLCJ0eXAiOiJKV1QifQ.eyJwcm9kdWN0SWQiOiJwcm8ubW9udGhseSIsI\
        mFsbG93SW50cm9kdWN0b3J5T2ZmZXIiOmZhbHNlLCJ0cmFuc2FjdGlvbklkIjoiMjAwMDAwMDAwMDAwMDAwMSIsImJpZCI6ImNvb\
        S5leGFtcGxlLmFwcCIsImlzcyI6IjU3MjQ2NTQyLTk2ZmUtMWE2My1lMDUzLTA4MjRkMDExMDcyYSIsImF1ZCI6ImludHJvZHVjd\
        G9yeS1vZmZlci1lbGlnaWJpbGl0eSIsImlhdCI6MTc5NTI0MDY3Miwibm9uY2UiOiI1MjdmYTUwNy00MzhlLTQ2NWMtODI4ZS0zO\
        DY3MjE3YWE1ZjEifQ.AwKt-O33qtlyZYgnz0mFeh6z-96uKrZyZIk1RYsAKqgzaSjCK6HakgriBtlj-hpzrmAEnV0eLFKigbD63l\
        bjoA
        """

    /// `AdvancedCommerceAPIInAppSignatureCreator`, of a `REACTIVATE_SUBSCRIPTION`.
    static let advancedCommerce = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQ0RFRkdISUoiLCJ0eXAiOiJKV1QifQ.eyJyZXF1ZXN0IjoiZXlKeVpYRjFaWE4wU1c1b\
        WJ5STZJSHNpY21WeGRXVnpkRkpsWm1WeVpXNWpaVWxrSWpvZ0lqQmlOMlF3WlROakxUTmtNR0V0TkdNMU15MDRaakJsTFRkbU1HW\
        XlZakJoTkdJeE1TSjlMQ0FpYjNCbGNtRjBhVzl1SWpvZ0lsSkZRVU5VU1ZaQlZFVmZVMVZDVTBOU1NWQlVTVTlPSWl3Z0luWmxjb\
        k5wYjI0aU9pQWlNU0lzSUNKMGNtRnVjMkZqZEdsdmJrbGtJam9nSWpJd01EQXdNREF3TURBd01EQXdNREVpTENBaWFYUmxiWE1pT\
        2lCYmV5SlRTMVVpT2lBaWNHeGhiaTVuYjJ4a0luMWRMQ0FpYzNSdmNtVm1jbTl1ZENJNklDSlZVMEVpZlE9PSIsImJpZCI6ImNvb\
        S5leGFtcGxlLmFwcCIsImlzcyI6IjU3MjQ2NTQyLTk2ZmUtMWE2My1lMDUzLTA4MjRkMDExMDcyYSIsImF1ZCI6ImFkdmFuY2VkL\
        WNvbW1lcmNlLWFwaSIsImlhdCI6MTc5NTI0MDY3Miwibm9uY2UiOiI1NDYzNzAzYS1jNjE5LTQyMjgtYmJkZi03OGVlNzE2MjU4Y\
        jUifQ.V0VDxvikSGZSPh1pglH_y2jD18F6U9Xwr2ODGpT5T39Sgvr-uQ7YsHmVho4EoMtFxlBxQk8DPlrxdgySru0PoQ
        """

    /// The bearer token of `AppStoreServerAPIClient`.
    static let bearerToken = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQ0RFRkdISUoiLCJ0eXAiOiJKV1QifQ.eyJiaWQiOiJjb20uZXhhbXBsZS5hcHAiLCJpc\
        3MiOiI1NzI0NjU0Mi05NmZlLTFhNjMtZTA1My0wODI0ZDAxMTA3MmEiLCJhdWQiOiJhcHBzdG9yZWNvbm5lY3QtdjEiLCJleHAiO\
        jE3OTUyNDA5NzJ9.Zy141AQ9mbIVPJKD162ANdJh_tVhKJyrIdYUFqKEf8rpMwGL_WyDJBnl_PtTZyNfWm57pTIgKeh2DxCLan5h\
        BQ
        """
}
