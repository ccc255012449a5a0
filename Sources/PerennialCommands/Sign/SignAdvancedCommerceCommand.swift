import AppStoreModel
import AppStoreSigning
import ArgumentParser
import PerennialCommandSupport

/// `perennial sign advanced-commerce`: an Advanced Commerce request for the app.
struct SignAdvancedCommerceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advanced-commerce",
        abstract: "Sign an Advanced Commerce in-app request as a JWS.",
        discussion: """
            The file contains the request as JSON, with its operation (CREATE_ONE_TIME_CHARGE, CREATE_SUBSCRIPTION, \
            MODIFY_SUBSCRIPTION or REACTIVATE_SUBSCRIPTION) and its version. The command checks the fields of the \
            request, and signs its exact bytes.
            """
    )

    @OptionGroup var signing: SigningOptions

    @Argument(help: ArgumentHelp("The request as JSON; - reads standard input.", valueName: "file"))
    var file: InputFile

    func run() throws {
        let request: AdvancedCommerceSignedRequest
        do {
            request = try AdvancedCommerceSignedRequest(requestBytes: try file.read())
            try Self.check(request)
        } catch let error as InputError {
            throw CommandFailure.report("\(error)", status: .failed)
        } catch let error as SigningError {
            throw CommandFailure.report("\(error)", status: .failed)
        } catch let error as ModelError {
            throw CommandFailure.report("request_malformed: \(error)", status: .failed)
        }
        try signing.sign(request)
    }

    /// Decodes the request by its operation; an unknown operation is accepted with a warning.
    private static func check(_ request: AdvancedCommerceSignedRequest) throws {
        switch request.operation.map(AdvancedCommerceOperation.init) {
        case .createOneTimeCharge?:
            _ = try AdvancedCommerceOneTimeChargeCreateRequest(json: request.request)
        case .createSubscription?:
            _ = try AdvancedCommerceSubscriptionCreateRequest(json: request.request)
        case .modifySubscription?:
            _ = try AdvancedCommerceSubscriptionModifyInAppRequest(json: request.request)
        case .reactivateSubscription?:
            _ = try AdvancedCommerceSubscriptionReactivateInAppRequest(json: request.request)
        case let operation?:
            StandardError.printLine(
                "note: Apple documents no operation \(TerminalText.escaped("\(operation)"))"
            )
        case nil:
            throw SigningError(code: .requestMalformed, message: "The request has no operation.")
        }
    }
}
