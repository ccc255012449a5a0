import AppStoreModel
package import Hummingbird

/// `GET /`: describes the server to people who open the address in a browser.
package struct AboutController: Sendable {
    /// Makes the controller.
    package init() {}

    /// Adds the route, which needs no key.
    package func addRoutes(to router: Router<ServerRequestContext>) {
        router.get("/") { _, _ in
            var object = JSONObject()
            object["object"] = .string("server")
            object["name"] = .string("perennial")
            object["version"] = .string(ProgramVersion.current)
            object["api_description"] = .string("/openapi.yaml")
            return Response.json(object)
        }
    }
}
