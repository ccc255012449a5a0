import SubscriptionStorage

/// One result of `perennial doctor`: what was checked, whether it is right, and what to do.
package struct DoctorFinding: Hashable, Sendable {
    /// What was checked, in the order of the output. The raw values are stable.
    package enum Check: String, Sendable, CaseIterable {
        /// The settings.
        case configuration
        /// A followed local store.
        case store
        /// The database and its tables.
        case database
        /// The space and the permissions of the database file.
        case disk
        /// A trusted root certificate.
        case root
        /// Whether the App Store Server API answers.
        case appStore = "app_store"
        /// The machine's clock.
        case clock
        /// A key for the App Store Server API.
        case key
        /// A notification that Apple sends for this check.
        case testNotification = "test_notification"
        /// When notifications arrived.
        case lastNotification = "last_notification"
        /// The comparison of Apple's notification history with the database.
        case recovery
        /// The endpoints of webhooks.
        case webhooks
        /// A sample of the derived data.
        case sample
    }

    /// The result of a check. The raw values are stable.
    package enum Status: String, Sendable, CaseIterable {
        /// It is right.
        case ok
        /// It could not be checked, because something else is missing.
        case skipped
        /// It needs attention.
        case warning
        /// It does not work.
        case problem
    }

    /// What was checked.
    package let check: Check
    /// The result.
    package let status: Status
    /// The stable reason of a warning or a problem, in `snake_case`.
    package let code: String?
    /// The app, file or address; empty for the whole server.
    package let subject: String
    /// What was found.
    package let message: String
    /// What to do; nil if there is nothing to do.
    package let remedy: String?

    private init(
        _ check: Check,
        _ status: Status,
        _ code: String?,
        _ subject: String,
        _ message: String,
        _ remedy: String?
    ) {
        self.check = check
        self.status = status
        self.code = code
        self.subject = subject
        self.message = message
        self.remedy = remedy
    }

    static func ok(_ check: Check, _ subject: String, _ message: String) -> DoctorFinding {
        DoctorFinding(check, .ok, nil, subject, message, nil)
    }

    static func skipped(_ check: Check, _ subject: String, _ message: String) -> DoctorFinding {
        DoctorFinding(check, .skipped, nil, subject, message, nil)
    }

    static func warning(
        _ check: Check,
        _ code: String,
        _ subject: String,
        _ message: String,
        remedy: String
    ) -> DoctorFinding {
        DoctorFinding(check, .warning, code, subject, message, remedy)
    }

    static func problem(
        _ check: Check,
        _ code: String,
        _ subject: String,
        _ message: String,
        remedy: String
    ) -> DoctorFinding {
        DoctorFinding(check, .problem, code, subject, message, remedy)
    }
}

extension DoctorFinding {
    /// What to do if stored data could not be read.
    static func remedyOfFailedRead(_ code: String) -> String {
        code == StorageError.Code.corrupt.rawValue
            ? "Run perennial rebuild --verify, which names rows that cannot be read (operation.md, \"Rebuild\")."
            : "Check the database, or restore a backup."
    }
}

extension [DoctorFinding] {
    /// In the order of the checks; findings of one check stay in their order.
    func inOrderOfChecks() -> [DoctorFinding] {
        DoctorFinding.Check.allCases.flatMap { check in filter { $0.check == check } }
    }

    /// The worst status; what was skipped counts as right.
    package var worst: DoctorFinding.Status {
        for status in [DoctorFinding.Status.problem, .warning] where contains(where: { $0.status == status }) {
            return status
        }
        return .ok
    }
}
