public import ArgumentParser
import AppStoreClient
import AppStoreModel
import Foundation
import PerennialCommandSupport

/// `perennial api`: any call of Apple's server APIs by name.
public struct APICommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "api",
        abstract: "Make any call of the App Store Server API and of Apple's related APIs.",
        discussion: """
            perennial api --list lists the calls; with the name of a call, it describes that call. The values of the \
            path follow the name. Credentials come from the options, then from PERENNIAL_API_KEY_FILE, \
            PERENNIAL_API_KEY_ID, PERENNIAL_API_ISSUER_ID, PERENNIAL_API_BUNDLE_ID and PERENNIAL_API_ENVIRONMENT, then \
            from the file of --config. With --store, a local store provides them. Signed data in a response is \
            decoded but not verified. The exit status is 0 if the call succeeded, otherwise 1.

            Example:
              perennial api get-transaction-info 2000000000000001 --json
              perennial api get-transaction-history 2000000000000001 --all \\
                --query sort=DESCENDING --environment production
              perennial api get-notification-history \\
                --field startDate=2026-01-01 --field endDate=2026-01-31
              perennial api request-test-notification --store http://127.0.0.1:8081
            """
    )

    @Argument(help: "The name of the call; --list shows all names.")
    var call: String?

    @Argument(help: ArgumentHelp("The values of the call's path, in order.", valueName: "value"))
    var values: [String] = []

    @Flag(help: "List the calls with method, path and limit, or describe the named call.")
    var list = false

    @Option(
        help: ArgumentHelp(
            "A query parameter; repeatable. Dates may be ISO 8601 or milliseconds since 1970.",
            valueName: "name=value"
        )
    )
    var query: [String] = []

    @Option(help: ArgumentHelp("The body: a JSON object or a PNG image; - reads standard input.", valueName: "file"))
    var body: InputFile?

    @Option(
        help: ArgumentHelp(
            "A member of a JSON body, instead of --body; repeatable. name=value is a text, or a time if the name ends "
                + "in Date; name:=value is JSON.",
            valueName: "name=value"
        )
    )
    var field: [String] = []

    @Flag(help: "Request all pages; with --json, print one line for each page.")
    var all = false

    @Flag(help: "Print the response unchanged; for a failure, {error: {code, message, …}}.")
    var json = false

    @OptionGroup(title: "Credentials") var credentials: CredentialOptions
    @OptionGroup(title: "Target") var target: APITargetOptions

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Refuses invalid calls before anything is read or sent.
    public func validate() throws {
        if list {
            guard values.isEmpty else { throw ValidationError("--list takes at most the name of a call.") }
        } else if call == nil {
            throw ValidationError("Give the name of a call; perennial api --list shows all names.")
        }
        guard field.isEmpty || body == nil else { throw ValidationError("Give --body or --field, not both.") }
    }

    /// Makes the call, or lists the calls.
    public func run() async throws {
        do {
            guard let name = call else { return print(CallList.text(json: json)) }
            let call = try CallArguments.call(named: name)
            if list { return print(CallList.text(of: call, json: json)) }
            let request = try CallArguments(call: call, values: values, query: query, fields: field, body: body)
            guard !all || call.pageParameter != nil else {
                throw UsageError("\(call.name) has no pages: omit --all.")
            }
            try await send(request)
        } catch let error as UsageError {
            throw CommandFailure.report("wrong_usage: \(error)", status: .wrongUsage)
        } catch let error as InputError {
            throw CommandFailure.report("\(error)", status: .failed)
        } catch let error as MissingSetting {
            throw CommandFailure.report("\(error)", status: .wrongConfiguration)
        } catch let error as CredentialError {
            throw CommandFailure.report("\(error)", status: .wrongConfiguration)
        } catch let error as LocalStoreError {
            throw CommandFailure.report("\(error)", status: .failed)
        } catch let error as AppStoreClientError {
            let report = CallFailureReport(error: error)
            if json { print(String(decoding: report.json.serialize(), as: UTF8.self)) }
            throw CommandFailure.report(report.text, status: .failed)
        }
    }

    private func send(_ request: CallArguments) async throws {
        let environment = ProcessInfo.processInfo.environment
        let settings = try target.settings(credentials: credentials, environment: environment)
        if case .server(let url) = settings.target, url.isExposed {
            StandardError.printLine("warning: \(url.text) uses plain HTTP: others can read the bearer token")
        }
        let transport = AsyncHTTPClientTransport()
        do {
            let app = try await settings.app(transport: transport).within(.seconds(target.deadline))
            let printer = AnswerPrinter(json: json, compact: all)
            if all {
                let pages = app.pages(of: request.call, path: request.path, query: request.query, body: request.body)
                for try await page in pages { printer.print(page.answer.response) }
            } else {
                printer.print(try await Self.answer(to: request, from: app))
            }
        } catch {
            // The error of the call is more important than an error on closing its connection.
            try? await transport.shutdown()
            throw error
        }
        try await transport.shutdown()
    }

    private static func answer(
        to request: CallArguments,
        from app: AppStoreServerAPIClient.App
    ) async throws(AppStoreClientError) -> AppStoreHTTPResponse {
        let answer = try await app.perform(
            request.call,
            path: request.path,
            query: request.query,
            body: request.body
        )
        guard answer.value.isEmpty || (try? JSONParser.parse(answer.value)) != nil else {
            let message =
                "The response to \(request.call.title) is not JSON: check the base URL, and any proxy in front of it."
            throw AppStoreClientError(answer, to: request.call, code: .responseMalformed, message: message)
        }
        return answer.response
    }
}
