import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// The calls of Apple's Retention Messaging API about images, messages and defaults.
struct AppleRetentionController: Sendable {
    /// The maximum size of an image file. Apple publishes no limit. Uncompressed, the largest image has 24.9 million
    /// bytes.
    private static let imageBytesMax = 32 << 20

    let coordinator: StoreCoordinator
    let gate: AppleGate

    func addRoutes(to routes: inout RouteTable) {
        routes.add(.getImageList, gate, imageList)
        routes.add(.uploadImage, gate, uploadImage)
        routes.add(.deleteImage, gate, deleteImage)
        routes.add(.getMessageList, gate, messageList)
        routes.add(.uploadMessage, gate, uploadMessage)
        routes.add(.deleteMessage, gate, deleteMessage)
        routes.add(.getDefaultMessage, gate, defaultMessage)
        routes.add(.configureDefaultMessage, gate, setDefaultMessage)
        routes.add(.deleteDefaultMessage, gate, deleteDefaultMessage)
    }

    @Sendable private func imageList(_ request: Request, _ context: StoreContext) async throws -> Response {
        .json(await coordinator.read { $0.imageList }.json)
    }

    @Sendable private func uploadImage(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let size = request.queryItems.last { $0.name == "imageSize" }?.value
        let file: [UInt8]
        do { file = try await request.bodyBytes(upTo: Self.imageBytesMax) } catch is StoreCallError {
            throw AppStoreServerAPIError.invalidImage
        }
        try await coordinator.read { try $0.uploadImage(id, imageSize: size, file: file) }
        return Response(status: .ok)
    }

    @Sendable private func deleteImage(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        try await coordinator.read { try $0.deleteImage(id) }
        return Response(status: .ok)
    }

    @Sendable private func messageList(_ request: Request, _ context: StoreContext) async throws -> Response {
        .json(await coordinator.read { $0.messageList }.json)
    }

    @Sendable private func uploadMessage(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let body = try UploadMessageRequestBody(appleBody: await request.appleBody())
        try await coordinator.read { try $0.uploadMessage(id, request: body) }
        return Response(status: .ok)
    }

    @Sendable private func deleteMessage(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        try await coordinator.read { try $0.deleteMessage(id) }
        return Response(status: .ok)
    }

    @Sendable private func defaultMessage(_ request: Request, _ context: StoreContext) async throws -> Response {
        let (productId, locale) = (try context.pathParameter("productId"), try context.pathParameter("locale"))
        return .json(try await coordinator.read { try $0.defaultMessage(productId: productId, locale: locale) }.json)
    }

    @Sendable private func setDefaultMessage(_ request: Request, _ context: StoreContext) async throws -> Response {
        let (productId, locale) = (try context.pathParameter("productId"), try context.pathParameter("locale"))
        let body = try DefaultConfigurationRequest(appleBody: await request.appleBody())
        try await coordinator.read {
            try $0.configureDefaultMessage(productId: productId, locale: locale, request: body)
        }
        return Response(status: .ok)
    }

    @Sendable private func deleteDefaultMessage(
        _ request: Request,
        _ context: StoreContext
    ) async throws -> Response {
        let (productId, locale) = (try context.pathParameter("productId"), try context.pathParameter("locale"))
        try await coordinator.read { try $0.deleteDefaultMessage(productId: productId, locale: locale) }
        return Response(status: .ok)
    }
}
