import AppStoreModel
import ArgumentParser
import PerennialCommandSupport

/// `perennial notifications switch-v2`: guides the move from version 1 notifications to version 2.
struct SwitchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "switch-v2",
        abstract: "Guide the switch from version 1 notifications to version 2, sandbox first.",
        discussion: """
            Run it again and again: it prints what is done, what is to do, and what to wait for. It changes nothing, \
            except that Apple sends a test notification. Apple advises to switch the sandbox alone first, so a key \
            of production needs the key of the sandbox app too. After the switch, Apple may repeat version 1 \
            notifications for 78 hours. The exit status is 0 when no version 1 notification can arrive, and 1 before.

            Example:
              perennial notifications switch-v2 --key-file sandbox.txt
              perennial notifications switch-v2 --key-file p.txt --sandbox-key-file s.txt
            """
    )

    @OptionGroup var connection: ServerOptions

    @Option(help: ArgumentHelp("A file with the secret key of the sandbox app.", valueName: "file"))
    var sandboxKeyFile: InputFile?

    @Flag(help: "Switch production without a look at the sandbox.")
    var withoutSandbox = false

    @Option(help: ArgumentHelp("The URL for App Store Connect (default: of --server).", valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("How long to wait for the test notification.", valueName: "seconds"))
    var wait = 60

    @Flag(help: "Print one JSON object, {finished, environment, steps: [{step, state, message}]}.")
    var json = false

    func validate() throws {
        guard (0...3600).contains(wait) else { throw ValidationError("--wait must be from 0 to 3600.") }
    }

    func run() async throws {
        try await connection.withCalls { calls in
            let facts = try await facts(calls)
            guard facts.isProduction || sandboxKeyFile == nil else {
                throw InputError(
                    .malformed,
                    """
                    the key of --key-file or PERENNIAL_API_SECRET_KEY is one of the sandbox: give the key of the \
                    production app there, and that of the sandbox app with --sandbox-key-file
                    """
                )
            }
            var steps: [SwitchPlan.Step] = []
            if facts.isProduction, !withoutSandbox { steps.append(try await sandbox(of: facts, calls)) }
            // Production waits for the sandbox.
            if steps.allSatisfy({ $0.state == .done }) {
                steps += try await self.steps(SwitchPlan(facts: facts), calls)
            }
            if url != nil, !steps.contains(where: { $0.name == "url" }) {
                let isSwitched = facts.firstVersionTwoAt != nil
                let reason = isSwitched ? "version 2 arrives already" : "the sandbox is switched first"
                StandardError.printLine("note: the URL of --url was not checked, because \(reason)")
            }
            let isFinished = steps.allSatisfy { $0.state == .done }
            print(steps, isFinished: isFinished, environment: facts.isProduction ? "production" : "sandbox")
            guard isFinished else { throw ExitCode.failure }
        }
    }

    private func facts(_ calls: ServerCalls) async throws -> SwitchPlan.Facts {
        let object = try await calls.get("/v1/apple/notification_versions")
        guard let facts = SwitchPlan.Facts(object) else {
            throw ServerCallError(
                code: "answer_unexpected",
                message: "\(calls.url.text) did not say which versions arrive: update the server"
            )
        }
        return facts
    }

    private func steps(_ plan: SwitchPlan, _ calls: ServerCalls) async throws -> [SwitchPlan.Step] {
        guard !plan.isSwitched else { return [plan.change, plan.retries] }
        let checks = SwitchChecks(
            server: calls,
            url: url ?? "\(calls.url.text)/v1/apple/notifications",
            wait: .seconds(wait)
        )
        let answer = await checks.answer()
        guard answer.state == .done else { return [answer] }
        let test = try await checks.test()
        guard test.state == .done else { return [answer, test] }
        return [answer, test, plan.change, plan.retries]
    }

    /// Whether the sandbox of a production app is switched.
    private func sandbox(of app: SwitchPlan.Facts, _ calls: ServerCalls) async throws -> SwitchPlan.Step {
        guard let sandboxKeyFile else {
            return SwitchPlan.Step(
                name: "sandbox",
                state: .toDo,
                message: "Switch the sandbox alone first: run this command with the key of the sandbox app. Then give "
                    + "it with --sandbox-key-file. --without-sandbox leaves this out."
            )
        }
        let plan = SwitchPlan(facts: try await sandboxFacts(sandboxKeyFile, calls))
        guard !plan.facts.isProduction else {
            throw InputError(.malformed, "--sandbox-key-file has a key of production: give a key of the sandbox app")
        }
        guard plan.facts.bundleID == app.bundleID else {
            throw InputError(
                .malformed,
                """
                --sandbox-key-file has a key of \(plan.facts.bundleID ?? "another app"), and production is \
                \(app.bundleID ?? "another app"): give keys of the same app
                """
            )
        }
        let open = [plan.change, plan.retries].first { $0.state != .done }
        return SwitchPlan.Step(
            name: "sandbox",
            state: open?.state ?? .done,
            message: open?.message ?? plan.change.message
        )
    }

    /// What the server says about the app of the other key. An error about that key names its option.
    private func sandboxFacts(_ file: InputFile, _ calls: ServerCalls) async throws -> SwitchPlan.Facts {
        do {
            let key = try ServerOptions.key(file, environment: [:])
            return try await facts(ServerCalls(url: calls.url, key: key, transport: calls.transport))
        } catch let error as CredentialError {
            throw CredentialError(code: error.code, message: "--sandbox-key-file: \(error.message)")
        } catch var error as ServerCallError where error.status == 401 || error.status == 403 {
            error.message = "--sandbox-key-file: \(error.message)"
            throw error
        }
    }

    private func print(_ steps: [SwitchPlan.Step], isFinished: Bool, environment: String) {
        if json {
            let object: JSONObject = [
                "finished": .bool(isFinished),
                "environment": .string(environment),
                "steps": .array(
                    steps.map { step in
                        [
                            "step": .string(step.name), "state": .string(step.state.rawValue),
                            "message": .string(step.message),
                        ]
                    }
                ),
            ]
            StandardOutput.printLine(String(decoding: object.serialize(), as: UTF8.self))
            return
        }
        StandardOutput.printLine("\(environment): \(isFinished ? "finished" : "not finished")")
        for step in steps {
            let state = step.state.rawValue.replacing("_", with: " ")
            StandardOutput.printLine("  \(step.name): \(state). \(TerminalText.escaped(step.message))")
        }
    }
}
