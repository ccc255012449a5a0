import HTTPTypes
import Hummingbird
import Logging

/// Holds back the answer to a command until the store's file has what the command did.
///
/// A refused command is no exception: a running clock may have moved before it was refused.
struct PersistenceMiddleware: RouterMiddleware {
    typealias Context = StoreContext

    let fileWriter: StoreFileWriter

    @concurrent func handle(
        _ request: Request,
        context: StoreContext,
        next: @concurrent (Request, StoreContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        let isCommand = request.method != .get && request.method != .head
        guard isCommand else { return response }
        do {
            try await fileWriter.save()
        } catch {
            context.logger.error("the store's file could not be written", metadata: ["error": "\(error)"])
            return .refusal(
                StoreCallError(
                    .internalServerError,
                    code: StoreFileError.Code.notWritten.rawValue,
                    message: "what the call did stands, but the store's file does not have it: see the store's log"
                )
            )
        }
        return response
    }
}
