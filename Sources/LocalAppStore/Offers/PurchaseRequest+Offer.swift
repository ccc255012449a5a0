extension PurchaseRequest.Offer {
    /// The allowed members of each offer type; codes have their own error.
    private static let members: [String: Set<String>] = [
        "introductory": ["signature"],
        "promotional": ["identifier", "signature", "keyId", "nonce", "timestamp"],
        "offer_code": ["identifier"],
        "win_back": ["identifier"],
    ]

    /// Refuses members that do not belong to this offer type, because the test would not check what it claims.
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
        throw StoreError(.fieldNotApplicable, message, path: "offer.\(foreign)")
    }
}

extension StoreError.Code {
    /// The error for a member that does not fit the others.
    public static let fieldNotApplicable = Self("field_not_applicable", .invalid)
}
