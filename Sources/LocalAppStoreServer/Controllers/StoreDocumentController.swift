import Hummingbird
import HummingbirdCore
import NIOCore

/// The description of every call, the store's own and Apple's, as OpenAPI.
struct StoreDocumentController: Sendable {
    private let bytes = ByteBuffer(bytes: PackageResources.openapi_yaml)

    func addRoutes(to routes: inout RouteTable) {
        routes.get("/_store/openapi.yaml", document)
    }

    @Sendable private func document(_ request: Request, _ context: StoreContext) async throws -> Response {
        try request.rejectQuery(except: [])
        return Response(
            status: .ok,
            headers: [.contentType: "application/yaml"],
            body: ResponseBody(byteBuffer: bytes)
        )
    }
}
