import AppStoreModel
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LocalAppStore
import Logging

/// The only conversion of errors to responses.
///
/// Expected errors have a code. Other errors are logged and answered with 500 without details.
struct ErrorMiddleware: RouterMiddleware {
    typealias Context = StoreContext

    @concurrent func handle(
        _ request: Request,
        context: StoreContext,
        next: @concurrent (Request, StoreContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as StoreCallError {
            return .refusal(error)
        } catch let error as StoreError {
            return .refusal(StoreCallError(error))
        } catch let error as CatalogError {
            return .refusal(.invalid(error.code.rawValue, error.message, path: error.path))
        } catch let error as AppStoreServerAPIError {
            return .appleError(error)
        } catch let error as HTTPError where error.status == .notFound {
            return .refusal(.unknownPath(request.uri.path))
        } catch {
            context.logger.error("unexpected error", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return .refusal(
                StoreCallError(.internalServerError, code: "internal_error", message: "the store failed: see its log")
            )
        }
    }
}

extension StoreCallError {
    /// A refusal of the engine as a response.
    init(_ error: StoreError) {
        self.init(
            HTTPResponse.Status(code: error.httpStatus),
            code: error.code.rawValue,
            message: error.message,
            path: error.path
        )
    }
}
