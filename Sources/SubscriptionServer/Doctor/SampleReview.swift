import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// Derives a sample of an app's data again and compares it with what is stored.
struct SampleReview: Sendable {
    let app: AppID
    let database: any SubscriptionDatabase
    let policy: AccessPolicy
    /// The sequence number of the newest notification; 0 if there is none.
    let newestSequence: Int64

    func finding() async -> DoctorFinding {
        let verification = RebuildVerification(database: database, policy: policy)
        // The newest inputs were derived by the running version.
        let start = max(0, newestSequence - Int64(RebuildVerification.inputsPerPage))
        var first: RebuildDifference?
        var unreadable: RebuildDifference?
        do throws(OperationError) {
            let summary = try await verification.verifySample(of: app, after: start) { differences in
                first = first ?? differences.first
                unreadable = unreadable ?? differences.first(where: { $0.code == .evidenceUnreadable })
            }
            return Self.finding(app, summary, first: unreadable ?? first)
        } catch {
            let message = "The sample could not be read: \(error.message)"
            let remedy = DoctorFinding.remedyOfFailedRead(error.code)
            return .problem(.sample, error.code, app.rawValue, message, remedy: remedy)
        }
    }

    static func finding(
        _ app: AppID,
        _ summary: RebuildVerification.Summary,
        first: RebuildDifference?
    ) -> DoctorFinding {
        let sample = "\(summary.inputs) inputs and \(summary.purchases) purchases"
        guard let first, summary.differences > 0 else {
            return .ok(.sample, app.rawValue, "A sample of \(sample) follows from the stored evidence.")
        }
        let found = "A sample of \(sample) has \(summary.differences) differences"
        let owner = first.purchaseID.map { " of purchase \($0.rawValue)" } ?? ""
        guard first.code == .evidenceUnreadable else {
            let message = "\(found); the first: \(first.code.rawValue)\(owner)."
            let remedy = "Run perennial rebuild --verify, and perennial rebuild --apply to repair what differs."
            return .problem(.sample, "sample_differs", app.rawValue, message, remedy: remedy)
        }
        let input = first.evidenceID?.rawValue ?? first.sequence.map { "number \($0)" } ?? ""
        return .problem(
            .sample,
            "sample_differs",
            app.rawValue,
            "\(found), among them: evidence_unreadable, input \(input)\(owner).",
            remedy:
                "Run perennial rebuild --verify to see all inputs that cannot be read, and copy their rows from a "
                + "backup (operation.md, \"Inputs that cannot be read\")."
        )
    }
}
