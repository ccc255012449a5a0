import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// The internal state of Retention Messaging, and Apple's part in reviews and tests.
struct StoreRetentionController: Sendable {
    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.get("/_store/retention", report)
        routes.put("/_store/retention", change)
        routes.put("/_store/retention/images/{id}", reviewImage)
        routes.put("/_store/retention/messages/{id}", reviewMessage)
    }

    @Sendable private func report(_ request: Request, _ context: StoreContext) async throws -> Response {
        .json(await coordinator.read { $0.retentionReport }.json)
    }

    /// A production store has no sandbox state, so this call sets whether a performance test has passed there.
    @Sendable private func change(_ request: Request, _ context: StoreContext) async throws -> Response {
        let hasPassed = try await request.fields(["performanceTestPassed"]).requiredBool("performanceTestPassed")
        return .json(
            await coordinator.read { store in
                store.setPassedPerformanceTest(hasPassed)
                return store.retentionReport
            }.json
        )
    }

    @Sendable private func reviewImage(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let state = ImageState(rawValue: try await request.fields(["state"]).requiredString("state"))
        return .json(
            try await coordinator.read { store in
                try store.reviewImage(id, state: state)
                return store.retentionReport
            }.json
        )
    }

    @Sendable private func reviewMessage(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let state = MessageState(rawValue: try await request.fields(["state"]).requiredString("state"))
        return .json(
            try await coordinator.read { store in
                try store.reviewMessage(id, state: state)
                return store.retentionReport
            }.json
        )
    }
}

extension RetentionReport {
    fileprivate var json: JSONObject {
        [
            "images": .array(images.map { .object($0.json) }),
            "messages": .array(messages.map { .object($0.json) }),
            "defaultMessages": .array(defaultMessages.map { .object($0.json) }),
            "realtimeURL": realtimeURL.map { .string($0) } ?? .null,
            "performanceTestPassed": .bool(hasPassedPerformanceTest),
        ]
    }
}

extension RetentionImage {
    fileprivate var json: JSONObject {
        [
            "imageIdentifier": .string(imageIdentifier),
            "imageSize": .string(imageSize.rawValue),
            "state": .string(state.rawValue),
            "widthPixels": .integer(Int64(widthPixels)),
            "heightPixels": .integer(Int64(heightPixels)),
            "fileBytes": .integer(Int64(fileBytes)),
        ]
    }
}

extension RetentionMessage {
    /// The message with its texts and images.
    var json: JSONObject {
        [
            "messageIdentifier": .string(messageIdentifier),
            "state": .string(state.rawValue),
            "content": .object(content.json),
        ]
    }
}

extension DefaultRetentionMessage {
    fileprivate var json: JSONObject {
        [
            "productId": .string(productId),
            "locale": .string(locale),
            "messageIdentifier": .string(messageIdentifier),
        ]
    }
}
