import AppStoreModel
import AppStoreSigning
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LocalAppStore
import NIOCore

/// The sales reports of the App Store Connect API, at Apple's path.
///
/// Tokens have the form of App Store Connect, name no app, and are signed with the store's only key.
struct SalesReportsController: Sendable {
    let coordinator: StoreCoordinator
    let bearer: BearerGate

    func addRoutes(to routes: inout RouteTable) {
        routes.get("/v1/salesReports", salesReport)
    }

    @Sendable private func salesReport(_ request: Request, _ context: StoreContext) async throws -> Response {
        do {
            let seconds = await coordinator.read { $0.now } / 1000
            guard bearer.acceptsForAppStoreConnect(request, virtualSeconds: seconds) else {
                throw AppStoreConnectError.notAuthorized
            }
            let query = try SalesReportQuery(
                parameters: request.queryItems.map { (Self.withBrackets($0.name), $0.value) }
            )
            let text = try await coordinator.read { store throws(AppStoreConnectError) in try store.salesReport(query) }
            return Response(
                status: .ok,
                headers: [.contentType: "application/a-gzip"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: GzipArchive.bytes(of: Array(text.utf8))))
            )
        } catch let error as AppStoreConnectError {
            let id = String(UInt64.random(in: .min ... .max), radix: 16)
            return .json(error.json(id: id), status: HTTPResponse.Status(code: error.status))
        }
    }

    /// The name of a parameter with the brackets of `filter[…]`. Most clients encode the brackets, and names arrive
    /// undecoded.
    private static func withBrackets(_ name: String) -> String {
        [("%5B", "["), ("%5b", "["), ("%5D", "]"), ("%5d", "]")].reduce(name) { $0.replacing($1.0, with: $1.1) }
    }
}
