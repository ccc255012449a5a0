import AppStoreModel

/// The members of a configuration file that the store reads, and those that are only labels.
private indirect enum FileShape: Sendable {
    /// Read directly, or a label without effect on payloads and rules.
    case known
    case object([String: FileShape])
    case list(FileShape)

    static let offer = FileShape.object([
        "displayPrice": .known, "internalID": .known, "numberOfPeriods": .known, "offerID": .known,
        "paymentMode": .known, "referenceName": .known, "subscriptionPeriod": .known,
    ])

    static let codeOffer = offer.with(["eligibility": .known, "isStackable": .known])

    static let winBackOffer = offer.with([
        "customerEligibilityPaidSubscriptionDurationInMonths": .known,
        "customerEligibilityTimeSinceLastSubscribedInMonths": .object(["minimum": .known, "maximum": .known]),
        "customerEligibilityWaitBetweenOffersInMonths": .known, "startDate": .known, "endDate": .known,
        "priority": .known,
    ])

    static let product = FileShape.object([
        "codeOffers": .list(
            .object([
                "displayPrice": .known, "internalID": .known, "offerID": .known, "paymentMode": .known,
                "referenceName": .known,
            ])
        ),
        "displayPrice": .known, "familyShareable": .known, "internalID": .known, "localizations": .known,
        "productID": .known, "referenceName": .known, "type": .known,
    ])

    static let subscription = FileShape.object([
        "adHocOffers": .list(offer), "codeOffers": .list(codeOffer), "displayPrice": .known,
        "familyShareable": .known, "groupNumber": .known, "internalID": .known, "introductoryOffer": offer,
        "introductoryOffers": .list(offer), "localizations": .known, "productID": .known,
        "recurringSubscriptionPeriod": .known, "referenceName": .known, "subscriptionGroupID": .known,
        "type": .known, "winbackOffers": .list(winBackOffer),
    ])

    static let settings = FileShape.object([
        "_applicationInternalID": .known, "_billingGracePeriodEnabled": .known, "_developerTeamID": .known,
        "_lastSynchronizedDate": .known, "_locale": .known, "_storefront": .known,
    ])

    static let file = FileShape.object([
        "appPolicies": .known, "identifier": .known, "nonRenewingSubscriptions": .list(product),
        "products": .list(product), "settings": settings,
        "subscriptionGroups": .list(
            .object([
                "id": .known, "localizations": .known, "name": .known, "subscriptions": .list(subscription),
            ])
        ),
        "subscriptionOffersKeyPair": .object(["id": .known, "privateKey": .known]), "version": .known,
    ])

    private func with(_ more: [String: FileShape]) -> FileShape {
        guard case .object(let members) = self else { return self }
        return .object(members.merging(more) { first, _ in first })
    }
}

extension Catalog {
    /// The paths of members that the store does not simulate, in the order of the file.
    ///
    /// Members without a value (absent, `null`, `false`, empty) and labels without effect are left out. So is a list of
    /// simulated errors in which none is enabled.
    static func ignoredPaths(in root: JSONObject) -> [String] {
        var paths: [String] = []
        collectIgnored(.object(root), shape: .file, path: "", into: &paths)
        return paths
    }

    private static func collectIgnored(
        _ value: JSONValue,
        shape: FileShape?,
        path: String,
        into paths: inout [String]
    ) {
        switch (shape, value) {
        case (.known, _): return
        case (.object(let members), .object(let object)):
            for key in object.keys {
                let memberPath = path.isEmpty ? key : "\(path).\(key)"
                collectIgnored(object[key] ?? .null, shape: members[key], path: memberPath, into: &paths)
            }
        case (.list(let element), .array(let values)):
            for (index, inner) in values.enumerated() {
                collectIgnored(inner, shape: element, path: "\(path)[\(index)]", into: &paths)
            }
        default:
            if saysSomething(value) { paths.append(path) }
        }
        if path.hasSuffix(".introductoryOffers"), case .array(let values) = value {
            paths += values.indices.dropFirst().map { "\(path)[\($0)]" }
        }
    }

    private static func saysSomething(_ value: JSONValue) -> Bool {
        switch value {
        case .null: false
        case .bool(let flag): flag
        case .string(let text): !text.isEmpty
        case .array(let values): values.contains(where: saysSomething)
        // A simulated error has a name even when it is disabled.
        case .object(let object):
            if let enabled = object["enabled"]?.boolValue {
                enabled
            } else {
                object.keys.contains { saysSomething(object[$0] ?? .null) }
            }
        default: true
        }
    }
}
