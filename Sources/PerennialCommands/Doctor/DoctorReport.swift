import AppStoreModel
import PerennialCommandSupport
import SubscriptionServer

/// The output of `perennial doctor`.
struct DoctorReport {
    private let findings: [DoctorFinding]

    init(_ findings: [DoctorFinding]) { self.findings = findings }

    /// One line for each finding, with the remedy below it, and a line with the counts.
    var lines: [String] {
        var lines: [String] = []
        for finding in findings {
            let subject = finding.subject.isEmpty ? "" : " \(finding.subject)"
            let line = "\(finding.status.mark) \(finding.check.rawValue)\(subject): \(finding.message)"
            lines.append(TerminalText.escaped(line))
            if let remedy = finding.remedy { lines.append(TerminalText.escaped("     \(remedy)")) }
        }
        let counts = [text(.problem, "problem"), text(.warning, "warning"), "\(text(.ok, "check")) ok"]
        return lines + [counts.joined(separator: ", ")]
    }

    /// One line of JSON.
    var jsonLine: String {
        var object = JSONObject()
        object["status"] = .string(findings.worst.rawValue)
        object["findings"] = .array(findings.map { .object(Self.json($0)) })
        return String(decoding: JSONValue.object(object).serialize(), as: UTF8.self)
    }

    private func text(_ status: DoctorFinding.Status, _ noun: String) -> String {
        let count = findings.count { $0.status == status }
        return "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    private static func json(_ finding: DoctorFinding) -> JSONObject {
        [
            "check": .string(finding.check.rawValue),
            "status": .string(finding.status.rawValue),
            "code": finding.code.map { .string($0) } ?? .null,
            "subject": .string(finding.subject),
            "message": .string(finding.message),
            "remedy": finding.remedy.map { .string($0) } ?? .null,
        ]
    }
}

extension DoctorFinding.Status {
    /// The first word of a line; all have the same length.
    fileprivate var mark: String {
        switch self {
        case .ok: "ok  "
        case .skipped: "skip"
        case .warning: "warn"
        case .problem: "FAIL"
        }
    }
}
