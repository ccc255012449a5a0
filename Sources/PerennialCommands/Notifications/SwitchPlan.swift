import AppStoreModel

/// What is done and what is to do to move one environment from version 1 notifications to version 2.
///
/// It is a function of what the server knows, so the guide can run again and again.
struct SwitchPlan: Hashable {
    /// A step and how far it is.
    struct Step: Hashable {
        enum State: String {
            case done
            case toDo = "to_do"
            case waiting
        }

        /// A stable name.
        let name: String
        let state: State
        /// What was found, or what to do.
        let message: String
    }

    /// What the server says about an environment.
    struct Facts: Hashable {
        var isProduction: Bool
        /// The bundle id of the app; nil if it is not known.
        var bundleID: String?
        var evaluatedAt: Int64
        var lastVersionOneAt: Int64?
        var firstVersionTwoAt: Int64?

        /// Reads the answer to `GET /v1/apple/notification_versions`.
        init?(_ object: JSONObject) {
            guard let environment = object["environment"]?.stringValue,
                let evaluatedAt = object["evaluated_at"]?.integerValue
            else { return nil }
            isProduction = environment == "production"
            bundleID = object["bundle_id"]?.stringValue
            self.evaluatedAt = evaluatedAt
            lastVersionOneAt = object["version_1"]?.objectValue?["last_received_at"]?.integerValue
            firstVersionTwoAt = object["version_2"]?.objectValue?["first_received_at"]?.integerValue
        }

        init(isProduction: Bool, evaluatedAt: Int64, lastVersionOneAt: Int64? = nil, firstVersionTwoAt: Int64? = nil) {
            self.isProduction = isProduction
            self.evaluatedAt = evaluatedAt
            self.lastVersionOneAt = lastVersionOneAt
            self.firstVersionTwoAt = firstVersionTwoAt
        }
    }

    /// The time within which a change in App Store Connect takes effect.
    ///
    /// - Units: milliseconds.
    /// - Source: App Store Connect Help, "Enter server URLs for App Store Server Notifications": up to one hour.
    static let changeMilliseconds: Int64 = 3_600_000

    /// The time after the first attempt at which Apple makes the last one of a version 1 notification.
    ///
    /// In production, attempts follow 6, 24 and 48 hours after one another. The sandbox makes one attempt.
    ///
    /// - Units: milliseconds.
    /// - Source: App Store Server Notifications, "Responding to App Store Server Notifications", version 1.
    static func retryMilliseconds(isProduction: Bool) -> Int64 { isProduction ? (6 + 24 + 48) * 3_600_000 : 0 }

    private static let secretRemedy =
        "Remove the shared secret from app_store.shared_secret if no other environment needs it."

    let facts: Facts

    /// The last time at which a version 1 notification can arrive; nil before the switch.
    var endOfVersionOne: Int64? {
        guard let first = facts.firstVersionTwoAt else { return nil }
        let later = Self.changeMilliseconds + Self.retryMilliseconds(isProduction: facts.isProduction)
        // One that arrives after its last possible attempt was sent by an URL that has version 1 again.
        guard let last = facts.lastVersionOneAt, last > first + later else { return first + later }
        return last + later
    }

    /// Whether version 1 notifications arrive that no retry explains.
    var isVersionOneBack: Bool {
        guard let first = facts.firstVersionTwoAt, let last = facts.lastVersionOneAt else { return false }
        return last > first + Self.changeMilliseconds + Self.retryMilliseconds(isProduction: facts.isProduction)
    }

    /// Whether version 2 arrives, so that the URL and the test notification need no check.
    var isSwitched: Bool { facts.firstVersionTwoAt != nil }

    /// The step in App Store Connect.
    var change: Step {
        if let first = facts.firstVersionTwoAt {
            return Step(
                name: "switch",
                state: .done,
                message: "Version 2 notifications arrive since \(Self.text(first))."
            )
        }
        let last = facts.lastVersionOneAt.map { " The last version 1 notification arrived at \(Self.text($0))." } ?? ""
        let name = facts.isProduction ? "Production" : "Sandbox"
        return Step(
            name: "switch",
            state: .toDo,
            message: "In App Store Connect, open the app, App Information, App Store Server Notifications, \(name) "
                + "Server URL, and choose Version 2. The change takes up to an hour.\(last) Run this command again "
                + "after the first purchase or renewal."
        )
    }

    /// The late retries of version 1.
    var retries: Step {
        guard let end = endOfVersionOne else {
            return Step(name: "retries", state: .waiting, message: "Begins with the first version 2 notification.")
        }
        let last = facts.lastVersionOneAt.map { "the last one arrived at \(Self.text($0))" } ?? "none has arrived"
        guard !isVersionOneBack else {
            // No notification at all may have arrived since, so the time alone does not show which version the URL has.
            let isQuiet = facts.evaluatedAt >= end
            let rest = isQuiet ? " If it is version 2, none can arrive any more. \(Self.secretRemedy)" : ""
            return Step(
                name: "retries",
                state: .toDo,
                message: "Version 1 notifications arrived again (\(last)). Check the version of the URL in App Store "
                    + "Connect.\(rest)"
            )
        }
        guard facts.evaluatedAt < end else {
            return Step(
                name: "retries",
                state: .done,
                message: "No version 1 notification can arrive any more (\(last)). \(Self.secretRemedy)"
            )
        }
        return Step(
            name: "retries",
            state: .waiting,
            message: "A version 1 notification can be repeated until \(Self.text(end)) (\(last)). Keep the URL and the "
                + "shared secret until then."
        )
    }

    private static func text(_ milliseconds: Int64) -> String {
        UTCTime.text(milliseconds: milliseconds) ?? "\(milliseconds)"
    }
}
