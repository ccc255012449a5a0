extension PurchaseRequest.Offer {
    /// The members beside the type that offers of each kind have; a code has a refusal of its own.
    private static let members: [String: Set<String>] = [
        "introductory": ["signature"],
        "promotional": ["identifier", "signature", "keyId", "nonce", "timestamp"],
        "offer_code": ["identifier"],
        "win_back": ["identifier"],
    ]

    /// Refuses what offers of this kind do not have: a test that passes it would check something else than it says.
    ///
    /// - Throws: `field_not_applicable`.
    func checkMembers() throws(StoreError) {
        guard let known = Self.members[type] else { return }
        let given: [(name: String, isThere: Bool)] = [
            ("identifier", identifier != nil), ("signature", signature != nil), ("keyId", keyId != nil),
            ("nonce", nonce != nil), ("timestamp", timestamp != nil),
        ]
        guard let foreign = given.first(where: { $0.isThere && !known.contains($0.name) })?.name else { return }
        let possible = known.sorted().joined(separator: ", ")
        let message = "An offer of the type \(type) has no \(foreign); it has: \(possible)."
        throw StoreError(.fieldNotApplicable, kind: .invalid, message: message, path: "offer.\(foreign)")
    }
}

extension StoreError.Code {
    /// A member has no meaning beside the others.
    public static let fieldNotApplicable = Self(rawValue: "field_not_applicable")
}
