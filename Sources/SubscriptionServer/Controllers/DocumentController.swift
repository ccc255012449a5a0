import HTTPTypes
package import Hummingbird
import NIOCore

/// The description of this API: every route, parameter, body, response and error code.
///
/// The file is part of the program, so both always have the same version.
package struct DocumentController: Sendable {
    /// The document, OpenAPI 3.1 as YAML.
    package static var document: String { String(decoding: PackageResources.openapi_yaml, as: UTF8.self) }

    private let bytes = ByteBuffer(bytes: PackageResources.openapi_yaml)

    /// Makes the controller.
    package init() {}

    /// Adds the route, which needs no key.
    package func addRoutes(to router: Router<ServerRequestContext>) {
        router.get("openapi.yaml") { [bytes] _, _ in
            Response(status: .ok, headers: [.contentType: "application/yaml"], body: ResponseBody(byteBuffer: bytes))
        }
    }
}
