/// Reviews the settings.
package struct ConfigurationReview: Sendable {
    private let configuration: EffectiveConfiguration

    /// Makes the review.
    package init(_ configuration: EffectiveConfiguration) { self.configuration = configuration }

    /// Every problem and every warning, or one finding if there are none.
    package var findings: [DoctorFinding] {
        let file = configuration.file ?? ""
        let problems = configuration.problems.map { problem in
            DoctorFinding.problem(
                .configuration,
                problem.code.rawValue,
                problem.location,
                "\(problem.key.map { "\($0): " } ?? "")\(problem.message)",
                remedy: "Correct the setting; perennial config defaults prints all settings."
            )
        }
        let warnings = configuration.warnings.map { warning in
            DoctorFinding.warning(
                .configuration,
                "config_questionable",
                file,
                warning,
                remedy: "Correct the setting; perennial config check prints the effective ones."
            )
        }
        var findings = problems + warnings
        let server = configuration.server
        if problems.isEmpty, server.apps.isEmpty, server.storeURLs.isEmpty {
            findings.append(
                .warning(
                    .configuration,
                    "apps_missing",
                    file,
                    "No app is configured; only apps in the database are served.",
                    remedy: "Name each app in the setting apps, or with --app BUNDLE_ID:APPLE_ID."
                )
            )
        }
        guard findings.isEmpty else { return findings }
        return [.ok(.configuration, file, "The settings are valid.")]
    }
}
