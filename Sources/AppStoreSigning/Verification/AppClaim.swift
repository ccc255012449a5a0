import AppStoreModel

/// The app named in a notification.
struct AppClaim {
    let bundleId: String
    let appAppleId: Int64?
    let environment: AppStoreEnvironment

    /// Whether it names an app, byte for byte: Swift treats a Kelvin sign and the letter K as equal.
    func isAbout(_ bundleId: String) -> Bool {
        self.bundleId.hasSameBytes(as: bundleId)
    }
}

extension String {
    /// Whether both are the same bytes, not only canonically equivalent.
    func hasSameBytes(as other: String) -> Bool {
        self == other && utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

extension ResponseBodyV2DecodedPayload {
    /// The app from the member that the notification has; `nil` if none names one.
    var appClaim: AppClaim? {
        if let data {
            return AppClaim(bundleId: data.bundleId, appAppleId: data.appAppleId, environment: data.environment)
        }
        if let summary {
            return AppClaim(
                bundleId: summary.bundleId,
                appAppleId: summary.appAppleId,
                environment: summary.environment
            )
        }
        if let appData {
            return AppClaim(
                bundleId: appData.bundleId,
                appAppleId: appData.appAppleId,
                environment: appData.environment
            )
        }
        if let token = externalPurchaseToken {
            // The token's identifier is the only indication of its environment.
            let isSandbox = token.externalPurchaseId.hasPrefix("SANDBOX")
            return AppClaim(
                bundleId: token.bundleId,
                appAppleId: token.appAppleId,
                environment: isSandbox ? .sandbox : .production
            )
        }
        return undocumentedClaim
    }

    /// The app in an undocumented position: beside the seats of `unclaimInfo`, or in a new member.
    private var undocumentedClaim: AppClaim? {
        var candidates = unknownFields.members.compactMap { member -> JSONObject? in
            guard case .object(let object) = member.value else { return nil }
            return object
        }
        if let unclaimInfo {
            candidates.insert(unclaimInfo.unknownFields, at: 0)
        }
        for candidate in candidates {
            guard
                case .string(let bundleId) = candidate["bundleId"],
                case .string(let environment) = candidate["environment"]
            else { continue }
            var appAppleId: Int64?
            if case .integer(let number) = candidate["appAppleId"] { appAppleId = number }
            return AppClaim(
                bundleId: bundleId,
                appAppleId: appAppleId,
                environment: AppStoreEnvironment(rawValue: environment)
            )
        }
        return nil
    }
}
