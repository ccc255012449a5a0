import HTTPTypes
import Hummingbird
import Logging

/// Delays the response to a command until the store's file contains the change.
///
/// Refused commands are included, because a running clock may have moved before.
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
                    message: "the call succeeded, but the store's file was not written: see the store's log"
                )
            )
        }
        return response
    }
}
