import AppStoreModel
public import ArgumentParser
import Foundation
import PerennialCommandSupport
import SubscriptionCore
import SubscriptionOperations
public import SubscriptionStorage

/// `perennial audit verify`.
struct AuditVerifyCommand: AsyncParsableCommand {
    /// The most bytes that are read at once.
    private static let pieceBytes = 1 << 16

    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check the audit log of the database, or of an exported file.",
        discussion: """
            It finds changed, missing, added, repeated and misplaced entries. Each app has a chain of its own. Entries \
            from before the chain are only counted. Entries of erased customers keep their position, without their \
            content.

            The last entry of each app is printed as its head. Note it somewhere else, and give it later with --head: \
            then also somebody who can write to the database cannot replace the entries up to it unseen. Missing \
            entries at the end of a file are found only with --head.

            The exit status is 0 if everything holds, and 1 otherwise.

            Example:
              perennial audit verify
              perennial audit verify --bundle-id com.example.app --environment production --head 1200:9f86d0…
              perennial audit verify audit.ndjson
            """
    )

    @Argument(help: ArgumentHelp("A file of perennial audit export, or - for standard input.", valueName: "file"))
    var file: InputFile?

    @OptionGroup var source: AuditSource

    @Option(
        help: ArgumentHelp("A head that was noted earlier. It may be repeated.", valueName: "sequence:digest")
    )
    var head: [AuditHead] = []

    @Option(
        help: ArgumentHelp(
            "The head before the file's first entry, for a file of export --after.",
            valueName: "sequence:digest"
        )
    )
    var after: AuditHead?

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard head.isEmpty || file != nil || (source.bundleId != nil && source.environment != nil) else {
            throw ValidationError("--head needs --bundle-id and --environment, because each app has its own chain.")
        }
        guard after == nil || file != nil else { throw ValidationError("--after needs a file.") }
        if let after, head.contains(where: { $0.sequence <= after.sequence }) {
            throw ValidationError("--head must be after --after: the file has no earlier entries to compare.")
        }
        guard file == nil || (source.database == nil && source.config == nil) else {
            throw ValidationError("Give a file or a database, not both.")
        }
    }

    func run() async throws {
        let checks = try await checks().sorted { $0.key < $1.key }
        if json {
            printJSON(checks)
        } else {
            for (app, check) in checks { printText(check, of: app) }
        }
        guard checks.allSatisfy({ $0.value.findings.isEmpty }) else { throw ExitCode.failure }
    }

    private func checks() async throws -> [AppID: AuditCheck] {
        if let file { return try checks(of: file) }
        return try await source.use { database, apps in
            var checks: [AppID: AuditCheck] = [:]
            for app in apps {
                checks[app] = try await AuditVerification(database: database).check(app, containing: head)
            }
            return checks
        }
    }

    private func checks(of file: InputFile) throws -> [AppID: AuditCheck] {
        var checks: [AppID: AuditCheck] = [:]
        var lines = LineReader()
        do {
            let handle = try file.open()
            while let piece = try handle.read(upToCount: Self.pieceBytes), !piece.isEmpty {
                var complete: [(line: [UInt8], number: Int)] = []
                try lines.read(Array(piece)[...]) { line, number throws(StorageError) in complete.append((line, number))
                }
                for (line, number) in complete { try check(line, number, &checks, file) }
            }
        } catch let error as InputError {
            throw CommandFailure.report("\(error)", status: .failed)
        }
        guard !lines.hasRest else {
            throw CommandFailure.report(
                "input_malformed: \(file.name) ends within line \(lines.line + 1): export it again",
                status: .failed
            )
        }
        guard !checks.isEmpty else {
            throw CommandFailure.report(
                "input_empty: \(file.name) has no entries for these options: check the file and --bundle-id",
                status: .failed
            )
        }
        guard checks.count == 1 || (head.isEmpty && after == nil) else {
            throw CommandFailure.report(
                "app_required: \(file.name) has several apps: name one with --bundle-id and --environment",
                status: .failed
            )
        }
        return checks.mapValues { check in
            var check = check
            check.finish(hasEarlier: after == nil)
            return check
        }
    }

    private func check(_ line: [UInt8], _ number: Int, _ checks: inout [AppID: AuditCheck], _ file: InputFile) throws {
        guard let (app, entry) = AuditLine.entry(of: line) else {
            throw InputError(
                .malformed,
                "line \(number) of \(file.name) is not a line of perennial audit export: check the file"
            )
        }
        guard
            (source.bundleId ?? app.bundleID) == app.bundleID,
            source.environment == nil || source.environment == app.environment
        else { return }
        checks[app, default: AuditCheck(app, after: after, containing: head)].check(entry)
    }

    private func printText(_ check: AuditCheck, of app: AppID) {
        let name = TerminalText.escapedLine(app.rawValue)
        for finding in check.findings {
            let location = finding.sequence.map { "entry \($0): " } ?? ""
            // The message may contain text of a file that somebody wrote.
            let message = TerminalText.escapedLine(finding.message)
            StandardOutput.printLine("\(name): \(finding.code.rawValue): \(location)\(message)")
        }
        var line = "\(name): \(check.checked) entries checked, \(check.findings.count) findings"
        if check.erased > 0 { line += ", \(check.erased) of erased customers" }
        if check.earlier > 0 { line += ", \(check.earlier) from before the chain not checked" }
        StandardOutput.printLine(line)
        if check.isUnlinked {
            StandardOutput.printLine(
                "\(name): warning: no entry is linked, so nothing is proved. That is right only if nothing was written "
                    + "since the upgrade to a version with the chain. Give a head that was noted since "
                    + "then with --head."
            )
        }
        guard let last = check.head else { return }
        StandardOutput.printLine("\(name): head \(last.text)")
        if file != nil, head.isEmpty {
            StandardOutput.printLine(
                "\(name): the file proves nothing about entries after this head; compare it with --head"
            )
        }
    }

    private func printJSON(_ checks: [(key: AppID, value: AuditCheck)]) {
        var object = JSONObject()
        object["verified"] = .bool(checks.allSatisfy { $0.value.findings.isEmpty })
        object["apps"] = .array(
            checks.map { app, check in
                var object = JSONObject()
                object["app_id"] = .string(app.rawValue)
                object["checked"] = .integer(Int64(check.checked))
                object["erased"] = .integer(Int64(check.erased))
                object["before_chain"] = .integer(Int64(check.earlier))
                object["unlinked"] = .bool(check.isUnlinked)
                object["head"] = check.head.map { .string($0.text) } ?? .null
                object["findings"] = .array(
                    check.findings.map { finding in
                        var object = JSONObject()
                        object["code"] = .string(finding.code.rawValue)
                        object["sequence"] = finding.sequence.map { .integer($0) } ?? .null
                        object["message"] = .string(finding.message)
                        return .object(object)
                    }
                )
                return .object(object)
            }
        )
        StandardOutput.printLine(String(decoding: object.serialize(), as: UTF8.self))
    }
}

extension AuditHead: ExpressibleByArgument {
    /// Reads `sequence:digest`.
    public init?(argument: String) { self.init(text: argument) }
}
